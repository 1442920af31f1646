import { probeEndpoints } from '../../../shared/api/example-endpoints.ts';
import { permitEndpoints } from '../../../shared/api/housekeeping-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { type ProbeReport, probeRequestSchema, type VersionReport } from '../../../shared/target/probe.ts';
import {
  type AllowRequest,
  allowRequestSchema,
  type PermittedTarget,
} from '../../../shared/target/target.ts';
import {
  connectionCells,
  connectionColumns,
  probeFacts,
  versionNames,
} from '../../../shared/words/probe-lines.ts';
import { alignColumns, printLines } from '../../base/text/terminal.ts';
import { clientKeysOf, readText } from '../settings/token-file.ts';
import { withDashboard } from './api-client.ts';
import { numberIn, parsedBy } from './option-values.ts';
import { verb } from './verb.ts';

const targetOptions = verb('targets')
  .description(
    'Lists the other hosts that may be loaded. “allow” adds one, by its name, its IP address or a range such as 10.1.0.0/16; “withdraw” removes one.',
  )
  .argument('[action]', 'allow or withdraw (default: list them)')
  .argument('[host]', 'Host name, IP address or range')
  .option('--why <text>', 'Reason, for the log')
  .option('--requests-per-second <n>', 'Most requests per second (default: 100)', numberIn)
  .option('--connections <n>', 'Most connections (default: 50)', numberIn)
  .option('--minutes <n>', 'Most minutes per run (default: 15)', numberIn)
  .option('--megabytes <n>', 'Most megabytes per run (default: 1000)', numberIn)
  .option('--json', 'Print JSON');

export type TargetsCall =
  | { action: 'list' }
  | { action: 'allow'; request: AllowRequest }
  | { action: 'withdraw'; host: string };

export async function targets(args: string[]): Promise<number> {
  const { call, json } = parseTargets(args);
  await withDashboard(async (api) => {
    if (call.action === 'allow') await api.call(permitEndpoints.allowTarget, { body: call.request });
    const { targets: known } = await api.call(permitEndpoints.listTargets);
    if (call.action === 'withdraw') {
      const named = known.find(({ id, host }) => id === call.host || host === call.host);
      if (named === undefined) throw problem('target_not_found', `${call.host} is not an allowed host.`);
      await api.call(permitEndpoints.withdrawTarget, { params: { id: named.id } });
    }
    const now = call.action === 'withdraw' ? (await api.call(permitEndpoints.listTargets)).targets : known;
    process.stdout.write(json ? `${JSON.stringify(now, null, 2)}\n` : printTargets(now));
  });
  return 0;
}

/** Throws invalid_arguments. */
export function parseTargets(args: string[]): { call: TargetsCall; json: boolean } {
  const [action, host] = targetOptions.parse(args, { from: 'user' }).processedArgs;
  const { json = false, why, requestsPerSecond, connections, minutes, megabytes } = targetOptions.opts();
  if (action === undefined) return { call: { action: 'list' }, json };
  if (action === 'withdraw' && host !== undefined) return { call: { action, host }, json };
  if (action !== 'allow' || host === undefined) {
    throw problem('invalid_arguments', 'Write “targets”, “targets allow HOST” or “targets withdraw HOST”.');
  }
  const bytes = megabytes === undefined ? undefined : megabytes * 1e6;
  const caps = { requestsPerS: requestsPerSecond, connections, minutes, bytes };
  const asked = { host, why: why ?? 'allowed on the command line', caps };
  return { call: { action, request: parsedBy(allowRequestSchema, asked) }, json };
}

function printTargets(targets: readonly PermittedTarget[]): string {
  if (targets.length === 0) return 'No other host is allowed.\n';
  const lines = targets.map(
    ({ host, from, by, why, caps }) =>
      `${host}  ${caps.requestsPerS} requests/s, ${caps.connections} connections, ${caps.minutes} min  ${from === 'environment' ? 'TLS_TOLL_TARGETS' : `${by}: ${why}`}\n`,
  );
  return lines.join('');
}

const probeOptions = verb('probe')
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
  const [url] = probeOptions.parse(args, { from: 'user' }).processedArgs;
  const { ca, json = false, ...client } = probeOptions.opts();
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
  return printLines(lines);
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
