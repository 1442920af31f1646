import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { isSame, valueIn } from '../../../shared/base/option.ts';
import { problem } from '../../../shared/base/problem.ts';
import { type BySide, schemeOf } from '../../../shared/base/transport.ts';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import type { ShownRun } from '../../../shared/kinds/comparison/run.ts';
import { resolveSides, type Side, type SidesRequest } from '../../../shared/kinds/comparison/run-request.ts';
import { pathsOf } from '../../../shared/scenario/scenario.ts';
import type { OriginsTarget, Target } from '../../../shared/target/target.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { scenarioQuery } from '../../api/queries.ts';
import { measurementQuery } from '../../api/result-queries.ts';
import { Waiting } from '../../components/action-button.tsx';
import { fieldOf } from '../../format/option-field.ts';
import { emptyForm, type LaunchForm, ownFieldOf, ownScenario, sideRows } from './form-shape.ts';
import { targetOfSite } from './pasted-address.ts';
import { type Brought, keepDraft, readDraft } from './use-launch.ts';

/** Fills the form from the address and then clears the address, so that later edits survive a reload. */
export default function Intake({ scenario, again }: Brought) {
  const navigate = useNavigate();
  const run = useQuery({
    ...measurementQuery(again ?? ''),
    enabled: again !== null,
    throwOnError: true,
  }).data;
  if (run !== undefined && run.kind !== 'comparison') {
    throw problem('run_not_found', 'That link is not of a comparison.');
  }
  const chosen = useQuery({
    ...scenarioQuery(scenario ?? ''),
    enabled: scenario !== null,
    throwOnError: true,
  }).data;
  const earlier = run === undefined ? null : formOfRun(run);
  const form: LaunchForm | null = again === null ? readDraft() : earlier;
  const isKnown = scenario === null || chosen !== undefined;
  const filled = isKnown && form !== null ? { ...form, ...targetOfSite(chosen?.site ?? null, form) } : null;
  useEffect(() => {
    if (filled === null) return;
    keepDraft({ ...filled, ...(scenario === null ? {} : { scenario }) });
    void navigate('/', { replace: true });
  });
  return <Waiting>Filling the form</Waiting>;
}

/** The form as it asks for a run again. Secrets were not kept. */
export function formOfRun(document: ShownRun): LaunchForm {
  const { asked, tlsProfile: tls, target } = document;
  const sides = resolveSides({ sides: asked.sides, tls, target });
  return {
    ...emptyForm,
    lengthChosen: true,
    ...scenarioFields(document, sides.baseline.target),
    ...optionFields(document),
    ...sideFields(sides, asked.sides),
  };
}

function scenarioFields({ scenario, revisionId, asked }: ShownRun, target: Target): Partial<LaunchForm> {
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

/** The target and the two columns of the form that repeats a run. Common values of both sides are in the left one. */
export function sideFields(sides: BySide<Side>, asked: SidesRequest): Partial<LaunchForm> {
  const { baseline, comparison } = sides;
  const rows = sideRows.flatMap(({ option, shared, ids }) => {
    const [left, right] = [valueIn(baseline, shared), valueIn(comparison, shared)];
    if (left === undefined) return [];
    return [
      [ids.baseline, fieldOf(option, left)],
      [ids.comparison, isSame(left, right) ? '' : ownFieldOf(option, right)],
    ];
  });
  return {
    ...Object.fromEntries(rows),
    'sides.baseline.transport': baseline.transport,
    'sides.comparison.transport': comparison.transport,
    'sides.baseline.name': asked.baseline.name ?? '',
    'sides.comparison.name': asked.comparison.name ?? '',
    ...targetFields(baseline.target),
    ...otherTarget(sides),
  };
}

function targetFields(target: Target): Partial<LaunchForm> {
  const targetKind = target.kind;
  if (target.kind === 'managed') return { targetKind, server: target.server };
  if (target.kind === 'storefront') return { targetKind };
  const { http = '', https = '', ca = '', trust = '', twin = '', pid, agent, prometheus } = target;
  const ofAgent = agent === undefined ? {} : { agent: agent.address, agentKey: agent.fingerprint };
  const ofExporter =
    prometheus === undefined
      ? {}
      : {
          prometheus: prometheus.url,
          prometheusCpu: prometheus.cpu,
          prometheusMemory: prometheus.memory,
        };
  return { targetKind, http, https, ca, trust, twin, pid: textOf(pid), ...ofAgent, ...ofExporter };
}

/** Target fields of the comparison that differ from the baseline's. */
function otherTarget(sides: BySide<Side>): Partial<LaunchForm> {
  const [one, other] = [sides.baseline.target, sides.comparison.target];
  if (one.kind === 'managed' && other.kind === 'managed') {
    return { 'sides.comparison.target.server': one.server === other.server ? '' : other.server };
  }
  if (one.kind !== 'origins' || other.kind !== 'origins') return {};
  return { ...otherOrigin(sides, one, other), ...otherPid(one, other) };
}

function otherOrigin(
  { baseline, comparison }: BySide<Side>,
  one: OriginsTarget,
  other: OriginsTarget,
): Partial<LaunchForm> {
  const scheme = schemeOf(comparison.transport);
  const origin = other[scheme] ?? '';
  if (schemeOf(baseline.transport) !== scheme) {
    const encrypted = scheme === 'https' ? other : one;
    return { [scheme]: origin, ca: encrypted.ca ?? '', trust: encrypted.trust ?? '' };
  }
  if (origin === one[scheme]) return {};
  return {
    'sides.comparison.target.origin': origin,
    'sides.comparison.target.ca': other.ca === one.ca ? '' : (other.ca ?? ''),
    'sides.comparison.target.trust': other.trust === one.trust ? '' : (other.trust ?? ''),
  };
}

/** The left field would hold for both sides, where the right one has none. */
function otherPid({ pid: one }: OriginsTarget, { pid: other }: OriginsTarget): Partial<LaunchForm> {
  if (one === other) return {};
  if (other === undefined) return { pid: '' };
  return { 'sides.comparison.target.pid': String(other) };
}

function textOf(number: number | number[] | undefined): string {
  return number === undefined ? '' : [number].flat().join(', ');
}
