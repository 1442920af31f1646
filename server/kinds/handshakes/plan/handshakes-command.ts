import { flagsOf } from '../../../../shared/base/option-flag.ts';
import type { HandshakesRequest } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { gridOptions, presetOptions } from '../../../../shared/kinds/handshakes/options.ts';

/** The command that repeats a measurement: the same cells, in the same order where one has been drawn. */
export function handshakesCommand(request: HandshakesRequest, seed: number | null): string {
  const { grid } = request;
  const [only, other] = typeof grid === 'string' ? [] : (grid.resumption ?? []);
  return [
    'npx tls-toll handshakes',
    ...(typeof grid === 'string' ? flagsOf(presetOptions, request) : []),
    ...flagsOf(gridOptions, { ...request, seed }),
    ...(only === undefined || other !== undefined ? [] : [only === 'resumed' ? '--reuse' : '--no-reuse']),
  ].join(' ');
}
