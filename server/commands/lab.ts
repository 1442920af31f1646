import { parseArgs } from 'node:util';
import {
  type HandshakesDocument,
  type HandshakesRequest,
  handshakesRequestSchema,
} from '../../shared/lab.ts';
import { problem, problemOfIssues } from '../../shared/problem.ts';
import { printLabTable } from '../kinds/handshakes/report/lab-table.ts';
import { measureInLab } from './measure-in-lab.ts';

export const labHelp = `Usage: npx tls-toll lab [OPTIONS]

Measures what TLS connections cost, both ends in one process through memory, and prints a table.
Progress goes to stderr, the result to stdout.

  --preset NAME   classic (the table of 1997), today (the default), post-quantum or everything
  --tls VERSION   TLSv1.3, TLSv1.2, TLSv1.1 or TLSv1
  --cipher NAME   cipher suite, such as ECDHE-RSA-AES128-GCM-SHA256 or NULL-SHA256
  --key NAME      P-256, P-384, Ed25519, RSA-2048 to RSA-4096, ML-DSA-44, ML-DSA-65 or ML-DSA-87
  --group NAME    group in which keys are agreed, such as X25519 or X25519MLKEM768
  --guess NAME    group that the client tries first, when the server wants another (TLS 1.3)
  --bytes N       payload there and back (1)
  --reuse         resumed connections only; --no-reuse for full handshakes only
  --num N         connections of each cell (640; fewer where time is short)
  --legacy        allow TLS 1.0 and 1.1, RSA keys under 2,048 bits and broken suites
  --seed N        seed of the order of the cells
  --json          print the document of the permalink

--tls, --cipher, --key, --group, --guess and --bytes take lists (a,b); their product is measured instead of a preset.

Exit code: 0 finished, 2 refused, 1 failed or cancelled.
`;

export async function lab(args: string[]): Promise<number> {
  const { request, json } = parseLab(args);
  return measureInLab<HandshakesDocument>(request, (document, text) =>
    json ? `${text}\n` : printLabTable(document),
  );
}

/** Throws invalid_arguments. */
export function parseLab(args: string[]): { request: HandshakesRequest; json: boolean } {
  const values = readOptions(args);
  const axes = {
    versions: listOf(values.tls),
    ciphers: listOf(values.cipher),
    keys: listOf(values.key),
    groups: listOf(values.group),
    guesses: listOf(values.guess),
    bytes: listOf(values.bytes)?.map(Number),
    resumption: values.reuse === undefined ? undefined : [values.reuse ? 'resumed' : 'full'],
  };
  const hasAxes = Object.values(axes).some((axis) => axis !== undefined);
  if (hasAxes && values.preset !== undefined) {
    throw problem('invalid_arguments', '--preset names a whole grid: leave it out to say what to measure.');
  }
  const parsed = handshakesRequestSchema.safeParse({
    kind: 'handshakes',
    grid: hasAxes ? axes : values.preset,
    legacy: values.legacy,
    connections: values.num === undefined ? undefined : Number(values.num),
    seed: values.seed === undefined ? undefined : Number(values.seed),
  });
  if (!parsed.success) throw problemOfIssues('invalid_arguments', parsed.error, 'The arguments');
  return { request: parsed.data, json: values.json ?? false };
}

function readOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      allowNegative: true,
      options: {
        preset: { type: 'string' },
        tls: { type: 'string' },
        cipher: { type: 'string' },
        key: { type: 'string' },
        group: { type: 'string' },
        guess: { type: 'string' },
        bytes: { type: 'string' },
        reuse: { type: 'boolean' },
        num: { type: 'string' },
        legacy: { type: 'boolean' },
        seed: { type: 'string' },
        json: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw problem('invalid_arguments', `${error instanceof Error ? error.message : error}`);
  }
}

function listOf(text: string | undefined): string[] | undefined {
  return text?.split(',').map((each) => each.trim());
}
