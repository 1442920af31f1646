import type { Upgrade } from '../../../measurement/kind.ts';
import { isRecord } from '../../../text/is-record.ts';
import { upgradePreflight, upgradeSides } from '../../upgrade-sides.ts';
import { costNameOf, dropSettled, nameCostsOfBlock, nameCostsOfRow, nameKeys } from './name-costs.ts';
import { upgradeBlocks } from './upgrade-block.ts';
import { upgradePlan } from './upgrade-plan.ts';
import { upgradeSlot, upgradeStepTimes } from './upgrade-slot.ts';

/** From each earlier schema version of a run to the next one. */
export const runUpgraders: Record<number, Upgrade> = {
  1: addPhases,
  2: addRevision,
  3: nameSides,
  4: addLaunches,
  5: addServer,
  6: addAsked,
  7: addPlacement,
  // Schema 9 has headers with several values. Before, each had one.
  8: (older) => older,
  9: nameCosts,
};

/** Schema 2 tells the phases of requests and transactions. */
function addPhases(older: Record<string, unknown>): Record<string, unknown> {
  return {
    ...older,
    phases: null,
    blocks: list(older.blocks).map(addPhasesOfSlots),
    steps: list(older.steps).map((step) =>
      isRecord(step)
        ? { ...step, http: upgradeStepTimes(step.http), https: upgradeStepTimes(step.https) }
        : step,
    ),
  };
}

function addPhasesOfSlots(block: unknown): unknown {
  return isRecord(block) ? { ...block, slots: list(block.slots).map(upgradeSlot) } : block;
}

/** Schema 3 tells which stored revision of a scenario a run used. */
function addRevision(older: Record<string, unknown>): Record<string, unknown> {
  return { ...older, revisionId: null };
}

/** Schema 4 names its kind, calls the sides baseline and comparison, each with its transport, and tells the target as it was asked for. */
function nameSides(older: Record<string, unknown>): Record<string, unknown> {
  const { target, tls, fairness, distributions, phases, cache, preflight, metrics, steps } = older;
  return {
    ...older,
    kind: 'comparison',
    ...targetAndSides(target),
    tls: isRecord(tls) ? { ...tls, connections: upgradeSides(tls.connections) } : tls,
    fairness: upgradeSides(fairness),
    distributions: upgradeSides(distributions),
    phases: upgradeSides(phases),
    cache: upgradeSides(cache),
    preflight: upgradePreflight(preflight),
    metrics: list(metrics).map(upgradeSides),
    steps: list(steps).map(upgradeSides),
  };
}

/**
 * Schema 5 is measured in lockstep, over launches. A run of the first method has one launch, of which nothing is known, and
 * no windows: its figures stay as they are.
 */
function addLaunches(older: Record<string, unknown>): Record<string, unknown> {
  const { fairness } = older;
  return {
    ...older,
    plan: upgradePlan(older.plan),
    launches: [],
    blocks: upgradeBlocks(list(older.blocks)),
    metrics: list(older.metrics).map((row) =>
      isRecord(row) ? { ...row, ratioOfAll: null, launches: [] } : row,
    ),
    fairness: isRecord(fairness)
      ? { baseline: addLockstep(fairness.baseline), comparison: addLockstep(fairness.comparison) }
      : fairness,
  };
}

/** Schema 6 tells which server of this machine was started, and how it was configured. */
function addServer(older: Record<string, unknown>): Record<string, unknown> {
  return { ...older, server: null };
}

/** Schema 7 tells what was asked; its target may name a twin and a certificate to trust. */
function addAsked(older: Record<string, unknown>): Record<string, unknown> {
  return { ...older, asked: null };
}

/** Schema 8 tells which cores generator and target were pinned to. */
function addPlacement(older: Record<string, unknown>): Record<string, unknown> {
  return { ...older, placement: null };
}

/** Schema 10 reads cost at load and names it so, and calls the twin a twin; what was measured, and the verdict, stay. */
function nameCosts(older: Record<string, unknown>): Record<string, unknown> {
  const { verdict, noiseFloor, metrics, blocks, launches } = older;
  return {
    ...older,
    verdict: isRecord(verdict) ? { ...verdict, metric: costNameOf(verdict.metric) } : verdict,
    noiseFloor: nameKeys(noiseFloor),
    metrics: list(metrics).map(nameCostsOfRow),
    blocks: list(blocks).map(nameCostsOfBlock),
    launches: list(launches).map(dropSettled),
  };
}

function addLockstep(side: unknown): unknown {
  if (!isRecord(side)) return side;
  const at = (percent: unknown) => (isRecord(percent) ? { ...percent, lockstep: null } : percent);
  return {
    ...side,
    generatorCpuPercent: at(side.generatorCpuPercent),
    targetCpuPercent: at(side.targetCpuPercent),
  };
}

function targetAndSides(target: unknown): Record<string, unknown> {
  if (!isRecord(target)) return { target };
  const { kind, http, https, transports, request } = target;
  const [baseline, comparison] = list(transports);
  return {
    target: kind === 'storefront' ? { kind } : { ...(isRecord(request) ? request : {}), kind: 'origins' },
    sides: {
      baseline: { transport: baseline, origin: http },
      comparison: { transport: comparison, origin: https },
    },
  };
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
