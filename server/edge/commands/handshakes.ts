import { problem } from '../../../shared/base/problem.ts';
import { handshakesRequestSchema } from '../../../shared/kinds/handshakes/handshakes.ts';
import { gridOptions, handshakesOptions, presetOptions } from '../../../shared/kinds/handshakes/options.ts';
import { measure, measuringVerb, readMeasuring, readOptions } from './measure-kind.ts';

const options = measuringVerb(
  'handshakes',
  'Measures what TLS connections cost, with both ends in one process, connected through memory, and prints a table.',
  handshakesOptions,
)
  .option('--reuse', 'Resumed connections only')
  .option('--no-reuse', 'Full handshakes only');

export async function handshakes(args: string[]): Promise<number> {
  const { request, format, labels } = parseHandshakes(args);
  const { handshakes: kind } = await import('../../kinds/handshakes/kind.ts');
  return measure(kind, request, format, { labels });
}

/** Throws invalid_arguments. */
export function parseHandshakes(args: string[]) {
  const parsed = options.parse(args, { from: 'user' });
  const { reuse } = parsed.opts();
  const { grid: preset } = readOptions(parsed, presetOptions);
  const axes = {
    ...(readOptions(parsed, gridOptions).grid as object | undefined),
    ...(reuse === undefined ? {} : { resumption: [reuse ? 'resumed' : 'full'] }),
  };
  const hasAxes = Object.keys(axes).length > 0;
  if (hasAxes && preset !== undefined) {
    throw problem('invalid_arguments', '--preset selects a whole grid. Remove it to choose the axes.');
  }
  const own = { kind: 'handshakes', grid: hasAxes ? axes : preset };
  return readMeasuring(parsed, gridOptions, handshakesRequestSchema, own);
}
