import { z } from 'zod';
import { problem } from '../../shared/problem.ts';
import { type RunDocument, runDocumentSchema, runSchemaVersion } from '../../shared/run.ts';
import { upgradePreflight, upgradeSides } from './upgrade-sides.ts';
import { isRecord, upgradeBlock, upgradeStepTimes } from './upgrade-slot.ts';

type Upgrade = (older: Record<string, unknown>) => Record<string, unknown>;

/** From each older schema version to the next one. Each has its golden file, `golden/run-v{version}.json`. */
const upgrades: Record<number, Upgrade> = { 1: addPhases, 2: addRevision, 3: nameSides };

const versionedSchema = z.looseObject({ schemaVersion: z.int().positive() });

/** A stored document of any version, as today's. Throws run_newer for one that a later version wrote. */
export function upgradeDocument(value: unknown): RunDocument {
  let document: Record<string, unknown> & { schemaVersion: number } = versionedSchema.parse(value);
  if (document.schemaVersion > runSchemaVersion) {
    throw problem(
      'run_newer',
      `The run is stored in schema ${document.schemaVersion}; this version reads up to ${runSchemaVersion}.`,
    );
  }
  for (let version = document.schemaVersion; version < runSchemaVersion; version++) {
    const upgrade = upgrades[version];
    if (upgrade === undefined) throw new Error(`no upgrade from schema ${version}`);
    document = { ...upgrade(document), schemaVersion: version + 1 };
  }
  return runDocumentSchema.parse(document);
}

/** Schema 2 tells the phases of requests and transactions. */
function addPhases(older: Record<string, unknown>): Record<string, unknown> {
  return {
    ...older,
    phases: null,
    blocks: list(older.blocks).map(upgradeBlock),
    steps: list(older.steps).map((step) =>
      isRecord(step)
        ? { ...step, http: upgradeStepTimes(step.http), https: upgradeStepTimes(step.https) }
        : step,
    ),
  };
}

/** Schema 3 tells which stored revision of a scenario a run used. */
function addRevision(older: Record<string, unknown>): Record<string, unknown> {
  return { ...older, revisionId: null };
}

/** Schema 4 calls the sides baseline and comparison, each with its transport, and tells the target as it was asked for. */
function nameSides(older: Record<string, unknown>): Record<string, unknown> {
  const { target, tls, fairness, distributions, phases, cache, preflight, metrics, steps } = older;
  return {
    ...older,
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
