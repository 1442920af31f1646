import { probeEndpoints } from '../../../shared/api/example-endpoints.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { type ProbeReport, probeRequestSchema, type VersionReport } from '../../../shared/target/probe.ts';
import {
  connectionCells,
  connectionColumns,
  probeFacts,
  versionNames,
} from '../../../shared/words/probe-lines.ts';
import { alignColumns, textOf } from '../../base/text/terminal.ts';
import { clientKeysOf, readText } from '../settings/token-file.ts';
import { parsedBy, withDashboard } from './api-client.ts';
import { verb } from './verb.ts';

const options = verb('probe')
  .description(
    'Connects to a permitted target with TLS 1.3 and with TLS 1.2, reconnects five times with the session it received, and reports whether the session was resumed. Sends no request. Exits with 2 when neither version answers.',
  )
  .argument('<url>', 'Target, such as https://127.0.0.1:8443')
  .option('--ca <file>', 'PEM file of the CA that signed the certificate')
  .option('--client-cert <file>', 'PEM file of the certificate to present, where the target demands one')
  .option(
    '--client-key <file>',
    'PEM file of its key, which is never stored (default: the key in the file of --client-cert)',
  )
  .option('--json', 'Print the whole report as JSON');

export async function probe(args: string[]): Promise<number> {
  const { request, json } = parseProbe(args);
  const report = await withDashboard((api) => api.call(probeEndpoints.probe, { body: request }));
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : printProbe(report));
  return report.versions.some(({ status }) => status === 'answered') ? 0 : 2;
}

/** Throws invalid_arguments and file_unreadable. */
export function parseProbe(args: string[]) {
  const [url] = options.parse(args, { from: 'user' }).processedArgs;
  const { ca, json = false, ...client } = options.opts();
  const pem = ca === undefined ? undefined : readText(ca, '--ca');
  const clientCertificate =
    client.clientCert === undefined ? undefined : readText(client.clientCert, '--client-cert');
  const asked = { url, ca: pem, clientCertificate, secrets: clientKeysOf(client) };
  return { request: parsedBy(probeRequestSchema, asked), json };
}

/** A resumption proof for a terminal. Ends with a line feed. */
export function printProbe({ origin, address, verdict, trust, versions }: ProbeReport): string {
  const lines = [
    verdict,
    '',
    `${origin} at ${address}. ${trust === null ? '' : trust.message}`.trim(),
    ...versions.flatMap((version) => ['', ...versionLines(version)]),
  ];
  return textOf(lines);
}

function versionLines(report: VersionReport): string[] {
  const name = versionNames[report.version];
  if (report.status === 'refused') {
    const original = report.details === undefined ? [] : [`  Details: ${report.details}`];
    return [`${name}: ${report.reason}`, ...original];
  }
  const certificates = report.certificates.map(
    ({ subject, issuer, key, bytes, validTo }) =>
      `  ${subject}, signed by ${issuer}, ${key}, until ${validTo}, ${printNumber(bytes, 0)} bytes`,
  );
  return [
    name,
    ...probeFacts(report).map(([fact, value]) => `  ${fact}: ${value}`),
    ...certificates,
    ...alignColumns([[...connectionColumns], ...report.connections.map(connectionCells)], 'llr').map(
      (line) => `  ${line}`,
    ),
  ];
}
