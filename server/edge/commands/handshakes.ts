import { problem, problemOfIssues } from '../../../shared/base/problem.ts';
import {
  type HandshakesRequest,
  handshakesRequestSchema,
} from '../../../shared/kinds/handshakes/handshakes.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import { labelsOption } from './labels-option.ts';
import { measure } from './measure.ts';
import { countsOf, numberIn } from './option-values.ts';
import { listOf, verb } from './verb.ts';

const options = verb('handshakes')
  .description(
    'Measures what TLS connections cost, with both ends in one process, connected through memory, and prints a table. Progress goes to stderr, the result to stdout.',
  )
  .option('--preset <name>', 'classic (the table of 1997), today (default), post-quantum or everything')
  .option('--num <n>', 'Connections per cell (default: 640, fewer where time is short)', numberIn)
  .option('--legacy', 'Allow TLS 1.0 and 1.1, RSA keys under 2,048 bits and broken cipher suites')
  .option('--seed <n>', 'Seed of all random orders (default: random)', numberIn)
  .option(...labelsOption)
  .option('--json', 'Print the JSON document of the permalink')
  .optionsGroup('Instead of a preset (each takes a list such as a,b; all combinations are measured):')
  .option('--tls <versions>', 'TLSv1.3, TLSv1.2, TLSv1.1 or TLSv1', listOf)
  .option('--cipher <names>', 'Cipher suite, such as ECDHE-RSA-AES128-GCM-SHA256 or NULL-SHA256', listOf)
  .option(
    '--key <names>',
    'P-256, P-384, Ed25519, RSA-2048 to RSA-4096, ML-DSA-44, ML-DSA-65 or ML-DSA-87',
    listOf,
  )
  .option('--group <names>', 'Key agreement group, such as X25519 or X25519MLKEM768', listOf)
  .option('--guess <names>', 'Group the client tries first when the server wants another (TLS 1.3)', listOf)
  .option(
    '--bytes <n>',
    'Payload in each direction (default: 1)',
    countsOf({ one: 'payload', rule: 'Payloads are whole numbers of bytes, such as 1,1024.' }),
  )
  .option('--reuse', 'Resumed connections only')
  .option('--no-reuse', 'Full handshakes only');

export async function handshakes(args: string[]): Promise<number> {
  const { request, json, labels } = parseHandshakes(args);
  const { handshakes: kind } = await import('../../kinds/handshakes/kind.ts');
  return measure(kind, request, json ? 'json' : 'terminal', { labels });
}

/** Throws invalid_arguments. */
export function parseHandshakes(args: string[]): {
  request: HandshakesRequest;
  json: boolean;
  labels: Labels[] | undefined;
} {
  const {
    preset,
    num,
    legacy,
    seed,
    json = false,
    labels,
    ...lists
  } = options.parse(args, { from: 'user' }).opts();
  const axes = {
    versions: lists.tls,
    ciphers: lists.cipher,
    keys: lists.key,
    groups: lists.group,
    guesses: lists.guess,
    bytes: lists.bytes,
    resumption: lists.reuse === undefined ? undefined : [lists.reuse ? 'resumed' : 'full'],
  };
  const hasAxes = Object.values(axes).some((axis) => axis !== undefined);
  if (hasAxes && preset !== undefined) {
    throw problem('invalid_arguments', '--preset selects a whole grid. Remove it to choose the axes.');
  }
  const parsed = handshakesRequestSchema.safeParse({
    kind: 'handshakes',
    grid: hasAxes ? axes : preset,
    legacy,
    connections: num,
    seed,
  });
  if (!parsed.success) throw problemOfIssues('invalid_arguments', parsed.error, 'The arguments');
  return { request: parsed.data, json, labels };
}
