import { flagsOf, quoted } from '../../../../shared/base/option-flag.ts';
import { type BySide, sideNames, type Transport } from '../../../../shared/base/transport.ts';
import { otherOptions, planOptions, sideOptions } from '../../../../shared/kinds/comparison/options.ts';
import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
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
  const { target } = request;
  const planned = { ...request, length: plan.length, seed: plan.seed };
  const words = ['npx tls-toll compare', ...flagsOf(planOptions, planned)];
  const { options, processOptions } = factsOf(target);
  words.push(...options, ...processOptions);
  words.push(...ofSides(request));
  if (request.scenario !== null) words.push(...scenarioOptions(scenario));
  for (const name of secretsOf(scenario)) words.push(`--secret ${name}=${name.toUpperCase()}`);
  return [...words, ...flagsOf(shapeOptions, request)].join(' ');
}

/** What each side has of its own. */
function ofSides({ sides }: RunRequest): string[] {
  const own = sideNames.flatMap((side) => {
    const { name, transport, target = {} } = sides[side];
    const spoken = transport === usual[side] ? [] : [`--${side} ${transport}`];
    return [
      ...(target.origin === undefined ? spoken : [`--${side} ${target.origin}`]),
      ...(name === undefined ? [] : [`--${side}-name '${name.replaceAll("'", "'\\''")}'`]),
      ...(target.server === undefined ? [] : [`--${side}-server ${target.server}`]),
      ...(target.ca === undefined ? [] : [`--${side}-ca ca.pem`]),
      ...(target.clientCertificate === undefined
        ? []
        : [`--${side}-client-cert client.pem --${side}-client-key client.key`]),
      ...(target.pid === undefined ? [] : [`--${side}-pid ${target.pid}`]),
    ];
  });
  const isNull = own.join(' ') === '--comparison http';
  return [...(isNull ? ['--null'] : own), ...flagsOf(sideOptions, { sides })];
}

const usual: BySide<Transport> = { baseline: 'http', comparison: 'https' };

/** Those of a server are among what is known of the target. */
const shapeOptions = otherOptions.filter(({ part }) => part !== 'target');

function scenarioOptions(scenario: Scenario): string[] {
  const paths = pathsOf(scenario);
  if (paths !== null) return paths.map((path) => `--path ${quoted(path)}`);
  return [`--scenario ${scenario.id ?? 'scenario.json'}`];
}
