/** Protects what earlier runs say of a machine: their intervals, on both engines, and of that machine only. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { comparison } from '../../kinds/comparison/kind.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { storeEnded } from '../../testing/store-ended.ts';
import { listHalfWidths } from './list-half-widths.ts';

// A kind of any request is a kind of every request to whoever only stores its documents.
const runs = comparison as unknown as AnyKind<never>;
const run = sampleRun();

describe.each(engines)('half-widths in %s', (engine) => {
  let opened: DatabaseInTest;
  beforeAll(async () => {
    opened = await openDatabaseInTest(engine);
    await storeEnded(opened.database, runs, run);
    const environment = JSON.stringify(run.environment);
    await opened.database.queries.updateTable('measurements').set({ environment }).execute();
  });
  afterAll(() => opened.close());

  test('are those of the documents of that machine', async () => {
    const ratio = run.metrics.find(({ id }) => id === 'cpu_at_load')?.ratio;
    if (ratio == null) throw new Error('the sample has no ratio');
    const found = await listHalfWidths(opened.database, 'cpu_at_load', run.environment);
    expect(found).toEqual([
      { preset: run.plan.preset, halfWidth: expect.closeTo((ratio.hi - ratio.lo) / 2 / ratio.center) },
    ]);
    const other = { ...run.environment, cores: run.environment.cores + 1 };
    expect(await listHalfWidths(opened.database, 'cpu_at_load', other)).toEqual([]);
  });
});
