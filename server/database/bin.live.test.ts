/** Protects the bin on both engines: what is in it is whole, in its order, and leaves it when its time is up. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../testing/database-in-test.ts';
import { insertInTest } from '../testing/insert-in-test.ts';
import { binMeasurement, findBinned, listBinned, listBinnedUntil, unbinMeasurement } from './bin.ts';
import { buryMeasurement, findMeasurement, isBuried } from './measurements.ts';
import type { Database } from './open-database.ts';

describe.each(engines)('the bin in %s', (engine) => {
  let opened: DatabaseInTest;
  let database: Database;
  beforeAll(async () => {
    opened = await openDatabaseInTest(engine);
    database = opened.database;
  });
  afterAll(() => opened.close());

  const deleted = async (deletedAt: number) => {
    const { id } = await insertInTest(database);
    await binMeasurement(database, id, deletedAt);
    return id;
  };

  test('what is in it is as it was, and leaves it as it was', async () => {
    const { id } = await insertInTest(database);
    const before = await findMeasurement(database, id);
    expect(await findBinned(database, id)).toBeNull();
    await binMeasurement(database, id, 1_768_000_000_000);
    expect(await findBinned(database, id)).toBe(1_768_000_000_000);
    expect(await findMeasurement(database, id)).toEqual(before);
    expect(await unbinMeasurement(database, id)).toBe(true);
    expect(await unbinMeasurement(database, id)).toBe(false);
    expect(await findMeasurement(database, id)).toEqual(before);
  });

  test('a second deletion does not give it more time, and one of nothing does nothing', async () => {
    const id = await deleted(5);
    await binMeasurement(database, id, 9);
    expect(await findBinned(database, id)).toBe(5);
    await binMeasurement(database, 'x'.repeat(22), 9);
    expect(await findBinned(database, 'x'.repeat(22))).toBeNull();
    await unbinMeasurement(database, id);
  });

  test('its idempotency key is free for another one', async () => {
    const first = await insertInTest(database, { idempotencyHash: 'again' });
    await binMeasurement(database, first.id, 1);
    const second = await insertInTest(database, { idempotencyHash: 'again' });
    expect(await unbinMeasurement(database, first.id)).toBe(true);
    expect(await findMeasurement(database, second.id)).not.toBeNull();
  });

  test('pages join without a gap or a repetition, the last deleted first, even at the same moment', async () => {
    const ids = new Set([await deleted(40), await deleted(30), await deleted(30), await deleted(30)]);
    const paged: { id: string; deletedAt: number }[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { page, nextCursor } = await listBinned(database, { limit: 2, cursor });
      paged.push(...page);
      cursor = nextCursor;
    }
    expect(new Set(paged.map(({ id }) => id))).toEqual(ids);
    expect(paged.map(({ deletedAt }) => deletedAt)).toEqual([40, 30, 30, 30]);
    await expect(listBinned(database, { limit: 2, cursor: 'here' })).rejects.toMatchObject({
      problem: { errors: [{ field: 'cursor' }] },
    });
  });

  test('those whose time is up are found by it, and are removed with their place in the bin', async () => {
    const [early, late] = [await deleted(10), await deleted(20)];
    expect(await listBinnedUntil(database, 9)).toEqual([]);
    expect(await listBinnedUntil(database, 10)).toEqual([early]);
    expect(await listBinnedUntil(database, 20)).toEqual([early, late]);
    await buryMeasurement(database, early, 50);
    expect([await findBinned(database, early), await isBuried(database, early)]).toEqual([null, true]);
  });
});
