/** Protects what can be asked of measurements: made once, listed, canceled, deleted, and taken up after a restart. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { thisMachine } from '../../../shared/team/team.ts';
import { type DummyKind, dummy } from '../../testing/dummy-kind.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import {
  type Conducted,
  type MeasurementsInTest,
  openMeasurementsInTest,
} from '../../testing/measurements-in-test.ts';
import { sampleSurroundings } from '../../testing/sample-surroundings.ts';
import { storeBlock, storeEvents } from '../database/events.ts';
import { findStarter } from '../database/insert-measurement.ts';
import {
  claimMeasurement,
  findMeasurement,
  readDocument,
  storeEnding,
  storeStart,
} from '../database/measurements.ts';
import { queueLimit } from './machine-queue.ts';

const { environment } = sampleSurroundings;
let server: MeasurementsInTest;
beforeEach(async () => {
  server = await openMeasurementsInTest();
});
afterEach(async () => {
  await server.close();
  expect(server.problems).toEqual([]);
});

const rejection = (code: string) => ({ problem: { code } });
const stateOf = async (id: string) => (await findMeasurement(server.database, id))?.state;

async function finished(body?: object): Promise<string> {
  const id = await server.create(body);
  (await server.begun()).finish();
  await server.events(id);
  return id;
}

describe('a new one', () => {
  test('is queued, with its addresses and a delete token', async () => {
    const { id, url, eventsUrl, deleteToken } = await server.measurements.create('dummy', {}, null);
    expect([url, eventsUrl]).toEqual([`/l/${id}`, `/api/v1/measurements/${id}/events`]);
    expect(deleteToken).toMatch(/^[\w-]{32}$/);
    expect(JSON.stringify(await findMeasurement(server.database, id))).not.toContain(deleteToken);
  });

  test.each<[kind: string, body: object, field: string]>([
    ['other', {}, 'kind'],
    ['dummy', { words: [''] }, 'words.0'],
    ['dummy', { colour: 'red' }, 'colour'],
    ['dummy', { secrets: { key: '' } }, 'secrets.key'],
    ['dummy', { secrets: 'key' }, 'secrets'],
  ])('of kind %s with %j is refused by the field %s', async (kind, body, field) => {
    await expect(server.measurements.create(kind, body, null)).rejects.toMatchObject({
      problem: { code: 'invalid_request', errors: [{ field }] },
    });
  });

  test('is refused with what its kind says against it, and nothing is queued', async () => {
    await expect(server.create({ needs: ['key'] })).rejects.toMatchObject(rejection('secret_missing'));
    expect((await server.measurements.list({ kinds: null, limit: 9 })).summaries).toEqual([]);
  });

  test('is refused when the queue is full, however many come at once', async () => {
    const asked = await Promise.allSettled(Array.from({ length: queueLimit + 5 }, () => server.create()));
    const made = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(made).toHaveLength(queueLimit + 1);
    for (const each of asked) {
      if (each.status === 'rejected') expect(each.reason).toMatchObject(rejection('queue_full'));
    }
    const { summaries } = await server.measurements.list({ kinds: null, limit: 100 });
    expect(new Set(summaries.map(({ id }) => id))).toEqual(new Set(made));
  });
});

const ann = { ...thisMachine, userId: 'Ann'.padEnd(22, '0') };

describe('all load is stopped', () => {
  const stopped = { state: 'incomplete', problem: { code: 'load_stopped' } };
  const openWith = async (change: Partial<DummyKind>) => {
    await server.close();
    server = await openMeasurementsInTest(change);
  };

  test('while a request is being checked: nothing is stored, and the request is refused', async () => {
    const judging = Promise.withResolvers<void>();
    const judged = Promise.withResolvers<void>();
    await openWith({
      async prepare(...asked) {
        judging.resolve();
        await judged.promise;
        return dummy.prepare(...asked);
      },
    });
    const asked = expect(server.create()).rejects.toMatchObject(rejection('load_stopped'));
    await judging.promise;
    expect(await server.measurements.stop()).toBe(0);
    judged.resolve();
    await asked;
    expect((await server.measurements.list({ kinds: null, limit: 9 })).summaries).toEqual([]);
  });

  test.each([0, 1])('while a new one is being stored with %i before it: it ends', async (before) => {
    let stop = () => {};
    await openWith({
      title(...asked) {
        // The last that is asked of a kind before it is stored.
        queueMicrotask(stop);
        return dummy.title(...asked);
      },
    });
    for (let count = 0; count < before; count++) await server.create();
    stop = () => void server.measurements.stop();
    const id = await server.create();
    await server.events(id);
    expect(await server.document(id)).toMatchObject({ ...stopped, startedAt: null });
  });

  test('while an interrupted one is being resumed: it ends', async () => {
    let stop = () => {};
    await openWith({
      secretsOf() {
        stop();
        return [];
      },
    });
    const id = await server.create();
    await server.measurements.cancel(id, true);
    await server.events(id);
    stop = () => void server.measurements.stop();
    await server.measurements.resume(id, ann);
    await server.events(id);
    expect(await server.document(id)).toMatchObject(stopped);
    expect(await findStarter(server.database, id)).toBe(ann.userId);
  });
});

describe('an idempotency key', () => {
  const create = (body: object, key: string) => server.measurements.create('dummy', body, key);

  test('makes one measurement, also of two requests at the same time', async () => {
    const first = await create({}, 'once');
    expect(await create({}, 'once')).toEqual(first);
    const [one, other] = await Promise.all([create({}, 'twice'), create({}, 'twice')]);
    expect(one).toEqual(other);
  });

  test('gives the delete token to who repeats the request, until the measurement is over', async () => {
    const first = await create({}, 'weak');
    (await server.begun()).finish();
    await server.events(first.id);
    expect(await create({}, 'weak')).toEqual({ ...first, deleteToken: null });
  });

  test('is refused with another request, and is stored nowhere', async () => {
    await create({}, 'a key of this test');
    await expect(create({ words: ['other'] }, 'a key of this test')).rejects.toMatchObject(
      rejection('idempotency_conflict'),
    );
    const rows = await server.database.queries.selectFrom('measurements').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('a key of this test');
  });

  test('is good for new secrets, which are no part of the request', async () => {
    const first = await create({ needs: ['key'], secrets: { key: 'one' } }, 'once');
    expect(await create({ needs: ['key'], secrets: { key: 'two' } }, 'once')).toEqual(first);
  });
});

test('the list tells what waits, and where', async () => {
  const [running, next, last] = [await server.create(), await server.create(), await server.create()];
  await server.begun();
  const { summaries } = await server.measurements.list({ kinds: null, limit: 2 });
  const line = { kind: 'dummy', title: 'Letters of one, three', words: 2, endedAt: null, problem: null };
  expect(summaries).toMatchObject([
    { ...line, id: last, url: `/l/${last}`, state: 'queued', queuePosition: 2 },
    { ...line, id: next, url: `/l/${next}`, state: 'queued', queuePosition: 1 },
  ]);
  const { nextCursor } = await server.measurements.list({ kinds: ['dummy'], limit: 2 });
  const rest = await server.measurements.list({ kinds: null, limit: 2, cursor: nextCursor ?? '' });
  expect(rest).toMatchObject({ summaries: [{ id: running, queuePosition: null }], nextCursor: null });
});

test('what is over cannot be canceled, and what is not cannot be deleted', async () => {
  const id = await finished();
  await expect(server.measurements.cancel(id, true)).rejects.toMatchObject({
    problem: { code: 'run_over', detail: 'It has already ended (finished).' },
  });
  const { id: other, deleteToken } = await server.measurements.create('dummy', {}, null);
  await expect(server.measurements.remove(other, deleteToken ?? '')).rejects.toMatchObject(
    rejection('run_unfinished'),
  );
});

test('it is deleted by its token only, and is gone from then on', async () => {
  const { id, deleteToken } = await server.measurements.create('dummy', {}, null);
  (await server.begun()).finish();
  await server.events(id);
  await expect(server.measurements.remove(id, 'wrong')).rejects.toMatchObject(
    rejection('wrong_delete_token'),
  );
  await server.measurements.remove(id, deleteToken ?? '');
  const gone = rejection('run_deleted');
  await expect(server.measurements.remove(id, deleteToken ?? '')).rejects.toMatchObject(gone);
  await expect(server.measurements.cancel(id, true)).rejects.toMatchObject(gone);
  await expect(server.measurements.readDocument(id)).rejects.toMatchObject(gone);
  await expect(server.measurements.print(id, 'csv')).rejects.toMatchObject(gone);
  await expect(server.measurements.events(id, 0)).rejects.toMatchObject(gone);
  const unknown = server.measurements.readDocument('x'.repeat(22));
  await expect(unknown).rejects.toMatchObject(rejection('run_not_found'));
});

test('a document of an earlier version is shown as one of today, one of a later version not at all', async () => {
  const id = await finished({ words: ['ab'] });
  const { letters, ...document } = await server.document(id);
  const store = (schemaVersion: number) =>
    server.database.queries
      .updateTable('measurements')
      .set({ state: 'running' })
      .execute()
      .then(() => claimMeasurement(server.database, id))
      .then((claim) => {
        const text = JSON.stringify({ ...document, schemaVersion, sum: letters });
        const ending = { state: 'finished', endedAt: 9, problem: null, summary: {}, figures: null } as const;
        if (claim === null) throw new Error('it cannot be claimed');
        return storeEnding(server.database, claim, { ...ending, schemaVersion, text });
      });
  await store(1);
  expect(await server.document(id)).toEqual({ ...document, letters });
  expect((await server.measurements.readDocument(id)).final).toBe(true);
  await store(3);
  await expect(server.document(id)).rejects.toMatchObject(rejection('run_newer'));
});

describe('one that is measured, and to which something is still added', () => {
  test.each([
    ['fails', ({ fail }: Conducted) => fail(new Error('the rest failed'))],
    ['is canceled', (_: Conducted, id: string) => void server.measurements.cancel(id, true)],
    ['ends', ({ finish }: Conducted) => finish()],
  ])('has finished, also when that %s', async (_, end) => {
    const id = await server.create();
    const conducted = await server.begun();
    await conducted.measured();
    expect(await server.measurements.summary(id)).toMatchObject({ state: 'running' });
    const before = await server.document(id);
    end(conducted, id);
    expect((await server.events(id)).at(-1)).toMatchObject({
      type: 'end',
      text: expect.stringContaining('finished'),
    });
    expect(await server.document(id)).toEqual(before);
    server.problems.splice(0);
  });

  test('leaves nothing when it is discarded', async () => {
    const id = await server.create();
    await (await server.begun()).measured();
    await server.measurements.cancel(id, false);
    await server.events(id).catch(() => {});
    await expect(server.document(id)).rejects.toMatchObject(rejection('run_deleted'));
  });
});

describe('the log of one that is over', () => {
  test('is told after an id, and ends', async () => {
    const id = await finished();
    const ids = async (afterId: number) =>
      (await server.measurements.events(id, afterId)).map((event) => event.id);
    expect(await ids(0)).toEqual([1, 2, 3]);
    expect(await ids(2)).toEqual([3]);
    expect(await ids(3)).toEqual([]);
    expect(await ids(1000)).toEqual([]);
  });

  test.each([0, 1, 2])('ends even if only %d events of it were stored', async (stored) => {
    const id = await finished();
    await server.database.queries.deleteFrom('events').where('id', '>', stored).execute();
    const events = await server.measurements.events(id, 0);
    expect(events.at(-1)).toEqual({ id: stored + 1, type: 'end', text: '{"type":"end","state":"finished"}' });
    expect(events).toHaveLength(stored + 1);
    expect(await server.measurements.events(id, stored + 1)).toEqual([]);
  });
});

/** Leaves a measurement as if a server had died while it measured. */
async function leaveRunning(change: Parameters<typeof insertInTest>[1] = {}): Promise<string> {
  const { database } = server;
  const facts = { letters: 3, note: 'so far' };
  const { id } = await insertInTest(database, { facts, ...change });
  const claim = await claimMeasurement(database, id);
  if (claim === null) throw new Error('it cannot be claimed');
  await storeStart(database, claim, { startedAt: 5, environment });
  await storeBlock(database, claim, 0, { word: 'one', letters: 3 });
  await storeEvents(database, claim, [
    { id: 1, body: '{"type":"state","state":"running","queuePosition":null}' },
  ]);
  return id;
}

