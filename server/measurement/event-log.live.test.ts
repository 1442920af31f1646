import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunEvent } from '../../shared/progress.ts';
import { runRequestSchema } from '../../shared/run.ts';
import type { LoggedEvent } from '../database/events.ts';
import { type Database, openDatabase } from '../database/open-database.ts';
import { buryRun, insertRun } from '../database/runs.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { openRunEventLog, type RunEventLog } from './event-log.ts';

const { id, scenario, plan } = sampleRun({ blocksPerPoint: 1 });
let directory: string;
let database: Database;
let events: RunEventLog;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tls-toll-events-'));
  database = await openDatabase({ directory, url: null });
  events = openRunEventLog(database);
  const request = runRequestSchema.parse({});
  const hashes = { deleteTokenHash: 'hash', idempotencyKey: null, requestHash: 'hash' };
  await insertRun(database, { id, createdAt: 1, request, scenario, plan, ...hashes });
});
afterEach(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

const state: RunEvent = { type: 'state', state: 'running', queuePosition: null };
const end: RunEvent = { type: 'end', state: 'finished' };

/** Everything that a follower hears, up to the end. */
function follow(
  afterId: number,
  pause: () => Promise<void> = async () => {},
): Promise<LoggedEvent<RunEvent>[]> {
  const heard: LoggedEvent<RunEvent>[] = [];
  return new Promise((resolve, reject) => {
    const hear = (logged: LoggedEvent<RunEvent>) => {
      heard.push(logged);
      return pause();
    };
    events.follow(id, afterId, hear, (error) => (error === null ? resolve(heard) : reject(error)));
  });
}

const idsOf = (heard: LoggedEvent<RunEvent>[]) => heard.map((logged) => logged.id);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

test('followers that join before, amid and after the appending hear every event once and in order', async () => {
  const joined = [follow(0)];
  for (let i = 1; i <= 60; i++) {
    const appended = events.append(id, state);
    if (i % 20 === 0) joined.push(follow(0));
    if (i % 3 === 0) await appended;
  }
  joined.push(follow(0));
  await events.append(id, end);
  joined.push(follow(0));
  for (const heard of await Promise.all(joined)) expect(idsOf(heard)).toEqual(upTo(61));
});

test('events have the numbers of the order in which they were appended, though nobody waited', async () => {
  const appended = upTo(20).map(() => events.append(id, state));
  expect(await Promise.all(appended)).toEqual(upTo(20));
});

test('a slow follower misses nothing and holds nobody up', async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = follow(0, () => gate);
  const quick = follow(0);
  for (let i = 1; i <= 1200; i++) await events.append(id, state);
  await events.append(id, end);
  expect(idsOf(await quick)).toEqual(upTo(1201));
  release();
  expect(idsOf(await slow)).toEqual(upTo(1201));
});

test('a follower goes on after the id that it names', async () => {
  for (let i = 1; i <= 5; i++) await events.append(id, state);
  const heard = follow(3);
  await events.append(id, end);
  expect(idsOf(await heard)).toEqual([4, 5, 6]);
});

test('a follower that claims to have read further than the log goes still hears the end', async () => {
  const heard = follow(1000);
  await events.append(id, state);
  await events.append(id, end);
  expect(idsOf(await heard)).toEqual([2]);
});

test('a follower hears the end of a run that is buried right after it', async () => {
  const heard = follow(0);
  const appended = events.append(id, end);
  await appended;
  await buryRun(database, id, 1);
  expect((await heard).at(-1)?.event).toEqual(end);
});

test('a follower that stops hears no more', async () => {
  const heard: number[] = [];
  const first = Promise.withResolvers<void>();
  const stop = events.follow(id, 0, (logged) => {
    heard.push(logged.id);
    first.resolve();
  });
  await events.append(id, state);
  await first.promise;
  stop();
  const other = follow(0);
  await events.append(id, state);
  await events.append(id, end);
  await other;
  expect(heard).toEqual([1]);
});

test('a follower that fails is told so, and the others go on', async () => {
  const failing = new Promise((resolve) => {
    events.follow(id, 0, () => Promise.reject(new Error('closed')), resolve);
  });
  const other = follow(0);
  await events.append(id, state);
  await events.append(id, end);
  expect(await failing).toEqual(new Error('closed'));
  expect(idsOf(await other)).toEqual([1, 2]);
});

test('an append that fails leaves the log in order for the next', async () => {
  await expect(events.append('no-such-run'.padEnd(22, '0'), state)).rejects.toThrow();
  expect(await events.append(id, state)).toBe(1);
});
