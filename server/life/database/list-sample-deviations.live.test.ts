/** Protects what earlier runs say of a machine: how its samples scatter, on both engines, and of that machine only. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { comparison } from '../../kinds/comparison/kind.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { storeEnded } from '../../testing/store-ended.ts';
import { listSampleDeviations } from './figures.ts';

// A kind of any request is a kind of every request to whoever only stores its documents.
const runs = comparison as unknown as AnyKind<never>;
const run = sampleRun();

describe.each(engines)('deviations of samples in %s', (engine) => {
  let opened: DatabaseInTest;
  beforeAll(async () => {
    opened = await openDatabaseInTest(engine);
    await storeEnded(opened.database, runs, run);
    const environment = JSON.stringify(run.environment);
    await opened.database.queries.updateTable('measurements').set({ environment }).execute();
  });
  afterAll(() => opened.close());

  test('are those of the documents of that machine', async () => {
    const { precision, pairs = [] } = run.metrics.find(({ id }) => id === 'cpu_at_load') ?? {};
    const samples = pairs.filter(({ aside }) => aside !== true).length;
    const found = await listSampleDeviations(opened.database, 'cpu_at_load', run.environment);
    expect(found).toEqual([
      {
        target: run.target.kind,
        deviation: expect.closeTo((precision?.withinError ?? 0) * Math.sqrt(samples)),
      },
    ]);
    expect(found[0]?.deviation).toBeGreaterThan(0);
    const other = { ...run.environment, cores: run.environment.cores + 1 };
    expect(await listSampleDeviations(opened.database, 'cpu_at_load', other)).toEqual([]);
  });
});
