import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type ProbeRequest, probeRequestSchema } from '../../shared/probe.ts';
import { problem, problemOfIssues } from '../../shared/problem.ts';
import { probe as probeTarget } from '../target/probe/probe.ts';
import { printProbe } from './print-probe.ts';

export const probeHelp = `Usage: npx tls-toll probe URL [OPTIONS]

Connects to a permitted target with TLS 1.3 and with TLS 1.2, reconnects five times with the session that it was given, and
says whether it was taken up again. Nothing is requested.

  --ca FILE   PEM of the authority that signed the certificate
  --json      print the whole report

Exit code: 0 probed, 2 refused or no version answered, 1 failed.
`;

export async function probe(args: string[]): Promise<number> {
  const { request, json } = parseProbe(args);
  const report = await probeTarget(request);
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : printProbe(report));
  return report.versions.some(({ status }) => status === 'answered') ? 0 : 2;
}

/** Throws invalid_arguments and certificate_unreadable. */
export function parseProbe(args: string[]): { request: ProbeRequest; json: boolean } {
  const { values, positionals } = readOptions(args);
  const [url, another] = positionals;
  if (url === undefined)
    throw problem('invalid_arguments', 'probe needs the URL of a target, such as https://127.0.0.1:8443.');
  if (another !== undefined)
    throw problem('invalid_arguments', `probe takes one URL, so not ${another} as well.`);
  const parsed = probeRequestSchema.safeParse({
    url,
    ca: values.ca === undefined ? undefined : readCertificate(values.ca),
  });
  if (!parsed.success) throw problemOfIssues('invalid_arguments', parsed.error, 'The arguments');
  return { request: parsed.data, json: values.json ?? false };
}

function readCertificate(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw problem('certificate_unreadable', `${path} cannot be read.`, { cause: error });
  }
}

function readOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { ca: { type: 'string' }, json: { type: 'boolean' } },
    });
  } catch (error) {
    throw problem('invalid_arguments', `${error instanceof Error ? error.message : error}`);
  }
}
