/** Protects stored batches on both engines: all of one or nothing, once for a key, and its deleted sites. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { newInTest } from '../../testing/insert-in-test.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { storeFinishedRun } from '../../testing/store-finished-run.ts';
import { findBatch, findBatchOf, insertBatch, listSites, type NewSite } from './batches.ts';
import { binMeasurement } from './bin.ts';
import { listFigures } from './figures.ts';
import { buryMeasurement, claimMeasurement, findMeasurement, isBuried, storeStart } from './measurements.ts';
import type { Database } from './open-database.ts';

const batchOf = (name: string) => ({
  ...{ id: name.padEnd(22, '0'), kind: 'dummy', createdAt: 5 },
  ...{ requestHash: 'request', idempotencyHash: `key of ${name}` },
});

const siteOf = (site: string, enroll: NewSite['enroll'] = async () => {}): NewSite => {
  return { measurement: newInTest(), labels: { site }, enroll };
};

describe.each(engines)('in %s', (engine) => {
  let opened: DatabaseInTest;
  let database: Database;
  beforeAll(async () => {
    opened = await openDatabaseInTest(engine);
    ({ database } = opened);
  });
  afterAll(() => opened.close());

  test('sites keep their order and say who measures them, and the same key stores nothing more', async () => {
    const batch = batchOf('Ordered');
    const [fra, iad] = [siteOf('fra'), siteOf('iad')];
    expect(await insertBatch(database, batch, [iad, fra])).toBe(true);
    const { environment } = sampleRun({ launches: 2, epochs: 1 });
    const claim = await claimMeasurement(database, fra.measurement.id);
    if (claim === null) throw new Error('it is not there');
    const runner = { name: 'fra-1', labels: { site: 'fra' } };
    await storeStart(database, claim, { startedAt: 6, environment: { ...environment, runner } });
    expect(await listSites(database, batch.id)).toEqual([
      { id: iad.measurement.id, labels: { site: 'iad' }, deleted: null, runner: null },
      { id: fra.measurement.id, labels: { site: 'fra' }, deleted: null, runner: 'fra-1' },
    ]);
    expect(await findBatchOf(database, fra.measurement.id)).toBe(batch.id);

    const again = siteOf('lhr');
    expect(await insertBatch(database, { ...batch, id: 'Again'.padEnd(22, '0') }, [again])).toBe(false);
    expect(await findMeasurement(database, again.measurement.id)).toBeNull();
    expect(await findBatch(database, batch.idempotencyHash, 'idempotencyHash')).toMatchObject({
      ...{ id: batch.id, requestHash: 'request', createdAt: 5 },
    });
  });

  test('nothing stays when one site cannot be queued', async () => {
    const refuse = async () => {
      throw new Error('no ticket');
    };
    const sites = [siteOf('fra'), siteOf('iad', refuse)];
    const batch = batchOf('Refused');
    await expect(insertBatch(database, batch, sites)).rejects.toThrow('no ticket');
    expect(await findBatch(database, batch.id)).toBeNull();
    for (const { measurement } of sites) {
      expect(await findMeasurement(database, measurement.id)).toBeNull();
    }
  });

  test('a deleted measurement leaves the others, and the last one takes the batch along', async () => {
    const batch = batchOf('Deleted');
    const sites = [siteOf('fra'), siteOf('iad')];
    await insertBatch(database, batch, sites);
    const [fra, iad] = sites.map(({ measurement: { id } }) => ({ id, fence: 0 }));
    if (fra === undefined || iad === undefined) throw new Error('there are two');
    const deleted = async () => (await listSites(database, batch.id)).map((site) => site.deleted);
    await buryMeasurement(database, fra.id, 7);
    expect(await deleted()).toEqual(['removed', null]);
    await binMeasurement(database, iad, 8);
    expect(await deleted()).toEqual(['removed', 'binned']);
    await buryMeasurement(database, iad.id, 9);
    expect(await findBatch(database, batch.id)).toBeNull();
    expect(await listSites(database, batch.id)).toEqual([]);
    expect(await isBuried(database, batch.id)).toBe(true);
  });

  test('figures of a run are those of its document', async () => {
    const run = { ...sampleRun({ launches: 2, epochs: 1 }), id: 'Figures'.padEnd(22, '0') };
    await storeFinishedRun(database, run);
    const figures = await listFigures(database, [run.id]);
    expect(figures.get(run.id)).toEqual(
      run.metrics.map(({ id, unit, outcome, baseline, comparison, delta, ratio }) => ({
        ...{ id, unit, outcome, baseline, comparison, delta, ratio },
      })),
    );
  });
});
