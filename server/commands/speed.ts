import { parseArgs } from 'node:util';
import { problem, problemOfIssues } from '../../shared/problem.ts';
import { type SpeedDocument, type SpeedRequest, speedRequestSchema } from '../../shared/speed.ts';
import { printSpeedTable } from '../kinds/primitives/report/speed-table.ts';
import { measureInLab } from './measure-in-lab.ts';

export const speedHelp = `Usage: npx tls-toll speed [OPTIONS] [NAME...]

Measures the primitives of TLS by themselves: digests and ciphers at six sizes, signatures, key agreement and key
encapsulation. Where there is an openssl program, its own speed measures the same in turn. Progress goes to stderr, the
result to stdout.

  NAME           a primitive, such as SHA-256, RSA-2048 or X25519MLKEM768, a curve (P-256),
                 or a group: digest, cipher, signature, agreement, kem (everything)
  --seconds N    about how long it may take (150)
  --no-openssl   leave the openssl program out
  --seed N       seed of the order
  --json         print the document of the permalink

Exit code: 0 finished, 2 refused, 1 failed or cancelled.
`;

export async function speed(args: string[]): Promise<number> {
  const { request, json } = parseSpeed(args);
  return measureInLab<SpeedDocument>(request, (document, text) =>
    json ? `${text}\n` : printSpeedTable(document),
  );
}

/** Throws invalid_arguments. */
export function parseSpeed(args: string[]): { request: SpeedRequest; json: boolean } {
  const { values, positionals } = readOptions(args);
  const parsed = speedRequestSchema.safeParse({
    kind: 'speed',
    names: positionals.length === 0 ? null : positionals,
    seconds: values.seconds === undefined ? null : Number(values.seconds),
    openssl: values.openssl,
    seed: values.seed === undefined ? undefined : Number(values.seed),
  });
  if (!parsed.success) throw problemOfIssues('invalid_arguments', parsed.error, 'The arguments');
  return { request: parsed.data, json: values.json ?? false };
}

function readOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      allowNegative: true,
      options: {
        seconds: { type: 'string' },
        openssl: { type: 'boolean', default: true },
        seed: { type: 'string' },
        json: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw problem('invalid_arguments', `${error instanceof Error ? error.message : error}`);
  }
}
