/** Protects the bin on both engines: what is in it stays whole and in order, and is removed when its time is up. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import {
  binMeasurement,
  buryBinned,
  findBinned,
  listBinned,
  listBinnedUntil,
  unbinMeasurement,
} from './bin.ts';
import {
  claimMeasurement,
  findMeasurement,
  findState,
  isBuried,
  reopenMeasurement,
  storeEnding,
} from './measurements.ts';
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
    await binMeasurement(database, { id, fence: 0 }, deletedAt);
    return id;
  };

  test('what is in it is as it was, and leaves it as it was', async () => {
    const { id } = await insertInTest(database);
    const before = await findMeasurement(database, id);
    expect(await findBinned(database, id)).toBeNull();
    expect(await binMeasurement(database, { id, fence: 0 }, 1_768_000_000_000)).toBe(true);
    expect(await findBinned(database, id)).toBe(1_768_000_000_000);
    expect(await findMeasurement(database, id)).toEqual(before);
    expect(await unbinMeasurement(database, id)).toBe(true);
    expect(await unbinMeasurement(database, id)).toBe(false);
    expect(await findMeasurement(database, id)).toEqual(before);
  });

  test('a second deletion does not give it more time, and one of nothing does nothing', async () => {
    const id = await deleted(5);
    await binMeasurement(database, { id, fence: 0 }, 9);
    expect(await findBinned(database, id)).toBe(5);
    expect(await binMeasurement(database, { id: 'x'.repeat(22), fence: 0 }, 9)).toBe(false);
    expect(await findBinned(database, 'x'.repeat(22))).toBeNull();
    await unbinMeasurement(database, id);
  });

  test('its idempotency key is free for another one', async () => {
    const first = await insertInTest(database, { idempotencyHash: 'again' });
    await binMeasurement(database, { ...first, fence: 0 }, 1);
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
    await buryBinned(database, early, { until: 10, now: 50 });
    expect([await findBinned(database, early), await isBuried(database, early)]).toEqual([null, true]);
    await unbinMeasurement(database, late);
  });

  test('one that is restored, or deleted again, while the bin is emptied stays', async () => {
    const [restored, again] = [await deleted(10), await deleted(10)];
    expect(await listBinnedUntil(database, 10)).toEqual(expect.arrayContaining([restored, again]));
    for (const id of [restored, again]) await unbinMeasurement(database, id);
    await binMeasurement(database, { id: again, fence: 0 }, 40);
    for (const id of [restored, again]) await buryBinned(database, id, { until: 10, now: 50 });
    expect(await findMeasurement(database, restored)).not.toBeNull();
    expect(await findBinned(database, again)).toBe(40);
    await unbinMeasurement(database, again);
  });

  test('one that is resumed at the same time is either in the bin or resumed, never both', async () => {
    const { id } = await insertInTest(database);
    const claim = await claimMeasurement(database, id);
    if (claim === null) throw new Error('it cannot be claimed');
    const ending = { endedAt: 9, problem: null, summary: {}, schemaVersion: 1, text: '{}', figures: null };
    await storeEnding(database, claim, { state: 'interrupted', ...ending });
    await binMeasurement(database, claim, 5);
    expect(await reopenMeasurement(database, id)).toBe(false);
    expect(await findState(database, id)).toMatchObject({ state: 'interrupted' });
    await unbinMeasurement(database, id);
    expect(await reopenMeasurement(database, id)).toBe(true);
    expect(await binMeasurement(database, claim, 5)).toBe(false);
    expect(await findBinned(database, id)).toBeNull();
  });
});
