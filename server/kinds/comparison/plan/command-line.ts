import { flagsOf } from '../../../../shared/base/option-flag.ts';
import { otherOptions, planOptions } from '../../../../shared/kinds/comparison/options.ts';
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
  const planned = { ...request, preset: plan.preset, seed: plan.seed };
  const words = ['npx tls-toll compare', ...flagsOf(planOptions, planned)];
  const { options, processOptions } = factsOf(target);
  words.push(...options, ...processOptions);
  if (transports.join() === 'http,http') words.push('--null');
  else if (transports.join() !== 'http,https') words.push(`--transports ${transports.join()}`);
  if (request.scenario !== null) words.push(...scenarioOptions(scenario));
  for (const name of secretsOf(scenario)) words.push(`--secret ${name}=${name.toUpperCase()}`);
  return [...words, ...flagsOf(shapeOptions, request)].join(' ');
}

/** Those of a server are among what is known of the target. */
const shapeOptions = otherOptions.filter(({ part }) => part !== 'target');

function scenarioOptions(scenario: Scenario): string[] {
  const paths = pathsOf(scenario);
  if (paths !== null)
    return paths.map(
      (path) => `--path ${/^[\w/.~%+:@=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`}`,
    );
  return [`--scenario ${scenario.id ?? 'scenario.json'}`];
}
