/** Protects the life of one measurement: whatever ends it, what was measured is kept and its end is reported. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { problem } from '../../../shared/base/problem.ts';
import type { ToldEvent } from '../../kinds/told-event.ts';
import { type MeasurementsInTest, openMeasurementsInTest } from '../../testing/measurements-in-test.ts';
import { claimMeasurement, findMeasurement } from '../database/measurements.ts';

let server: MeasurementsInTest;
beforeEach(async () => {
  server = await openMeasurementsInTest();
});
afterEach(async () => {
  await server.close();
  expect(server.problems).toEqual([]);
});

const word = (text: string) => ({ block: { word: text, letters: text.length } });
const typesOf = (events: readonly ToldEvent[]) => events.map(({ type }) => type);
const endOf = (events: readonly ToldEvent[]) => JSON.parse(events.at(-1)?.text ?? 'null');
const full = () => problem('disk_full', 'There is no space left.');

test('one that finishes has what it kept, and its log says so from the queue to the end', async () => {
  const id = await server.create({ words: ['one', 'three'] });
  const { keep, tell, finish } = await server.begun();
  await keep({ ...word('one'), facts: { letters: 3, note: 'so far' } });
  expect(await server.document(id)).toMatchObject({ state: 'running', letters: 3, endedAt: null });
  tell({ type: 'block' });
  await keep(word('three'));
  await keep({ facts: { letters: 8, note: 'all' } });
  finish();
  const events = await server.events(id);
  expect(events.map((event) => event.id)).toEqual([1, 2, 3, 4]);
  expect(typesOf(events)).toEqual(['state', 'state', 'block', 'end']);
  expect(endOf(events)).toEqual({ type: 'end', state: 'finished' });
  const document = await server.document(id);
  expect(document).toMatchObject({ state: 'finished', problem: null, letters: 8, note: 'all' });
  expect(document.blocks.map((block) => block.word)).toEqual(['one', 'three']);
  const { createdAt, startedAt, endedAt } = document;
  expect([createdAt, startedAt, endedAt]).toEqual([createdAt, startedAt, endedAt].toSorted());
  expect(await findMeasurement(server.database, id)).toMatchObject({
    ...{ state: 'finished', endedAt, summary: { words: 2, letters: 8 } },
  });
  expect(await server.measurements.events(id, 0)).toEqual(events);
});

describe('one that ended early goes on', () => {
  async function cancelled(): Promise<string> {
    const id = await server.create({ words: ['one', 'three'] });
    const { keep } = await server.begun();
    await keep(word('one'));
    await server.measurements.cancel(id, true);
    expect(endOf(await server.events(id))).toEqual({ type: 'end', state: 'incomplete' });
    return id;
  }

  test('with what it kept, under the same id, and its log has one end', async () => {
    const id = await cancelled();
    expect(await server.measurements.resume(id)).toMatchObject({ id, problem: null });
    const { task, keep, finish } = await server.begun();
    expect(task.blocks).toEqual([{ word: 'one', letters: 3 }]);
    expect(await server.document(id)).toMatchObject({ state: 'running', problem: null, endedAt: null });
    await keep(word('three'));
    finish();
    const events = await server.events(id);
    expect(typesOf(events).filter((type) => type === 'end')).toHaveLength(1);
    expect(endOf(events)).toEqual({ type: 'end', state: 'finished' });
    const { blocks, state, problem: why } = await server.document(id);
    expect([state, why, blocks.map((block) => block.word)]).toEqual(['finished', null, ['one', 'three']]);
  });

  test('once: while it goes on, and when it has finished, it is refused', async () => {
    const id = await cancelled();
    await server.measurements.resume(id);
    await expect(server.measurements.resume(id)).rejects.toMatchObject({
      problem: { code: 'not_resumable' },
    });
    const { finish } = await server.begun();
    finish();
    await server.events(id);
    await expect(server.measurements.resume(id)).rejects.toMatchObject({
      problem: { code: 'not_resumable' },
    });
  });

  test('unless nobody knows it', async () => {
    await expect(server.measurements.resume('0'.repeat(22))).rejects.toMatchObject({
      problem: { code: 'run_not_found' },
    });
  });
});

test.each([
  ['target_unreachable', 'refused'],
  ['not_comparable', 'refused'],
  ['target_died', 'failed'],
] as const)('one that ends with %s is %s, and keeps what it has', async (code, state) => {
  const id = await server.create();
  const { keep, fail } = await server.begun();
  await keep(word('one'));
  fail(problem(code, 'It was so.'));
  expect(endOf(await server.events(id))).toEqual({ type: 'end', state });
  expect(await server.document(id)).toMatchObject({
    ...{ state, problem: { code, detail: 'It was so.' }, blocks: [{ word: 'one' }] },
  });
});

test('a mistake of the program fails the measurement with what it says, and is told to the log of the server', async () => {
  const id = await server.create();
  const mistake = new TypeError('nothing is no number.');
  (await server.begun()).fail(mistake);
  await server.events(id);
  expect(await server.document(id)).toMatchObject({
    ...{
      state: 'failed',
      problem: { code: 'internal', details: expect.stringContaining('nothing is no number.') },
    },
  });
  expect((await server.document(id)).problem?.detail).toMatch(/ \(details\)\.$/);
  expect(server.problems.splice(0)).toEqual([mistake]);
});

describe('canceled', () => {
  test('and kept while it waits, it is incomplete', async () => {
    await server.create();
    const { finish } = await server.begun();
    const id = await server.create();
    const events = server.events(id);
    expect(await server.measurements.cancel(id, true)).toMatchObject({ id, state: 'incomplete' });
    expect(typesOf(await events)).toEqual(['state', 'end']);
    expect(await server.document(id)).toMatchObject({
      ...{ state: 'incomplete', startedAt: null, blocks: [], problem: { code: 'run_cancelled' } },
    });
    finish();
  });

  test('and discarded while it waits, it is gone', async () => {
    await server.create();
    const { finish } = await server.begun();
    const id = await server.create();
    const events = server.events(id);
    expect(await server.measurements.cancel(id, false)).toMatchObject({ id, state: 'incomplete' });
    expect(endOf(await events)).toEqual({ type: 'end', state: 'incomplete' });
    await expect(server.document(id)).rejects.toMatchObject({ problem: { code: 'run_deleted' } });
    finish();
  });

  test('and kept while it goes on, it has what was kept, also after the cancellation', async () => {
    const id = await server.create();
    const { keep, signal } = await server.begun();
    await keep(word('one'));
    const late = new Promise((resolve) =>
      signal.addEventListener('abort', () =>
        resolve(keep({ ...word('late'), facts: { letters: 7, note: '' } })),
      ),
    );
    expect(await server.measurements.cancel(id, true)).toMatchObject({ id });
    await late;
    expect(endOf(await server.events(id))).toEqual({ type: 'end', state: 'incomplete' });
    const document = await server.document(id);
    expect(document).toMatchObject({ state: 'incomplete', letters: 7, problem: { code: 'run_cancelled' } });
    expect(document.blocks.map((block) => block.word)).toEqual(['one', 'late']);
  });

  test('and discarded while it goes on, it is gone, and who watches hears its end', async () => {
    const id = await server.create();
    const { keep } = await server.begun();
    await keep(word('one'));
    const events = server.events(id);
    await server.measurements.cancel(id, false);
    expect(endOf(await events)).toEqual({ type: 'end', state: 'incomplete' });
    await expect(server.document(id)).rejects.toMatchObject({ problem: { code: 'run_deleted' } });
    expect(await findMeasurement(server.database, id)).toBeNull();
  });
});

test('the value of a secret is in nothing that it leaves behind', async () => {
  const id = await server.create({ needs: ['key'], secrets: { key: 'open sesame/99' } });
  const { task, keep, tell, fail } = await server.begun();
  expect(task.secrets).toEqual({ key: 'open sesame/99' });
  tell({ type: 'errors', detail: 'GET /?key=open%20sesame%2F99 failed' } as never);
  await keep({
    block: { word: 'open sesame/99', letters: 1 },
    facts: { letters: 1, note: 'open+sesame%2F99' },
  });
  fail(problem('not_comparable', 'It redirects to /open%20sesame%2F99.'));
  const events = await server.events(id);
  const document = await server.document(id);
  const row = await findMeasurement(server.database, id);
  expect(JSON.stringify([events, document, row])).not.toContain('sesame');
  expect(document).toMatchObject({
    ...{ note: '$' + '{secret:key}', blocks: [{ word: '$' + '{secret:key}' }] },
    problem: { detail: 'It redirects to /$' + '{secret:key}.' },
  });
});

test('who hears of the end reads the final document, and may delete it at once', async () => {
  const { id, deleteToken } = await server.measurements.create('dummy', {}, null);
  const seen = new Promise((resolve) =>
    server.measurements.follow(id, 0, {
      async onEvent({ type }) {
        if (type !== 'end') return;
        const { final } = await server.measurements.readDocument(id);
        resolve([final, await server.measurements.remove(id, deleteToken ?? '')]);
      },
      onEnd() {},
    }),
  );
  (await server.begun()).finish();
  expect(await seen).toEqual([true, undefined]);
  await expect(server.document(id)).rejects.toMatchObject({ problem: { code: 'run_deleted' } });
});

test('while the store fails, what is kept waits and viewers are told; then it is stored and goes on', async () => {
  const id = await server.create();
  const { keep, finish } = await server.begun();
  const events = server.events(id);
  server.store.failure = full();
  let kept = false;
  const keeping = keep(word('one')).then(() => {
    kept = true;
  });
  await pause(250);
  expect(kept).toBe(false);
  server.store.failure = null;
  await keeping;
  finish();
  const types = typesOf(await events);
  expect(types.filter((type) => type !== 'stalled')).toEqual(['state', 'state', 'end']);
  expect(types).toContain('stalled');
  expect(await server.document(id)).toMatchObject({ state: 'finished', blocks: [{ word: 'one' }] });
  expect(typesOf(await server.measurements.events(id, 0))).toEqual(['state', 'state', 'end']);
});

test('while the store fails, the end waits: the document is there, canceling says why not, and the queue goes on after it', async () => {
  const id = await server.create();
  const next = await server.create();
  const { finish, keep } = await server.begun();
  await keep(word('one'));
  server.store.failure = full();
  finish();
  await pause(150);
  expect(server.queue.status()).toMatchObject({ running: id, queued: 1 });
  expect(await server.document(id)).toMatchObject({ state: 'finished', blocks: [{ word: 'one' }] });
  await expect(server.measurements.cancel(id, true)).rejects.toMatchObject({
    problem: { code: 'run_over', detail: 'It has already ended (finished) and is being stored.' },
  });
  server.store.failure = null;
  await server.events(id);
  expect(await findMeasurement(server.database, id)).toMatchObject({ state: 'finished' });
  (await server.begun()).finish();
  expect(endOf(await server.events(next))).toEqual({ type: 'end', state: 'finished' });
});

test('while the store fails, one that waits begins when it works again', async () => {
  const first = await server.create();
  const second = await server.create();
  const { finish } = await server.begun();
  finish();
  await server.events(first);
  server.store.failure = full();
  await pause(150);
  expect(await server.document(second)).toMatchObject({ blocks: [] });
  server.store.failure = null;
  (await server.begun()).finish();
  expect(endOf(await server.events(second))).toEqual({ type: 'end', state: 'finished' });
});

test('when the clock is set back meanwhile, its end is after its start all the same', async () => {
  const id = await server.create();
  const { finish } = await server.begun();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  try {
    finish();
    await server.events(id);
  } finally {
    vi.useRealTimers();
  }
  const { startedAt, endedAt } = await server.document(id);
  expect((endedAt ?? 0) - (startedAt ?? 0)).toBeGreaterThanOrEqual(0);
  expect((endedAt ?? 0) - (startedAt ?? 0)).toBeLessThan(60_000);
});

test('a measurement that another process took is given up without writing to the store or announcing an end', async () => {
  const id = await server.create();
  const { keep, fail } = await server.begun();
  const events = server.events(id);
  expect(await claimMeasurement(server.database, id)).toMatchObject({ id });
  const keeping = keep(word('too late'));
  await expect(keeping).rejects.toMatchObject({ problem: { code: 'claim_lost' } });
  fail(await keeping.catch((error) => error));
  expect((await events).map(({ type }) => type)).not.toContain('end');
  await pause(10);
  expect(await findMeasurement(server.database, id)).toMatchObject({ state: 'running', endedAt: null });
  expect(server.queue.status()).toEqual({ running: null, queued: 0, holder: null });
});

test('one whose blocks cannot be summed up fails without them', async () => {
  const broken = await openMeasurementsInTest({
    documentOf(frame, { facts, blocks }) {
      if (blocks.length > 0) throw new TypeError('no sum');
      return { schemaVersion: 2, kind: 'dummy', ...frame, ...facts, blocks };
    },
  });
  const id = await broken.create();
  const { keep, finish } = await broken.begun();
  await keep(word('one'));
  finish();
  expect(endOf(await broken.events(id))).toEqual({ type: 'end', state: 'failed' });
  expect(await broken.document(id)).toMatchObject({ state: 'failed', problem: { code: 'internal' } });
  expect(broken.problems).toEqual([new TypeError('no sum')]);
  await broken.close();
});

test.each([
  ['a block', { block: { word: 'one', letters: Number.NaN } }, 'blocks.0.letters'],
  ['the facts', { facts: { letters: Number.NaN, note: '' } }, 'letters'],
])('one with a number in %s that is none fails with a sentence, and can be read', async (_, part, path) => {
  const id = await server.create();
  const { keep, finish } = await server.begun();
  await keep(part);
  finish();
  expect(endOf(await server.events(id))).toEqual({ type: 'end', state: 'failed' });
  const detail = `The result is not valid: its part “${path}” has no proper value.`;
  expect(await server.document(id)).toMatchObject({ state: 'failed', problem: { code: 'internal', detail } });
  for (const format of ['md', 'csv', 'jsonl', 'parquet'] as const)
    await server.measurements.print(id, format);
  expect(server.problems.splice(0).length).toBeGreaterThan(0);
});
