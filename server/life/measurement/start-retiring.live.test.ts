/** Protects retention: results beyond the limits go to the bin, except those that somebody wants to keep. */
import { afterEach, describe, expect, test } from 'vitest';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { storeFinishedRun } from '../../testing/store-finished-run.ts';
import { unbinMeasurement } from '../database/bin.ts';
import { storeAnnotationChange } from '../database/insert-measurement.ts';
import type { Database } from '../database/open-database.ts';
import { retire } from './bin-and-history.ts';

const opened: DatabaseInTest[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const dayMs = 24 * 3_600_000;
const idOf = (age: number) => `Aged${age}x`.padEnd(22, '0');
const now = 1000 * dayMs;

/** Runs that are 0, 1, 2, … days old. */
async function openAged(engine: (typeof engines)[number], runs: number): Promise<Database> {
  const inTest = await openDatabaseInTest(engine);
  opened.push(inTest);
  for (let age = 0; age < runs; age++) {
    const document = {
      ...sampleRun({ launches: 1, epochs: 1 }),
      id: idOf(age),
      createdAt: now - age * dayMs,
    };
    await storeFinishedRun(inTest.database, document);
  }
  return inTest.database;
}

describe.each(engines)('in %s', (engine) => {
  test('pinned, titled, noted and restored results stay; the others go by age and count', async () => {
    const database = await openAged(engine, 9);
    await storeAnnotationChange(database, idOf(8), { title: 'Release 7' });
    await storeAnnotationChange(database, idOf(7), { note: 'Before the upgrade' });
    await storeAnnotationChange(database, idOf(6), { tags: ['nightly'] });
    const pin = { measurementId: idOf(5), pinnedAt: now };
    await database.queries.insertInto('baselines').values(pin).execute();

    expect(await retire(database, { days: 100, count: 100 }, now)).toEqual([]);
    expect(await retire(database, { days: 3.5, count: null }, now)).toEqual([idOf(6), idOf(4)]);
    await unbinMeasurement(database, idOf(4));
    expect(await retire(database, { days: 3.5, count: null }, now)).toEqual([]);
    expect(await retire(database, { days: null, count: 2 }, now)).toEqual([idOf(2), idOf(3)]);
    expect(await retire(database, { days: null, count: 2 }, now)).toEqual([]);
  });
});

test('results go to the bin a few at a time, and unfinished measurements stay', async () => {
  const database = await openAged('SQLite', 25);
  const running = { state: 'running' };
  await database.queries.updateTable('measurements').set(running).where('id', '=', idOf(24)).execute();
  expect(await retire(database, { days: null, count: 0 }, now)).toHaveLength(20);
  expect(await retire(database, { days: 0.5, count: 0 }, now)).toHaveLength(4);
  expect(await retire(database, { days: 0.5, count: 0 }, now)).toEqual([]);
});
