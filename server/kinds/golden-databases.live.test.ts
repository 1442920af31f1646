/** Protects permalinks: every run and every measurement of the lab that an earlier version stored opens as of today. */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measurementDocumentSchema, measurementEventSchema } from '../../shared/kinds.ts';
import { labSchemaVersion } from '../../shared/lab-frame.ts';
import { type RunDocument, runSchemaVersion } from '../../shared/run.ts';
import { allKinds } from '../all-kinds.ts';
import { openHistory } from '../database/history/open-history.ts';
import { findByIdempotencyHash } from '../database/measurements.ts';
import { findRevision } from '../database/revisions.ts';
import { openBrake } from '../measurement/brake.ts';
import type { AnyKind } from '../measurement/kind.ts';
import { openMachineQueue } from '../measurement/machine-queue.ts';
import type { Measurements } from '../measurement/measurements.ts';
import { openMeasurements } from '../measurement/open-measurements.ts';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../testing/database-in-test.ts';
import { placeGoldenDatabase } from '../testing/golden-database.ts';
import { sampleSurroundings } from '../testing/sample-surroundings.ts';
import type { House } from './house.ts';

const idOf = (name: string) => name.padEnd(22, '0');

/** Goes on until it is cancelled. */
const standIn = (kind: AnyKind<House>, begin: () => void): AnyKind<House> => ({
  ...kind,
  async conduct(_task, { signal }) {
    begin();
    if (!signal.aborted) await once(signal, 'abort');
    throw signal.reason;
  },
});

const house: House = {
  ...{ dataDirectory: '', storefrontDatabaseUrl: null, chromiumPath: null },
  chooseScenario: () => Promise.reject(new Error('the scenario of a stored run is chosen already')),
};

