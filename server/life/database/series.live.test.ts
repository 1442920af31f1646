/** Protects the runs of a series in both databases: only finished runs of its question, in order, and its pin. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { questionId } from '../../kinds/comparison/kind.ts';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { storeFinishedRun } from '../../testing/store-finished-run.ts';
import { binMeasurement, unbinMeasurement } from './bin.ts';
import { listPinned, listSeriesRows, pinBaseline, unpinBaseline } from './figures.ts';
import { buryMeasurement } from './measurements.ts';

const sample = sampleRun({ launches: 2, epochs: 1 });
const { asked, target, scenario } = sample;
const question = questionId({ ...asked, target }, scenario);
const idOf = (place: number) => `${place}`.padEnd(22, 's');
const run = (place: number, change: Partial<RunDocument> = {}): RunDocument => ({
  ...{ ...sample, id: idOf(place), createdAt: sample.createdAt + 1000 * place },
  ...change,
});

describe.each(engines)('a series in %s', (engine) => {
  let opened: DatabaseInTest;
  beforeAll(async () => {
    opened = await openDatabaseInTest(engine);
    const refused = sample.metrics.map((row) => ({ ...row, outcome: 'refused' as const }));
    for (const each of [
      run(3),
      run(1),
      run(2, { state: 'interrupted' }),
      run(4, { scenario: { ...sample.scenario, steps: sample.scenario.steps.slice(0, 1) } }),
      run(5, { plan: { ...sample.plan, length: 'first' }, asked: { ...asked, length: 'first' } }),
      run(8, { asked: { ...asked, users: 9 } }),
      run(6, { metrics: refused }),
      run(7),
    ]) {
      await storeFinishedRun(opened.database, each);
    }
  });
  afterAll(() => opened.close());

  test('holds the finished runs that have the metric, oldest first, as they were asked for', async () => {
    const rows = await listSeriesRows(opened.database, question, 'cpu_at_load');
    expect(rows.map(({ id }) => id)).toEqual([1, 3, 5, 7].map(idOf));
    const cpu = sample.metrics.find(({ id }) => id === 'cpu_at_load');
    expect(rows[0]).toMatchObject({
      ...{ createdAt: sample.createdAt + 1000, ratio: cpu?.ratio, outcome: cpu?.outcome },
      first: cpu?.baseline?.center,
      ...{ request: { length: asked.length }, facts: { scenario: { name: 'Search' } } },
    });
  });

  test('leaves out a run in the bin, whose pin is still known', async () => {
    await pinBaseline(opened.database, idOf(3), 1000, []);
    await binMeasurement(opened.database, { id: idOf(3), fence: 1 }, 1000);
    const rows = await listSeriesRows(opened.database, question, 'cpu_at_load');
    expect(rows.map(({ id }) => id)).toEqual([1, 5, 7].map(idOf));
    expect(await listPinned(opened.database, 'storefront')).toMatchObject([{ id: idOf(3), isBinned: true }]);
    expect(await listPinned(opened.database, 'nginx')).toEqual([]);
    await unbinMeasurement(opened.database, idOf(3));
    expect(await listPinned(opened.database, 'storefront')).toMatchObject([{ id: idOf(3), isBinned: false }]);
    await unpinBaseline(opened.database, idOf(3));
  });

  test('has one pin at a time, which is removed with its run', async () => {
    const pinned = async () => (await listPinned(opened.database, 'storefront')).map(({ id }) => id);
    expect(await pinned()).toEqual([]);
    await pinBaseline(opened.database, idOf(1), 1000, []);
    await pinBaseline(opened.database, idOf(1), 1500, await pinned());
    expect(await pinned()).toEqual([idOf(1)]);
    await pinBaseline(opened.database, idOf(3), 2000, await pinned());
    expect(await pinned()).toEqual([idOf(3)]);
    await unpinBaseline(opened.database, idOf(3));
    await unpinBaseline(opened.database, idOf(3));
    expect(await pinned()).toEqual([]);
    await pinBaseline(opened.database, idOf(7), 3000, []);
    await buryMeasurement(opened.database, idOf(7), 4000);
    expect(await pinned()).toEqual([]);
  });
});
