import { sizesOptions } from '../../../shared/kinds/sizes/options.ts';
import { sizesRequestSchema } from '../../../shared/kinds/sizes/sizes.ts';
import { pidsIn } from './api-client.ts';
import { measure, measuringVerb, readMeasuring, readOptions, resume } from './measure-kind.ts';
import { targetOf } from './target-options.ts';

const options = measuringVerb(
  'sizes',
  'Measures request time by document size, over HTTP and HTTPS on an open connection, and fits the line of the 1998 study: Offset + Size ÷ Rate.',
  sizesOptions,
)
  .option('--resume <id>', 'Resume a sweep that ended early')
  .optionsGroup('Instead of starting a server (origins must answer /{bytes}.html with that many bytes):')
  .option('--http <origin>', 'HTTP origin, such as http://127.0.0.1:8080')
  .option('--https <origin>', 'HTTPS origin')
  .option('--ca <file>', 'Certificate authority to trust, PEM')
  .option('--pid <list>', 'Processes whose CPU is read (default: the listening process)', pidsIn);

export async function sizes(args: string[]): Promise<number> {
  const { request, resumed, format, labels } = parseSizes(args);
  const { sizes: kind } = await import('../../kinds/sizes/kind.ts');
  return resumed === null ? measure(kind, request, format, { labels }) : resume(kind, resumed, format);
}

/** With the id of the one to go on with; null for a new one. Throws invalid_arguments, file_unreadable. */
export function parseSizes(args: string[]) {
  const parsed = options.parse(args, { from: 'user' });
  const { http, https, ca, pid, resume: resumed = null } = parsed.opts();
  const stands = http !== undefined || https !== undefined;
  const { target: ofServer } = readOptions(parsed, sizesOptions) as { target?: object };
  const target = stands
    ? targetOf({ http, https, ca, pid })
    : { kind: 'managed', server: 'nginx', ...ofServer };
  return { ...readMeasuring(parsed, sizesOptions, sizesRequestSchema, { kind: 'sizes', target }), resumed };
}
