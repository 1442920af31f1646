import { pairOf } from '../../../shared/base/transport.ts';
import { linkWord } from '../../../shared/kinds/comparison/link-text.ts';
import type { ShownRun } from '../../../shared/kinds/comparison/shown-run.ts';
import { pathsOf } from '../../../shared/scenario/path-scenario.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { comparisons, emptyForm, type LaunchForm, ownScenario } from './form-shape.ts';
import { serverFieldsOf } from './managed-server.ts';

/** The form as it asks for a run again. What was trusted was trusted for that run only, and secrets were not kept. */
export function formOfRun(document: ShownRun): LaunchForm {
  return {
    ...emptyForm,
    ...targetFields(document),
    ...scenarioFields(document),
    ...tlsFields(document),
    ...loadFields(document),
    comparison: comparisonOf(document),
  };
}

function targetFields({ target }: ShownRun): Partial<LaunchForm> {
  const targetKind = target.kind;
  if (target.kind === 'origins') {
    const { http, https, ca = '', twin = '', pid, agent, prometheus } = target;
    const ofAgent = agent === undefined ? {} : { agent: agent.address, agentKey: agent.fingerprint };
    const ofExporter =
      prometheus === undefined
        ? {}
        : {
            prometheus: prometheus.url,
            prometheusCpu: prometheus.cpu,
            prometheusMemory: prometheus.memory,
          };
    return { targetKind, http, https, ca, twin, pid: textOf(pid), ...ofAgent, ...ofExporter };
  }
  if (target.kind === 'managed') {
    return { targetKind, ...serverFieldsOf(target) };
  }
  return { targetKind };
}

function scenarioFields({ scenario, revisionId, target, asked }: ShownRun): Partial<LaunchForm> {
  const usual = factsOf(target).scenario;
  const stored = asked.scenario ?? revisionId;
  if (typeof usual === 'string' && scenario.id === usual) return {};
  if (stored !== null) return { scenario: stored };
  const paths = target.kind === 'origins' ? pathsOf(scenario) : null;
  if (paths !== null) return { path: paths.join(' ') };
  if (JSON.stringify(usual) === JSON.stringify(scenario)) return {};
  return { scenario: ownScenario, ownScenario: JSON.stringify(scenario) };
}

function tlsFields({ tlsProfile }: ShownRun): Partial<LaunchForm> {
  const { version, cipher, group, verify, resumption, resumedShare } = tlsProfile;
  return {
    ...{ version: version ?? 'best', verify, resumption, cipher: cipher ?? '', group: group ?? '' },
    returning: percentOf(resumedShare),
  };
}

function loadFields({ asked, plan }: ShownRun): Partial<LaunchForm> {
  const { preset, connectionPolicy } = plan;
  const connections = {
    ...{ preset, connectionPolicy, connections: textOf(plan.connections) },
    requestsPerConnection: textOf(plan.requestsPerConnection),
  };
  return {
    ...connections,
    launches: textOf(asked.launches),
    pairUsers: textOf(asked.pairUsers),
    windowMs: textOf(asked.windowMs),
    tolerance: percentOf(asked.tolerance),
    rate: textOf(asked.ratePerS),
    ramp: textOf(asked.rampMs),
    thinkTime: textOf(asked.thinkTimeScale),
    generators: textOf(asked.generators),
    link: asked.link === undefined ? '' : linkWord(asked.link),
  };
}

function comparisonOf({ sides }: ShownRun): LaunchForm['comparison'] {
  const asked = pairOf(sides).join();
  const names = Object.keys(comparisons) as LaunchForm['comparison'][];
  return names.find((name) => comparisons[name].transports.join() === asked) ?? emptyForm.comparison;
}

function textOf(number: number | null | undefined): string {
  return number === null || number === undefined ? '' : String(number);
}

/** Free of what arithmetic adds, such as 7.000000000000001. */
function percentOf(share: number): string {
  return String(Number((share * 100).toPrecision(6)));
}
