import type { RunRecord } from '../database/runs.ts';

/** The command that repeats a run: same target, plan and order of blocks. */
export function commandOf({
  request,
  plan,
  scenario,
}: Pick<RunRecord, 'request' | 'plan' | 'scenario'>): string {
  const { target, transports, tls } = request;
  const words = ['npx tls-toll compare', `--preset ${plan.preset}`, `--seed ${plan.seed}`];
  if (target !== 'storefront') {
    words.push(`--http ${target.http}`, `--https ${target.https}`);
    if (target.ca !== undefined) words.push('--ca ca.pem');
    if (target.pid !== undefined) words.push(`--pid ${target.pid}`);
  }
  if (transports.join() === 'http,http') words.push('--null');
  else if (transports.join() !== 'http,https') words.push(`--transports ${transports.join()}`);
  words.push(`--scenario ${scenario.id ?? 'scenario.json'}`);
  if (plan.connections !== 8) words.push(`--connections ${plan.connections}`);
  if (plan.connectionPolicy !== 'keep-alive') words.push(`--connection-policy ${plan.connectionPolicy}`);
  if (tls.resumption !== 'none') words.push(`--resumption ${tls.resumption}`);
  if (tls.version !== 'TLSv1.3') words.push(`--tls ${tls.version}`);
  return words.join(' ');
}