describe.each(engines)('the golden database in %s', (engine) => {
  const faults: unknown[] = [];
  let opened: DatabaseInTest;
  let measurements: Measurements;
  beforeAll(async () => {
    opened = await openDatabaseInTest(engine, placeGoldenDatabase);
    const onFault = (error: unknown) => void faults.push(error);
    const begun = Promise.withResolvers<void>();
    measurements = await openMeasurements({
      ...{
        database: opened.database,
        queue: openMachineQueue(onFault),
        brake: openBrake(),
        noteLoad: async () => {},
        onFault,
        house,
      },
      kinds: allKinds.map((kind) => standIn(kind, begun.resolve)),
      environment: sampleSurroundings.environment,
      self: { name: 'one', labels: {}, version: '0.1.0', measures: true },
    });
    await begun.promise;
  });
  afterAll(async () => {
    await measurements.close();
    await opened.close();
    expect(faults).toEqual([]);
  });

  async function documentOf(name: string) {
    const { text, final } = await measurements.readDocument(idOf(name));
    return { final, document: measurementDocumentSchema.parse(JSON.parse(await text())) };
  }
  async function eventsOf(name: string) {
    const events = await measurements.events(idOf(name), 0);
    return events.map(({ text }) => measurementEventSchema.parse(JSON.parse(text)));
  }

  test('is listed, newest first, at the earlier addresses and by today’s kinds', async () => {
    const { summaries } = await measurements.list({ kinds: null, limit: 100 });
    expect(summaries.map(({ url, kind, state }) => [url, kind, state])).toEqual([
      [`/l/${idOf('QueuedBrowser')}`, 'journey', 'queued'],
      [`/l/${idOf('RunningGrid')}`, 'handshakes', 'interrupted'],
      [`/l/${idOf('FinishedSpeed')}`, 'primitives', 'finished'],
      [`/l/${idOf('FinishedGrid')}`, 'handshakes', 'finished'],
      [`/r/${idOf('QueuedRun')}`, 'comparison', 'running'],
      [`/r/${idOf('RunningRun')}`, 'comparison', 'interrupted'],
      [`/r/${idOf('FailedRun')}`, 'comparison', 'failed'],
      [`/r/${idOf('FinishedRun')}`, 'comparison', 'finished'],
    ]);
    expect(summaries.at(-1)).toMatchObject({
      ...{ title: 'Search on storefront', scenario: 'Search', target: 'storefront', preset: 'quick' },
      ...{ transports: ['http', 'https'], verdict: { metric: 'cpu_lone' } },
      ...{ createdAt: 1000, endedAt: 1200 },
    });
    const failed = await measurements.list({ kinds: ['comparison'], limit: 9, q: 'https://127.0.0.1:8443' });
    expect(failed.summaries).toMatchObject([
      { id: idOf('FailedRun'), problem: { code: 'target_unreachable' } },
    ]);
    const judged = await measurements.list({
      kinds: null,
      limit: 9,
      verdict: 'overhead',
      target: 'storefront',
    });
    expect(judged.summaries.map(({ id }) => id)).toContain(idOf('FinishedRun'));
    const found = await measurements.list({ kinds: null, limit: 9, q: 'TITLE of finishedg' });
    expect(found.summaries).toMatchObject([{ id: idOf('FinishedGrid'), title: 'Title of FinishedGrid' }]);
  });

  test('a finished run is as it was, with its sides named', async () => {
    const { document, final } = await documentOf('FinishedRun');
    expect(final).toBe(true);
    expect(document).toMatchObject({
      ...{ kind: 'comparison', schemaVersion: runSchemaVersion, state: 'finished' },
      target: { kind: 'storefront' },
      sides: { baseline: { transport: 'http' }, comparison: { transport: 'https' } },
      verdict: { metric: 'cpu_lone', outcome: 'overhead' },
    });
    expect(document).toHaveProperty('blocks.length', 4);
    expect(await eventsOf('FinishedRun')).toMatchObject([
      { type: 'state', state: 'running' },
      { type: 'progress', counts: [{ of: 'block', done: 1, planned: 4 }] },
      { type: 'block', medians: { cpu_lone: { baseline: 500, comparison: expect.any(Number) } } },
      { type: 'end', state: 'finished' },
    ]);
    for (const format of ['csv', 'md'] as const) {
      expect((await measurements.print(idOf('FinishedRun'), format)).content).toContain(document.id);
    }
  });

  test('runs of before are in the history in SQL, with the figures that their documents have', async () => {
    const { document } = await documentOf('FinishedRun');
    const { rows } = await openHistory(opened.place).ask({
      sql: 'select measurement_id, metric, ratio, verdict from v_metrics order by measurement_id',
      limit: 1000,
    });
    const cpu = (document as RunDocument).metrics.find(({ id }) => id === 'cpu_lone');
    expect(rows).toContainEqual([document.id, 'cpu_lone', cpu?.ratio?.center, cpu?.outcome]);
    expect(rows.map(([id]) => id)).toContain(idOf('RunningRun'));
  });

  test('a run that failed says why', async () => {
    const { document } = await documentOf('FailedRun');
    expect(document).toMatchObject({
      ...{ state: 'failed', verdict: null },
      problem: { code: 'target_unreachable' },
    });
  });

  test('measurements of the lab are as they were, by the names in use today', async () => {
    const grid = (await documentOf('FinishedGrid')).document;
    expect(grid).toMatchObject({ kind: 'handshakes', schemaVersion: labSchemaVersion, state: 'finished' });
    expect(await eventsOf('FinishedGrid')).toMatchObject([
      {
        type: 'progress',
        counts: [
          { of: 'round', done: 3 },
          { of: 'cell', done: 1, planned: 2 },
        ],
      },
      { type: 'cells', medians: [{ cell: 'a', cpuUs: 500 }] },
      { type: 'end', state: 'finished' },
    ]);
    const speed = (await documentOf('FinishedSpeed')).document;
    expect(speed).toMatchObject({ kind: 'primitives', request: { kind: 'primitives' }, state: 'finished' });
    expect(await eventsOf('FinishedSpeed')).toEqual([{ type: 'end', state: 'finished' }]);
  });

  test('what was running when that version stopped is interrupted, with what it had', async () => {
    const run = await documentOf('RunningRun');
    expect(run).toMatchObject({
      final: true,
      document: { state: 'interrupted', problem: { code: 'run_interrupted' }, startedAt: 3100 },
    });
    expect(run.document).toHaveProperty('blocks.length', 1);
    expect((await eventsOf('RunningRun')).at(-1)).toEqual({ type: 'end', state: 'interrupted' });
    const grid = await documentOf('RunningGrid');
    expect(grid).toMatchObject({
      final: true,
      document: { state: 'interrupted', problem: { code: 'run_interrupted' } },
    });
    expect((await eventsOf('RunningGrid')).at(-1)).toEqual({ type: 'end', state: 'interrupted' });
  });

  test('what was queued is queued again, in its order, and shows what is planned', async () => {
    expect(measurements.status().running).toBe(idOf('QueuedRun'));
    expect(await measurements.summary(idOf('QueuedBrowser'))).toMatchObject({ queuePosition: 1 });
    expect(await documentOf('QueuedRun')).toMatchObject({
      final: false,
      document: { state: 'running', blocks: [], plan: { seed: 7 } },
    });
    expect(await documentOf('QueuedBrowser')).toMatchObject({
      final: false,
      document: { state: 'queued', kind: 'journey', blocks: [], seed: 4, request: { blocks: 6 } },
    });
  });

  test('what was deleted is gone, and the revision that a run used is there', async () => {
    for (const name of ['DeletedRun', 'DeletedGrid']) {
      await expect(measurements.readDocument(idOf(name))).rejects.toMatchObject({
        problem: { code: 'run_deleted' },
      });
    }
    expect(await findRevision(opened.database, idOf('Revision'))).toMatchObject({ number: 1 });
  });

  test('idempotency keys are kept as hashes, and one that a run and a grid share stays with the run', async () => {
    const hash = (key: string) => createHash('sha256').update(key).digest('hex');
    expect((await findByIdempotencyHash(opened.database, hash('weak-key')))?.id).toBe(idOf('FinishedRun'));
    expect((await findByIdempotencyHash(opened.database, hash('another')))?.id).toBe(idOf('RunningRun'));
    const rows = await opened.database.queries
      .selectFrom('measurements')
      .select(['id', 'idempotencyHash'])
      .where('idempotencyHash', 'is not', null)
      .execute();
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/weak-key|another/);
  });
});
