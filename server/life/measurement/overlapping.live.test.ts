/** Protects measurements from what happens at the same time: looks at the store, a resume while the end is stored, another server. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problem } from '../../../shared/base/problem.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { type MeasurementsInTest, openMeasurementsInTest } from '../../testing/measurements-in-test.ts';
import { findMeasurement } from '../database/measurements.ts';

let server: MeasurementsInTest;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  server = await openMeasurementsInTest();
});
afterEach(async () => {
  vi.useRealTimers();
  server.store.failure = null;
  await server.close();
});

const stateOf = async (id: string) => (await findMeasurement(server.database, id))?.state;
const until = (isSo: () => Promise<boolean> | boolean) =>
  vi.waitUntil(isSo, { timeout: 30_000, interval: 5 });

test('a look at the store leaves one alone that is being made, so its secrets are not lost', async () => {
  const noted = Promise.withResolvers<void>();
  server.noting.until = noted.promise;
  const made = server.create({ needs: ['key'], secrets: { key: 'value' } });
  await until(async () => (await server.measurements.list({ kinds: null, limit: 9 })).summaries.length === 1);
  const facts = { letters: 0, note: '' };
  const later = { createdAt: Date.now() + 1_000, facts, request: { needs: ['other'] } };
  const { id: left } = await insertInTest(server.database, later);
  vi.advanceTimersByTime(30_000);
  await until(async () => (await stateOf(left)) === 'interrupted');
  noted.resolve();
  const { task, finish } = await server.begun();
  expect(task.secrets).toEqual({ key: 'value' });
  finish();
  const id = await made;
  await server.events(id);
  expect(await stateOf(id)).toBe('finished');
  expect(server.problems).toEqual([]);
});

test('one whose load cannot be noted is refused and not measured', async () => {
  const noted = Promise.withResolvers<void>();
  server.noting.until = noted.promise;
  const refused = expect(server.create()).rejects.toThrow('no room in the log');
  noted.reject(new Error('no room in the log'));
  await refused;
  const { summaries } = await server.measurements.list({ kinds: null, limit: 9 });
  expect(summaries).toEqual([]);
});

test('one that waits and cannot be stored when all load is stopped is reported, and the server lives on', async () => {
  await server.create();
  const { signal } = await server.begun();
  await server.create();
  const failure = new Error('an end that the store will never take');
  server.store.failure = failure;
  expect(await server.measurements.stop()).toBe(2);
  expect(signal.aborted).toBe(true);
  await until(() => server.measurements.status().running === null && server.problems.length >= 2);
  expect(new Set(server.problems)).toEqual(new Set([failure]));
});

test('one that is resumed while the end of its log is being stored goes on with a log of its own', async () => {
  const id = await server.create();
  const { fail } = await server.begun();
  /** Attempts to store the end of its log; the end itself is stored by then. */
  let attempts = 0;
  server.measurements.follow(id, 0, {
    onEvent({ type }) {
      if (type !== 'end') return;
      const failure = problem('disk_full', 'There is no space left.');
      Object.defineProperty(server.store, 'failure', {
        get: () => (attempts++ < 4 ? failure : null),
        set() {},
      });
    },
    onEnd() {},
  });
  fail(problem('limit_reached', 'That was enough.'));
  // The pauses between attempts grow, so the next one leaves the time to resume it.
  await until(() => attempts === 4);
  await server.measurements.resume(id);
  const again = await server.begun();
  const heard = server.events(id);
  again.finish();
  expect((await heard).map(({ text }) => JSON.parse(text).state)).toEqual([
    ...['queued', 'running', 'queued', 'running', 'finished'],
  ]);
  expect(await stateOf(id)).toBe('finished');
});

test('the delete token of one that another server has ended goes to nobody who repeats its request', async () => {
  const create = () => server.measurements.create('dummy', {}, 'weak');
  const first = await create();
  await server.begun();
  expect((await create()).deleteToken).toBe(first.deleteToken);
  await server.restart();
  expect(await stateOf(first.id)).toBe('interrupted');
  expect(await create()).toEqual({ ...first, deleteToken: null });
});
