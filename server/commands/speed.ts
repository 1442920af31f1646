import { parseArgs } from 'node:util';
import { problem, problemOfIssues } from '../../shared/problem.ts';
import { type SpeedOutcome, type SpeedRequest, speedRequestSchema } from '../../shared/speed.ts';
import { productVersion } from '../product-version.ts';
import { printSpeedTable } from '../report/lab/speed-table.ts';
import { conductSpeed } from '../run/conduct-speed.ts';
import { describeEnvironment } from '../sampling/environment.ts';
import { printLabStep } from './print-lab-step.ts';

export const speedHelp = `Usage: npx tls-toll speed [OPTIONS] [NAME...]

Measures the primitives of TLS by themselves: digests and ciphers at six sizes, signatures, key agreement and key
encapsulation. Where there is an openssl program, its own speed measures the same in turn. Progress goes to stderr, the
result to stdout.

  NAME           a primitive, such as SHA-256, RSA-2048 or X25519MLKEM768, a curve (P-256),
                 or a group: digest, cipher, signature, agreement, kem (everything)
  --seconds N    about how long it may take (90)
  --no-openssl   leave the openssl program out
  --seed N       seed of the order
  --json         print the whole result

Exit code: 0 finished, 2 refused, 1 failed or cancelled.
`;

export async function speed(args: string[]): Promise<number> {
  const { request, json } = parseSpeed(args);
  const cancellation = new AbortController();
  const cancel = () => cancellation.abort();
  process.once('SIGINT', cancel);
  process.once('SIGTERM', cancel);
  try {
    const outcome = await conductSpeed(request, {
      environment: describeEnvironment(`tls-toll ${productVersion()}`, true),
      signal: cancellation.signal,
      tell: (step) => printLabStep(step, process.stderr),
    });
    process.stdout.write(json ? `${JSON.stringify(outcome)}\n` : printSpeedTable(outcome));
    return exitCodeOf(outcome);
  } finally {
    process.off('SIGINT', cancel);
    process.off('SIGTERM', cancel);
  }
}

function exitCodeOf({ state, problem: ended }: SpeedOutcome): number {
  if (ended !== null) process.stderr.write(`${ended.detail}\n${ended.advice}\n`);
  return state === 'finished' ? 0 : 1;
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