describe('after a restart', () => {
  test('what was running is interrupted, with what it had and what was told of it', async () => {
    const id = await leaveRunning();
    const next = await server.restart();
    expect(await next.document(id)).toMatchObject({
      ...{ state: 'interrupted', startedAt: 5, letters: 3, note: 'so far', blocks: [{ word: 'one' }] },
      ...{ problem: { code: 'run_interrupted' } },
    });
    expect(await stateOf(id)).toBe('interrupted');
    expect((await next.events(id)).map(({ id, type }) => [id, type])).toEqual([
      [1, 'state'],
      [2, 'end'],
    ]);
    expect(await readDocument(server.database, id)).not.toBeNull();
    expect(next.problems).toEqual([]);
  });

  test('what was measured and not over has finished, as of when it was measured', async () => {
    const id = await server.create();
    const { measured, finish } = await server.begun();
    await measured();
    const before = await server.document(id);
    expect(before).toMatchObject({ state: 'finished', problem: null });
    const next = await server.restart();
    expect(await next.document(id)).toEqual(before);
    expect(await stateOf(id)).toBe('finished');
    expect((await next.events(id)).map(({ type }) => type)).toEqual([
      ...['state', 'state', 'measured', 'end'],
    ]);
    finish();
    await server.events(id);
  });

  test('what was queued is measured, in the order of before', async () => {
    const ids = [await insertInTest(server.database), await insertInTest(server.database)].map(
      ({ id }) => id,
    );
    await server.database.queries
      .updateTable('measurements')
      .set({ facts: '{"letters":0,"note":""}' })
      .execute();
    const next = await server.restart();
    for (const id of ids) {
      (await next.begun()).finish();
      await next.events(id);
      expect(await stateOf(id)).toBe('finished');
    }
  });

  test('what was queued with secrets is ended, and says which were lost', async () => {
    const facts = { letters: 0, note: '' };
    const { id } = await insertInTest(server.database, { facts, request: { needs: ['key', 'other'] } });
    const next = await server.restart();
    expect(await next.document(id)).toMatchObject({
      state: 'interrupted',
      problem: { code: 'secrets_lost', detail: expect.stringContaining('(key, other)') },
    });
  });

  test('one that cannot be read keeps no other from being taken up', async () => {
    const { id: broken } = await insertInTest(server.database, { facts: { nonsense: true } });
    const id = await leaveRunning();
    const next = await server.restart();
    expect(await stateOf(id)).toBe('interrupted');
    expect(await stateOf(broken)).toBe('queued');
    expect(next.problems).toHaveLength(1);
  });

  test('a server that is not dead writes nothing more of what another one has interrupted', async () => {
    const id = await server.create();
    const { keep, finish } = await server.begun();
    await keep({ block: { word: 'one', letters: 3 } });
    const next = await server.restart();
    const read = async () => (await next.measurements.readDocument(id)).text();
    const text = await read();
    await expect(keep({ block: { word: 'late', letters: 4 } })).rejects.toMatchObject(
      rejection('claim_lost'),
    );
    finish();
    await server.events(id);
    expect(await read()).toBe(text);
    expect(await stateOf(id)).toBe('interrupted');
  });
});

test('a server that closes interrupts what is running, and leaves what waits to the next', async () => {
  const [running, queued] = [await server.create(), await server.create()];
  const { keep }: Conducted = await server.begun();
  await keep({ block: { word: 'one', letters: 3 } });
  await server.measurements.close();
  await expect(server.create()).rejects.toMatchObject(rejection('server_closing'));
  expect([await stateOf(running), await stateOf(queued)]).toEqual(['interrupted', 'queued']);
  const next = await server.restart();
  expect(await next.document(running)).toMatchObject({ state: 'interrupted', blocks: [{ word: 'one' }] });
  (await next.begun()).finish();
  await next.events(queued);
  expect(await stateOf(queued)).toBe('finished');
});

test('what a failure of the store has left behind is found now and then, and ended', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const next = await server.restart();
  try {
    const mine = await next.create();
    await next.begun();
    const id = await leaveRunning();
    expect(await stateOf(id)).toBe('running');
    vi.advanceTimersByTime(30_000);
    await vi.waitUntil(async () => (await stateOf(id)) === 'interrupted', 10_000);
    expect(await stateOf(mine)).toBe('running');
    await next.measurements.cancel(mine, false);
    await next.events(mine).catch(() => {});
  } finally {
    vi.useRealTimers();
  }
});
