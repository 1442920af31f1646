/** Protects what viewers hear: every event once and in order, however slow they or the store are, up to the end. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { problem } from '../../../shared/base/problem.ts';
import type { ToldEvent } from '../../kinds/told-event.ts';
import type { StoredEvent } from '../database/events.ts';
import type { Claim } from '../database/measurements.ts';
import { type EventLog, openEventLog } from './event-log.ts';

const id = 'a measurement';
const claim: Claim = { id, fence: 1 };
const step = { type: 'state', state: 'running', queuePosition: null } as const;
const end = { type: 'end', state: 'finished' } as const;

/** A store in memory, that fails with `failure` and waits for `gate`. */
function open() {
  const store = {
    events: [] as StoredEvent[],
    claims: [] as Claim[],
    failure: null as Error | null,
    gate: Promise.resolve(),
  };
  const problems: unknown[] = [];
  const log = openEventLog(
    async (by, events) => {
      await store.gate;
      if (store.failure !== null) throw store.failure;
      store.claims.push(by);
      store.events.push(...events);
    },
    (error) => problems.push(error),
  );
  log.open(id, []);
  return { log, store, problems };
}

/** Everything that a follower hears, up to the end. */
function follow(
  log: EventLog,
  afterId: number,
  pause: () => Promise<void> | void = () => {},
): Promise<ToldEvent[]> {
  const heard: ToldEvent[] = [];
  return new Promise((resolve) => {
    const onEvent = (event: ToldEvent) => {
      heard.push(event);
      return pause();
    };
    log.follow(id, afterId, { onEvent, onEnd: () => resolve(heard) });
  });
}

const idsOf = (events: readonly { id: number | null }[]) => events.map((event) => event.id);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

test('followers that join before, amid and after the appending hear every event once and in order', async () => {
  const { log } = open();
  const joined = [follow(log, 0)];
  for (let i = 1; i <= 60; i++) {
    log.append(claim, step);
    if (i % 20 === 0) joined.push(follow(log, 0));
    if (i % 3 === 0) await turn();
  }
  joined.push(follow(log, 0));
  log.append(claim, end);
  joined.push(follow(log, 0));
  for (const heard of await Promise.all(joined)) {
    expect(idsOf(heard)).toEqual(upTo(61));
    expect(heard.at(-1)).toEqual({ id: 61, type: 'end', text: JSON.stringify(end) });
  }
});

test('events are told at once, and stored behind that, many at a time where the store is slow', async () => {
  const { log, store } = open();
  const { promise, resolve } = Promise.withResolvers<void>();
  store.gate = promise;
  const heard = follow(log, 0);
  for (const _ of upTo(50)) log.append(claim, step);
  log.append(claim, end);
  expect(idsOf(await heard)).toEqual(upTo(51));
  expect(store.events).toEqual([]);
  resolve();
  await log.flush(id);
  expect(idsOf(store.events)).toEqual(upTo(51));
  expect(store.claims.length).toBeLessThan(5);
});

test('a slow follower misses nothing and holds nobody up', async () => {
  const { log } = open();
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const slow = follow(log, 0, () => gate);
  const quick = follow(log, 0);
  for (const _ of upTo(1200)) log.append(claim, step);
  log.append(claim, end);
  expect(idsOf(await quick)).toEqual(upTo(1201));
  release();
  expect(idsOf(await slow)).toEqual(upTo(1201));
});

test('a follower goes on after the id that it names', async () => {
  const { log } = open();
  for (const _ of upTo(5)) log.append(claim, step);
  const heard = follow(log, 3);
  log.append(claim, end);
  expect(idsOf(await heard)).toEqual([4, 5, 6]);
});

test('a follower that claims to have read further than the log goes still hears the end', async () => {
  const { log } = open();
  log.append(claim, step);
  const before = follow(log, 1000);
  log.append(claim, end);
  expect((await before).at(-1)?.type).toBe('end');
  expect(idsOf(await follow(log, 1000))).toEqual([2]);
});

test('followers hear all of a log that is closed right after its end, and none is taken later', async () => {
  const { log, store } = open();
  const heard = follow(log, 0);
  log.append(claim, step);
  log.append(claim, end);
  await log.flush(id);
  log.close(id);
  expect(idsOf(await heard)).toEqual([1, 2]);
  expect(log.follow(id, 0, { onEvent() {}, onEnd() {} })).toBeNull();
  log.append(claim, step);
  expect(store.events).toHaveLength(2);
});

test('a follower that stops hears no more, and one that fails ends, while the others go on', async () => {
  const { log } = open();
  const heard: (number | null)[] = [];
  const stop = log.follow(id, 0, { onEvent: (event) => void heard.push(event.id), onEnd() {} });
  const failed = follow(log, 0, () => Promise.reject(new Error('gone')));
  const other = follow(log, 0);
  log.append(claim, step);
  await turn();
  stop?.();
  log.append(claim, step);
  log.append(claim, end);
  expect(idsOf(await other)).toEqual([1, 2, 3]);
  expect(idsOf(await failed)).toEqual([1]);
  expect(heard).toEqual([1]);
});

