import { defaultTlsProfile, type TlsProfile } from '../../../../shared/base/tls-profile.ts';
import { linkWord } from '../../../../shared/kinds/comparison/link-text.ts';
import { type RunRequest, runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import { pathsOf } from '../../../../shared/scenario/path-scenario.ts';
import type { Scenario } from '../../../../shared/scenario/scenario.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { secretsOf } from '../../../intake/scenario/secrets.ts';
import type { RunRecord } from '../analyse/run-record.ts';

/** The command that repeats a run: same target, plan and order of blocks. */
export function commandOf({
  request,
  plan,
  scenario,
}: Pick<RunRecord, 'request' | 'plan' | 'scenario'>): string {
  const { target, transports } = request;
  const words = ['npx tls-toll compare', `--preset ${plan.preset}`, `--seed ${plan.seed}`];
  const { options, processOptions } = factsOf(target);
  words.push(...options, ...processOptions);
  if (transports.join() === 'http,http') words.push('--null');
  else if (transports.join() !== 'http,https') words.push(`--transports ${transports.join()}`);
  if (request.scenario !== null) words.push(...scenarioOptions(scenario));
  for (const name of secretsOf(scenario)) words.push(`--secret ${name}=${name.toUpperCase()}`);
  return [...words, ...optionsOf(request), ...tlsOptionsOf(request.tls)].join(' ');
}

function scenarioOptions(scenario: Scenario): string[] {
  const paths = pathsOf(scenario);
  if (paths !== null)
    return paths.map(
      (path) => `--path ${/^[\w/.~%+:@=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`}`,
    );
  return [`--scenario ${scenario.id ?? 'scenario.json'}`];
}

/** What was asked for otherwise than it is by default. */
function optionsOf(request: RunRequest): string[] {
  const usual = runRequestSchema.parse({});
  return [
    ...(request.connections === usual.connections ? [] : [`--connections ${request.connections}`]),
    ...(request.connectionPolicy === usual.connectionPolicy
      ? []
      : [`--connection-policy ${request.connectionPolicy}`]),
    ...(request.requestsPerConnection === usual.requestsPerConnection
      ? []
      : [`--requests-per-connection ${request.requestsPerConnection}`]),
    ...(request.ratePerS === null ? [] : [`--rate ${request.ratePerS}`]),
    ...(request.rampMs === 0 ? [] : [`--ramp ${request.rampMs}`]),
    ...(request.thinkTimeScale === null ? [] : [`--think-time ${request.thinkTimeScale}`]),
    ...(request.launches === null ? [] : [`--launches ${request.launches}`]),
    ...(request.tolerance === usual.tolerance ? [] : [`--tolerance ${request.tolerance}`]),
    ...(request.pairUsers === usual.pairUsers ? [] : [`--pair-users ${request.pairUsers}`]),
    ...(request.windowMs === usual.windowMs ? [] : [`--window ${request.windowMs}`]),
    ...(request.generators === null ? [] : [`--generators ${request.generators}`]),
    ...(request.link === undefined ? [] : [`--link ${linkWord(request.link)}`]),
  ];
}

function tlsOptionsOf(tls: TlsProfile): string[] {
  return [
    ...(tls.resumption === 'none' ? [] : [`--resumption ${tls.resumption}`]),
    ...(tls.resumedShare === defaultTlsProfile.resumedShare ? [] : [`--resumed-share ${tls.resumedShare}`]),
    ...(tls.version === null ? [] : [`--tls ${tls.version}`]),
    ...(tls.cipher === null ? [] : [`--cipher ${tls.cipher}`]),
    ...(tls.group === null ? [] : [`--group ${tls.group}`]),
    ...(tls.verify ? [] : ['--insecure']),
  ];
}
