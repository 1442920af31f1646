import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { allKinds } from '../server/edge/start/all-kinds.ts';
import { explainRequestOf } from '../server/kinds/comparison/run-explanation.ts';
import type { AnyKind } from '../server/kinds/kind.ts';
import { openDatabase } from '../server/life/database/open-database.ts';
import { sampleRun } from '../server/testing/sample-run.ts';
import { storeEnded } from '../server/testing/store-ended.ts';
import { storeFinishedRun } from '../server/testing/store-finished-run.ts';
import { describeProblem } from '../shared/base/problem.ts';
import type { Estimate } from '../shared/base/units.ts';
import type { RunDocument } from '../shared/kinds/comparison/run.ts';
import { visitsDocumentSchema } from '../shared/kinds/visits/visits.ts';
import type { KindName } from '../shared/measurement/kind-names.ts';
import { type MeasurementDocument, measurementDocumentSchema } from '../shared/results/kinds.ts';

type Change = Partial<Omit<RunDocument, 'schemaVersion'>> & { schemaVersion?: number };

/**
 * Puts a finished run that has every figure into a data directory that no server uses; its id. A run measured on a noisy
 * machine may be refused, and then lacks the very charts that a test wants to look at. Its delete token is `token`.
 */
export async function storeRun(directory: string, change: Change = {}): Promise<string> {
  const id = randomBytes(11).toString('hex');
  const database = await openDatabase({ directory, url: null });
  await storeFinishedRun(database, { ...sampleRun(), ...change, id } as ReturnType<typeof sampleRun>);
  await database.close();
  return id;
}

/** Variants of the sample run: pooled with two others while one is left out, unclear, and failed. */
export const variants = {
  pooled: ({ metrics, id }: RunDocument): Change => {
    const [ratio, outcome] = [ratioOf(metrics), 'overhead' as const];
    const runs = ['a'.repeat(22), 'b'.repeat(22), id];
    return {
      pool: {
        metrics: ratio === null ? {} : { cpu_at_load: { ratio, outcome, runs, between: 0.01 } },
        leftOut: [{ id: 'c'.repeat(22), reason: 'its baseline was 32 % more expensive' }],
      },
    };
  },
  unclear: ({ metrics, plan }: RunDocument): Change => ({
    plan: { ...plan, length: 'first' },
    metrics: metrics.map((row) =>
      row.id !== 'cpu_at_load' || row.ratio === null || row.delta === null
        ? row
        : { ...row, ratio: widened(row.ratio, 1), delta: widened(row.delta, 0), outcome: 'inconclusive' },
    ),
    verdict: { metric: 'cpu_at_load', outcome: 'inconclusive' },
  }),
  failed: (): Change => ({
    ...{ state: 'failed', verdict: null },
    problem: describeProblem('target_died', { detail: 'The server of the HTTPS side ended.' }),
  }),
};

function ratioOf(metrics: RunDocument['metrics']): Estimate | null {
  return metrics.find(({ id }) => id === 'cpu_at_load')?.ratio ?? null;
}

/** Wide enough to hold a value, twice as far away as the center. */
function widened({ center }: Estimate, value: number): Estimate {
  const reach = 2 * (center - value);
  return { center, lo: center - reach, hi: center + reach };
}

const others = ['sizes', 'servers', 'handshakes', 'speed', 'visits', 'distance', 'mesh', 'prices'] as const;

/** Puts the same run, its explanation, and the golden result of every other kind into a data directory; the paths of their pages. */
export async function storeResults(directory: string): Promise<Record<KindName, string>> {
  const run = sampleRun();
  const explanation = { ...golden('explain'), request: explainRequestOf(run) };
  const documents = [explanation, ...others.map(golden)] as MeasurementDocument[];
  await storeDocuments(directory, documents);
  const database = await openDatabase({ directory, url: null });
  await storeFinishedRun(database, run);
  await database.close();
  const paths = documents.map(({ kind, id }) => [kind, `/${kindOf(kind).page}/${id}`]);
  return { ...Object.fromEntries(paths), comparison: `/r/${run.id}` };
}

/** Puts results of any kind but runs into a data directory. */
export async function storeDocuments(
  directory: string,
  documents: readonly MeasurementDocument[],
): Promise<void> {
  const database = await openDatabase({ directory, url: null });
  for (const document of documents) {
    // A kind of any request is a kind of every request to whoever only stores its documents.
    await storeEnded(database, kindOf(document.kind) as unknown as AnyKind<never>, document);
  }
  await database.close();
}

function kindOf(name: KindName) {
  const kind = allKinds.find((each) => each.name === name);
  if (kind === undefined) throw new Error(`${name} is no kind.`);
  return kind;
}

export function golden(kind: Exclude<KindName, 'comparison'>): MeasurementDocument {
  const file = new URL(`../server/life/database/golden/${kind}-v1.json`, import.meta.url);
  const document = JSON.parse(readFileSync(file, 'utf8'));
  return kind === 'visits' ? withSecondPage(document) : measurementDocumentSchema.parse(document);
}

/** A journey that goes on is drawn as well. */
function withSecondPage(json: unknown): MeasurementDocument {
  const document = visitsDocumentSchema.parse(json);
  const goOn = <Each extends { path: string }>(pages: Each[]) =>
    pages.push(...pages.map((page) => ({ ...page, path: '/search' })));
  for (const { cold, warm } of Object.values(document.waterfalls ?? {})) {
    goOn(cold);
    goOn(warm);
  }
  for (const film of Object.values(document.film ?? {})) goOn(film);
  return document;
}