test('a store that fails for a while gets all events in order when it works again', async () => {
  const { log, store, problems } = open();
  store.failure = problem('disk_full', 'There is no space left.');
  for (const _ of upTo(3)) log.append(claim, step);
  await expect(log.flush(id)).rejects.toBe(store.failure);
  const heard: (number | null)[] = [];
  log.follow(id, 0, { onEvent: (event) => void heard.push(event.id), onEnd() {} });
  await turn();
  expect(heard, 'followers hear them meanwhile').toEqual(upTo(3));
  store.failure = null;
  log.append(claim, end);
  await log.flush(id);
  expect(idsOf(store.events)).toEqual(upTo(4));
  expect(problems).toEqual([]);
});

test('a store that refuses for good is told of; that another server has the measurement is not', async () => {
  const { log, store, problems } = open();
  store.failure = problem('claim_lost', 'Another server has it.');
  log.append(claim, step);
  await turn();
  expect(problems).toEqual([]);
  store.failure = problem('database_damaged', 'It is damaged.');
  log.append(claim, step);
  await turn();
  expect(problems).toEqual([store.failure]);
});

test('events of before a measurement was claimed are stored by who claimed it', async () => {
  const { log, store } = open();
  store.failure = problem('claim_lost', 'It was claimed.');
  log.append({ id, fence: 0 }, step);
  await turn();
  store.failure = null;
  log.append(claim, step);
  await log.flush(id);
  expect(idsOf(store.events)).toEqual([1, 2]);
  expect(store.claims).toEqual([claim]);
});

test('a mention is heard by those who watch, without an id, and is in no log', async () => {
  const { log, store } = open();
  const heard = follow(log, 0);
  log.append(claim, step);
  log.mention(id, { type: 'stalled', detail: 'no space' });
  await turn();
  log.append(claim, end);
  expect((await heard).map((event) => [event.id, event.type])).toEqual([
    [1, 'state'],
    [null, 'stalled'],
    [2, 'end'],
  ]);
  await log.flush(id);
  expect(idsOf(store.events)).toEqual([1, 2]);
  expect(idsOf(await follow(log, 0))).toEqual([1, 2]);
});

test('progress is heard by those who watch and by whoever comes later, the latest alone, and is not stored', async () => {
  const { log, store } = open();
  const progress = (fraction: number) => ({ type: 'progress', fraction });
  const heard = follow(log, 0);
  log.append(claim, step);
  await turn();
  for (const fraction of [0.1, 0.2]) {
    log.mention(id, progress(fraction));
    await turn();
  }
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const [late, slow] = [follow(log, 1), follow(log, 0, () => gate)];
  await turn();
  log.mention(id, progress(0.3));
  log.mention(id, progress(0.4));
  release();
  await turn();
  log.append(claim, end);
  const told = async (events: Promise<ToldEvent[]>) =>
    (await events).map(({ id: own, text }) => [own, JSON.parse(text).fraction ?? null]);
  const [state, over] = [
    [1, null],
    [2, null],
  ];
  expect(await told(heard)).toEqual([state, [null, 0.1], [null, 0.2], [null, 0.3], [null, 0.4], over]);
  expect(await told(late)).toEqual([[null, 0.2], [null, 0.3], [null, 0.4], over]);
  expect(await told(slow)).toEqual([state, [null, 0.4], over]);
  await log.flush(id);
  expect(idsOf(store.events)).toEqual([1, 2]);
});

test('a greeting is told to the one who joins, not again to all who watch already', async () => {
  const { log } = open();
  const place = (queuePosition: number) => ({ type: 'state', state: 'queued', queuePosition }) as const;
  const heard = [1, 2, 3].map((queuePosition) => {
    const events: ToldEvent[] = [];
    const listener = { onEvent: (event: ToldEvent) => void events.push(event), onEnd() {} };
    log.follow(id, 0, listener, place(queuePosition));
    return events;
  });
  await turn();
  expect(heard.map((events) => events.map(({ text }) => JSON.parse(text).queuePosition))).toEqual([
    [1],
    [2],
    [3],
  ]);
});

test('what an earlier server logged comes first, and the numbers go on behind it', async () => {
  const { log, store } = open();
  log.open(id, [{ id: 1, body: '{"type":"state"}' }]);
  const heard = follow(log, 0);
  log.append(claim, end);
  expect(await heard).toEqual([
    { id: 1, type: 'state', text: '{"type":"state"}' },
    { id: 2, type: 'end', text: JSON.stringify(end) },
  ]);
  await log.flush(id);
  expect(idsOf(store.events)).toEqual([2]);
});
