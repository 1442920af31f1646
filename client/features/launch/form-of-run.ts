import { valueIn } from '../../../shared/base/option.ts';
import { pairOf } from '../../../shared/base/transport.ts';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import type { ShownRun } from '../../../shared/kinds/comparison/shown-run.ts';
import { pathsOf } from '../../../shared/scenario/path-scenario.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { fieldOf } from '../../format/option-field.ts';
import { comparisons, emptyForm, type LaunchForm, ownScenario } from './form-shape.ts';

/** The form as it asks for a run again. What was trusted was trusted for that run only, and secrets were not kept. */
export function formOfRun(document: ShownRun): LaunchForm {
  return {
    ...emptyForm,
    ...targetFields(document),
    ...scenarioFields(document),
    ...optionFields(document),
    comparison: comparisonOf(document),
  };
}

function targetFields({ target }: ShownRun): Partial<LaunchForm> {
  const targetKind = target.kind;
  if (target.kind === 'origins') {
    const { http = '', https = '', ca = '', twin = '', pid, agent, prometheus } = target;
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
  if (target.kind === 'managed') return { targetKind, server: target.server };
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

function optionFields({ asked, tlsProfile, target }: ShownRun): Partial<LaunchForm> {
  const request = { ...asked, tls: tlsProfile, target: target.kind === 'managed' ? target : {} };
  const values = comparisonOptions.map((placed) => [placed, valueIn(request, placed)] as const);
  return Object.fromEntries(
    values
      .filter(([{ part }, value]) => part !== 'target' || value !== undefined)
      .map(([{ id, option }, value]) => [id, fieldOf(option, value)]),
  );
}

function comparisonOf({ sides }: ShownRun): LaunchForm['comparison'] {
  const asked = pairOf(sides).join();
  const names = Object.keys(comparisons) as LaunchForm['comparison'][];
  return names.find((name) => comparisons[name].transports.join() === asked) ?? emptyForm.comparison;
}

function textOf(number: number | undefined): string {
  return number === undefined ? '' : String(number);
}
