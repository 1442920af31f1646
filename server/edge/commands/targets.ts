import { permitEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import {
  type AllowRequest,
  allowRequestSchema,
  type PermittedTarget,
} from '../../../shared/target/target.ts';
import { numberIn, parsedBy, withDashboard } from './api-client.ts';
import { verb } from './verb.ts';

const options = verb('targets')
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
  const [action, host] = options.parse(args, { from: 'user' }).processedArgs;
  const { json = false, why, requestsPerSecond, connections, minutes, megabytes } = options.opts();
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
