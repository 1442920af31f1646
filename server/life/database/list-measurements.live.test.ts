/** Protects the list of measurements on both engines: its order, its pages, and what narrows it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { binMeasurement, unbinMeasurement } from './bin.ts';
import type { NewMeasurement } from './insert-measurement.ts';
import { type ListFilter, listMeasurements } from './list-measurements.ts';
import { claimMeasurement, storeEnding } from './measurements.ts';

describe.each(engines)('the list in %s', (engine) => {
  let opened: DatabaseInTest;
  beforeAll(async () => {
    opened = await openDatabaseInTest(engine);
  });
  afterAll(() => opened.close());

  const insert = (change?: Partial<NewMeasurement>) => insertInTest(opened.database, change);
  const list = (filter: Partial<ListFilter> = {}) =>
    listMeasurements(opened.database, { kinds: null, limit: 100, ...filter });
  const ids = async (filter: Partial<ListFilter>) => (await list(filter)).page.map(({ id }) => id);

  test('is newest first, and its pages join without a gap or a repetition, even among equal times', async () => {
    for (let i = 0; i < 4; i++) await insert();
    for (let i = 0; i < 7; i++) await insert({ createdAt: 1_769_000_000_000 });
    const { page, nextCursor } = await list();
    expect(nextCursor).toBeNull();
    const times = page.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted((a, b) => b - a));

    const paged: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const found = await list({ limit: 3, cursor });
      paged.push(...found.page.map(({ id }) => id));
      cursor = found.nextCursor;
    }
    expect(paged).toEqual(page.map(({ id }) => id));
    expect(new Set(paged).size).toBe(11);
  });

  test('one that arrives between two pages moves no other to another page', async () => {
    const first = await list({ limit: 5 });
    const next = () => ids({ limit: 5, cursor: first.nextCursor ?? '' });
    const before = await next();
    await insert({ createdAt: 1_769_500_000_000 });
    expect(await next()).toEqual(before);
  });

  test('tells what every kind has, and what its own adds', async () => {
    const { id, createdAt } = await insert({ title: 'Of two sides', summary: { verdict: null, sides: 2 } });
    expect((await list()).page.find((line) => line.id === id)).toEqual({
      ...{ id, kind: 'dummy', state: 'queued', createdAt, endedAt: null, title: 'Of two sides' },
      ...{ summary: { verdict: null, sides: 2 }, problem: null },
    });
  });

  test('is narrowed by kinds, by state, by words of the title in any case, and by the start of an id', async () => {
    const { id } = await insert({ kind: 'needle', title: '100 %_sure Ünlogin on http://127.0.0.1:8124' });
    const claim = await claimMeasurement(opened.database, id);
    if (claim === null) throw new Error('it cannot be claimed');
    const ending = { endedAt: 9, problem: null, summary: {}, schemaVersion: 1, text: '{}', figures: null };
    await storeEnding(opened.database, claim, { state: 'refused', ...ending });

    expect(await ids({ kinds: ['needle'] })).toEqual([id]);
    expect(await ids({ kinds: ['needle', 'other'] })).toEqual([id]);
    expect(await ids({ kinds: ['dummy'] })).not.toContain(id);
    expect(await ids({ state: 'refused' })).toEqual([id]);
    expect(await ids({ q: 'ÜNLOGIN' })).toEqual([id]);
    expect(await ids({ q: '100 %_S' })).toEqual([id]);
    expect(await ids({ q: '%_%_%_' })).toEqual([]);
    expect(await ids({ q: ':8124' })).toEqual([id]);
    expect(await ids({ q: id.slice(0, 12) })).toEqual([id]);
    expect(await ids({ q: "'; drop table measurements; --" })).toEqual([]);
    expect(await ids({ q: 'un\u0000\ud800' })).toEqual([]);
    expect(await ids({ kinds: ['dummy'], state: 'refused', q: 'login' })).toEqual([]);
  });

  test('is narrowed by target, tag and verdict, each exactly, and by all of them at once', async () => {
    const annotation = { title: null, note: '', tags: ['Nightly', 'TLS 1.3'] };
    const { id } = await insert({ kind: 'both', targets: ['nginx', 'apache'], annotation });
    const { id: other } = await insert({ kind: 'both', targets: ['nginx'] });
    for (const [each, outcome] of [
      [id, 'overhead'],
      [other, 'no_overhead'],
    ] as const) {
      const claim = await claimMeasurement(opened.database, each);
      if (claim === null) throw new Error('it cannot be claimed');
      const summary = { verdict: { sentence: '', metric: 'cpu_at_load', outcome } };
      const ending = { endedAt: 9, problem: null, summary, schemaVersion: 1, text: '{}', figures: null };
      await storeEnding(opened.database, claim, { state: 'finished', ...ending });
    }

    expect(await ids({ target: 'nginx' })).toEqual([other, id]);
    expect(await ids({ target: 'apache' })).toEqual([id]);
    expect(await ids({ target: 'ngin' })).toEqual([]);
    expect(await ids({ target: "'\u0000\ud800" })).toEqual([]);
    expect(await ids({ tag: 'nightly' })).toEqual([id]);
    expect(await ids({ tag: 'TLS 1.3' })).toEqual([id]);
    expect(await ids({ tag: 'night' })).toEqual([]);
    expect(await ids({ verdict: 'overhead' })).toEqual([id]);
    expect(await ids({ verdict: 'no_overhead' })).toEqual([other]);
    expect(await ids({ verdict: 'refused' })).toEqual([]);
    const all = { kinds: ['both'], state: 'finished', verdict: 'overhead', target: 'nginx', tag: 'NIGHTLY' };
    expect(await ids({ ...all, q: 'measurement' })).toEqual([id]);
    expect(await ids({ ...all, q: 'other' })).toEqual([]);
  });

  test('is searched by every word, in title, note, tags and what was measured, in any case', async () => {
    const annotation = {
      title: 'Nach dem ÜPGRADE',
      note: 'erste Zeile\nשלום 50 %_x <b>',
      tags: ['Wöchentlich'],
    };
    const { id } = await insert({ title: 'Basket on http://127.0.0.1:9999', annotation });
    for (const q of [
      ...['üpgrade', 'ERSTE', 'שלום', '%_x', '<b>', 'wöchent', ':9999', 'basket'],
      ...['wöchentlich basket zeile', '  nach   9999 ', id.slice(0, 12), `basket ${id.slice(0, 12)}`],
    ]) {
      expect(await ids({ q }), q).toEqual([id]);
    }
    for (const q of ['basket nothing', 'zeile%x', id.slice(1, 9), 'nachdem']) {
      expect(await ids({ q }), q).toEqual([]);
    }
    expect((await ids({ q: ' ' })).length).toBeGreaterThan(1);
    expect(await ids({ q: [...'abcdefghijklmnopqrstuvwxyz0123456789'].join(' ') })).toEqual([]);
  });

  test('leaves out what is in the bin', async () => {
    const { id } = await insert({ kind: 'binned', title: 'Rubbish', targets: ['bin'] });
    await binMeasurement(opened.database, { id, fence: 0 }, 1);
    expect((await list()).page.map((line) => line.id)).not.toContain(id);
    expect(await ids({ q: 'rubbish' })).toEqual([]);
    expect(await ids({ target: 'bin' })).toEqual([]);
    await unbinMeasurement(opened.database, id);
    expect(await ids({ kinds: ['binned'], q: 'rubbish', target: 'bin' })).toEqual([id]);
  });

  test.each(['', 'x', '12-', `12-${'!'.repeat(22)}`, `99999999999999999-${'a'.repeat(22)}`])(
    'has no page at the cursor %j, and says so by its name',
    async (cursor) => {
      await expect(list({ cursor })).rejects.toMatchObject({
        problem: { code: 'invalid_request', errors: [{ field: 'cursor' }] },
      });
    },
  );
});
