import { placeOptions } from '../../../shared/base/option.ts';
import { problemOfIssues } from '../../../shared/base/problem.ts';
import { sizesOptions } from '../../../shared/kinds/sizes/options.ts';
import { type SizesRequest, sizesRequestSchema } from '../../../shared/kinds/sizes/sizes.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import { serverKeys, serverNames } from '../../../shared/target/server-names.ts';
import { labelsOption } from './labels-option.ts';
import { measure, resume } from './measure.ts';
import { countsOf, documentSize, keyName, nameOf, numberIn, serverName } from './option-values.ts';
import { addOptions, readOptions } from './table-options.ts';
import { targetOf } from './target-options.ts';
import { listOf, verb } from './verb.ts';

const placed = placeOptions(null, sizesOptions);

const options = addOptions(
  verb('sizes').description(
    'Measures request time by document size, over HTTP and HTTPS on an open connection, and fits the line of the 1998 study: Offset + Size ÷ Rate. Progress goes to stderr, the result to stdout.',
  ),
  placed,
)
  .option(
    '--server <name>',
    `Server to start: ${serverNames.join(', ')} (default: nginx)`,
    nameOf(serverName, serverNames),
  )
  .option('--key <name>', `Its key: ${serverKeys.join(', ')} (default: P-256)`, nameOf(keyName, serverKeys))
  .option(
    '--sizes <bytes>',
    'Document sizes, such as 1000,20000 (default: the 24 of the study, 1,000 to 100,000)',
    countsOf(documentSize),
  )
  .option(
    '--suites <names>',
    'Cipher suites, one HTTPS side for each (default: the library’s choice)',
    listOf,
  )
  .option('--resume <id>', 'Resume a sweep that ended early')
  .option(...labelsOption)
  .option('--json', 'Print the JSON document of the permalink')
  .optionsGroup('Instead of starting a server (origins must answer /{bytes}.html with that many bytes):')
  .option('--http <origin>', 'HTTP origin, such as http://127.0.0.1:8080')
  .option('--https <origin>', 'HTTPS origin')
  .option('--ca <file>', 'Certificate authority to trust, PEM')
  .option('--pid <n>', 'Process whose CPU is read (default: the listening process)', numberIn);

export async function sizes(args: string[]): Promise<number> {
  const { request, resumed, json, labels } = parseSizes(args);
  const { sizes: kind } = await import('../../kinds/sizes/kind.ts');
  const format = json ? 'json' : 'terminal';
  return resumed === null ? measure(kind, request, format, { labels }) : resume(kind, resumed, format);
}

/** Throws invalid_arguments, file_unreadable. */
export function parseSizes(args: string[]): {
  request: SizesRequest;
  /** Id of the one to go on with; null for a new one. */
  resumed: string | null;
  json: boolean;
  labels: Labels[] | undefined;
} {
  const {
    server,
    key,
    http,
    https,
    ca,
    pid,
    resume: resumed = null,
    json = false,
    labels,
    sizes,
    suites,
  } = options.parse(args, { from: 'user' }).opts();
  const stands = http !== undefined || https !== undefined;
  const target = stands
    ? targetOf({ http, https, ca, pid })
    : { kind: 'managed', server: server ?? 'nginx', ...(key === undefined ? {} : { key }) };
  const parsed = sizesRequestSchema.safeParse({
    kind: 'sizes',
    target,
    sizes,
    suites,
    ...readOptions(options, placed),
  });
  if (!parsed.success) throw problemOfIssues('invalid_arguments', parsed.error, 'The arguments');
  return { request: parsed.data, resumed, json, labels };
}
