import { flagsOf } from '../../../../shared/base/option-flag.ts';
import type { HandshakesRequest } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { gridOptions, presetOptions } from '../../../../shared/kinds/handshakes/options.ts';

/** The command that repeats a measurement: the same cells, in the same order where one has been drawn. */
export function handshakesCommand(request: HandshakesRequest, seed: number | null): string {
  const { grid } = request;
  const [only, other] = typeof grid === 'string' ? [] : (grid.resumption ?? []);
  return [
    'npx tls-toll handshakes',
    ...flagsOf(typeof grid === 'string' ? presetOptions : axes, request),
    ...(only === undefined || other !== undefined ? [] : [only === 'resumed' ? '--reuse' : '--no-reuse']),
    ...flagsOf(others, { ...request, seed }),
  ].join(' ');
}

const axes = gridOptions.filter(({ part }) => part === 'grid');
const others = gridOptions.filter(({ part }) => part === null);
