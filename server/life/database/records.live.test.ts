/** Protects what is stored of a measurement, on both engines: as it was, once, in order, and by its owner only. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problem } from '../../../shared/base/problem.ts';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { sampleSurroundings } from '../../testing/sample-surroundings.ts';
import { listBlocks, listEvents, storeBlock, storeEvents } from './events.ts';
import { insertMeasurement, type NewMeasurement } from './insert-measurement.ts';
import {
  buryMeasurement,
  type Claim,
  claimMeasurement,
  type Ending,
  findMeasurement,
  findState,
  isBuried,
  listUnfinished,
  readDocument,
  storeEnding,
  storeFacts,
  storeStart,
} from './measurements.ts';
import type { Database } from './open-database.ts';

const { environment } = sampleSurroundings;
const lost = { problem: { code: 'claim_lost' } };

const ending = (change: Partial<Ending> = {}): Ending => ({
  ...{
    state: 'finished',
    endedAt: 9,
    problem: null,
    summary: {},
    schemaVersion: 1,
    text: '{}',
    figures: null,
  },
  ...change,
});

describe.each(engines)('records in %s', (engine) => {
  let opened: DatabaseInTest;
  let database: Database;
  beforeAll(async () => {
    opened = await openDatabaseInTest(engine);
    database = opened.database;
  });
  afterAll(() => opened.close());

  const insert = (change?: Partial<NewMeasurement>) => insertInTest(database, change);

  async function claimOf(id: string): Promise<Claim> {
    const claim = await claimMeasurement(database, id);
    if (claim === null) throw new Error(`${id} cannot be claimed`);
    return claim;
  }
  const begin = async () => claimOf((await insert()).id);

  test('a measurement is found as it was inserted, and queued', async () => {
    const revisionId = 'Revision'.padEnd(22, '0');
    const request = { words: ['µ − „“ \u{1f512}'] };
    const inserted = await insert({ revisionId, request, summary: { verdict: null }, facts: { seed: 7 } });
    const { searchText: _, idempotencyHash: __, targets: ___, annotation: ____, ...columns } = inserted;
    expect(await findMeasurement(database, inserted.id)).toStrictEqual({
      ...columns,
      ...{ state: 'queued', fence: 0 },
      ...{ startedAt: null, endedAt: null, problem: null, environment: null },
    });
    expect(await findMeasurement(database, 'x'.repeat(22))).toBeNull();
    expect(await findState(database, inserted.id)).toEqual({ kind: 'dummy', state: 'queued' });
    expect(await findState(database, 'x'.repeat(22))).toBeNull();
  });

  test('a second one with the same idempotency key is not stored', async () => {
    const first = await insert({ idempotencyHash: 'once' });
    const second = { ...first, id: 'second'.padEnd(22, '0') };
    expect(await insertMeasurement(database, second)).toBe(false);
    expect(await findMeasurement(database, second.id)).toBeNull();
    expect((await findMeasurement(database, 'once', 'idempotencyHash'))?.id).toBe(first.id);
    expect(await findMeasurement(database, 'never', 'idempotencyHash')).toBeNull();
  });

  test('its start and its facts replace what was there, and leave the rest', async () => {
    const claim = await begin();
    await storeStart(database, claim, { startedAt: 5, environment });
    await storeFacts(database, claim, { seed: 1, sums: [1, 2] });
    await storeFacts(database, claim, { seed: 2 });
    expect(await findMeasurement(database, claim.id)).toMatchObject({
      ...{ state: 'running', startedAt: 5, endedAt: null, environment },
      facts: { seed: 2 },
    });
  });

  test('unfinished ones are listed oldest first', async () => {
    for (const { id } of await listUnfinished(database)) await buryMeasurement(database, id, 1);
    const late = await insert({ createdAt: 1_768_000_900_000 });
    const early = await insert({ createdAt: 1_768_000_800_000 });
    await storeStart(database, await claimOf(late.id), { startedAt: 1, environment });
    await storeEnding(database, await begin(), ending());
    expect((await listUnfinished(database)).map(({ id }) => id)).toEqual([early.id, late.id]);
  });

  test('what is over or gone cannot be claimed', async () => {
    const claim = await begin();
    await storeEnding(database, claim, ending());
    expect(await claimMeasurement(database, claim.id)).toBeNull();
    expect(await claimMeasurement(database, 'x'.repeat(22))).toBeNull();
  });

  test('after another claim nothing of the first one is stored, whatever it is', async () => {
    const first = await begin();
    await storeStart(database, first, { startedAt: 1, environment });
    await storeBlock(database, first, 0, 'of the first');
    const second = await claimOf(first.id);
    expect(second.fence).toBe(first.fence + 1);

    const writes = [
      () => storeStart(database, first, { startedAt: 2, environment }),
      () => storeBlock(database, first, 0, 'too late'),
      () => storeFacts(database, first, 'too late'),
      () => storeEvents(database, first, [{ id: 1, body: 'too late' }]),
      () => storeEnding(database, first, ending()),
    ];
    for (const write of writes) await expect(write()).rejects.toMatchObject(lost);
    expect(await findMeasurement(database, first.id)).toMatchObject({ startedAt: 1, facts: {} });
    expect(await listBlocks(database, first.id)).toEqual(['of the first']);
    expect(await listEvents(database, first.id, 0)).toEqual([]);
    expect(await readDocument(database, first.id)).toBeNull();
    await storeEnding(database, second, ending({ text: '"of the second"' }));
    expect(await readText(database, first.id)).toMatchObject({ text: '"of the second"' });
  });

  test('blocks come back in order, and one of the same index replaces the first', async () => {
    const claim = await begin();
    for (const index of [2, 0, 1]) await storeBlock(database, claim, index, { index });
    await storeBlock(database, claim, 1, { index: 1, again: '\u0000 µ' });
    expect(await listBlocks(database, claim.id)).toStrictEqual([
      { index: 0 },
      { index: 1, again: '\u0000 µ' },
      { index: 2 },
    ]);
  });

  test('blocks of one place are read without the others', async () => {
    const claim = await begin();
    for (const [index, place] of [7, 8, null, 7].entries()) {
      await storeBlock(database, claim, index, { index }, place);
    }
    expect(await listBlocks(database, claim.id, 7)).toEqual([{ index: 0 }, { index: 3 }]);
    expect(await listBlocks(database, claim.id)).toHaveLength(4);
  });

  test('events are listed after an id, and one that is stored stays as it is', async () => {
    const [claim, other] = [await begin(), await begin()];
    const events = ['one', 'two', 'three'].map((body, index) => ({ id: index + 1, body }));
    await storeEvents(database, other, events.slice(0, 1));
    await storeEvents(database, claim, events.slice(0, 2));
    await storeEvents(database, claim, [{ id: 2, body: 'again' }, ...events.slice(2)]);
    expect(await listEvents(database, claim.id, 0)).toEqual(events);
    expect(await listEvents(database, claim.id, 2)).toEqual(events.slice(2));
    expect(await listEvents(database, claim.id, 3)).toEqual([]);
    expect(await listEvents(database, other.id, 0)).toHaveLength(1);
  });

  test('the end and the document are stored together, the document byte for byte', async () => {
    const claim = await begin();
    expect(await readDocument(database, claim.id)).toBeNull();
    const text = JSON.stringify({ command: 'µ − „“ \u{1f512} \u0000' });
    const why = problem('run_cancelled', 'It was cancelled.').problem;
    const how = ending({ state: 'incomplete', problem: why, summary: { verdict: 'none' }, text });
    await storeEnding(database, claim, how);
    expect(await readText(database, claim.id)).toEqual({ schemaVersion: 1, text });
    expect(await findMeasurement(database, claim.id)).toMatchObject({
      ...{ state: 'incomplete', endedAt: 9, problem: why },
      summary: { verdict: 'none' },
    });

    // A state that cannot be stored comes after the document, which must not stay alone.
    const impossible = ending({ text: '"other"', state: null as never });
    await expect(storeEnding(database, claim, impossible)).rejects.toThrow();
    expect(await readText(database, claim.id)).toEqual({ schemaVersion: 1, text });
  });

  test('an end that was stored already may be stored again', async () => {
    const claim = await begin();
    await storeEnding(database, claim, ending());
    await storeEnding(database, claim, ending({ schemaVersion: 2, text: '"again"' }));
    expect(await readText(database, claim.id)).toEqual({ schemaVersion: 2, text: '"again"' });
  });

  test('a buried one leaves a tombstone and nothing else', async () => {
    const claim = await begin();
    const { id } = claim;
    await storeBlock(database, claim, 0, 'block');
    await storeEvents(database, claim, [{ id: 1, body: 'event' }]);
    await storeEnding(database, claim, ending());
    expect(await isBuried(database, id)).toBe(false);

    await buryMeasurement(database, id, 1_768_000_000_000);
    await buryMeasurement(database, id, 1_768_000_000_001);
    expect(await isBuried(database, id)).toBe(true);
    expect(await findMeasurement(database, id)).toBeNull();
    expect(await listBlocks(database, id)).toEqual([]);
    expect(await listEvents(database, id, 0)).toEqual([]);
    expect(await readDocument(database, id)).toBeNull();
    const rows = await database.queries.selectFrom('tombstones').selectAll().where('id', '=', id).execute();
    expect(rows).toEqual([{ id, deletedAt: 1_768_000_000_000 }]);
    await expect(storeBlock(database, claim, 1, 'late')).rejects.toMatchObject(lost);
  });

  test('a name with a NUL or half a surrogate pair is stored', async () => {
    const { id } = await insert({ title: 'a\u0000b\ud800c', request: { name: 'a\u0000b\ud800c' } });
    expect((await findMeasurement(database, id))?.title).toBe('ab\ufffdc');
    expect((await findMeasurement(database, id))?.request).toEqual({ name: 'a\u0000b\ud800c' });
  });
});

async function readText(database: Database, id: string) {
  const stored = await readDocument(database, id);
  return { schemaVersion: stored?.schemaVersion, text: await stored?.unpack() };
}
