import { z } from 'zod';
import { type LabDocument, labDocumentSchema } from '../../shared/lab-document.ts';
import { labSchemaVersion } from '../../shared/lab-frame.ts';
import { problem } from '../../shared/problem.ts';
import { upgradeSides } from './upgrade-sides.ts';
import { isRecord } from './upgrade-slot.ts';

type Upgrade = (older: Record<string, unknown>) => Record<string, unknown>;

/** From each older schema version to the next one. Each has its golden files, `golden/lab-{kind}-v{version}.json`. */
const upgrades: Record<number, Upgrade> = { 1: addIntervalsOfEnds, 2: nameSides };

const versionedSchema = z.looseObject({ schemaVersion: z.int().positive() });

/** A stored document of the lab, of any version, as today's. Throws run_newer for one that a later version wrote. */
export function upgradeLabDocument(value: unknown): LabDocument {
  let document: Record<string, unknown> & { schemaVersion: number } = versionedSchema.parse(value);
  const { schemaVersion } = document;
  if (schemaVersion > labSchemaVersion) {
    throw problem(
      'run_newer',
      `The measurement is stored in schema ${schemaVersion}; this version reads up to ${labSchemaVersion}.`,
    );
  }
  for (let version = schemaVersion; version < labSchemaVersion; version++) {
    const upgrade = upgrades[version];
    if (upgrade === undefined) throw new Error(`no upgrade from schema ${version}`);
    document = { ...upgrade(document), schemaVersion: version + 1 };
  }
  return labDocumentSchema.parse(document);
}

/** Schema 2 tells how well each end's CPU time is known, where they were measured apart. */
function addIntervalsOfEnds(older: Record<string, unknown>): Record<string, unknown> {
  if (older.kind !== 'handshakes') return older;
  const list = (value: unknown) => (Array.isArray(value) ? value.map(withIntervals) : value);
  return {
    ...older,
    cells: list(older.cells),
    baseline: withIntervals(older.baseline),
    plain: list(older.plain),
  };
}

function withIntervals(figure: unknown): unknown {
  if (!isRecord(figure) || !isRecord(figure.ends)) return figure;
  const { connections, clientCpuUs, serverCpuUs } = figure.ends;
  const exactly = (us: unknown) => ({ center: us, lo: us, hi: us });
  return {
    ...figure,
    ends: { connections, clientCpuUs: exactly(clientCpuUs), serverCpuUs: exactly(serverCpuUs) },
  };
}

/** Schema 3 calls the sides of a browser run baseline and comparison, and tells what each was; they were HTTP and HTTPS. */
function nameSides(older: Record<string, unknown>): Record<string, unknown> {
  if (older.kind !== 'browser') return older;
  return {
    ...older,
    sides: { baseline: { transport: 'http' }, comparison: { transport: 'https' } },
    rows: Array.isArray(older.rows) ? older.rows.map(upgradeSides) : older.rows,
  };
}
