/** Protects progress as server-sent events: replay, live, end. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type RunEvent, runEventSchema } from '../../../shared/kinds/comparison/block.ts';
import { claimMeasurement, storeEnding } from '../../life/database/measurements.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
afterEach(async () => {
  // One at a time has the machine: what a test leaves would keep the next one waiting.
  for (const id of made.splice(0)) await server.measurements.cancel(id, true).catch(() => {});
  await vi.waitFor(() => expect(server.measurements.status().running).toBeNull());
});

const made: string[] = [];

/** An event that is not in the log has no id. */
type Message = { id: number | null; name: string; event: RunEvent };

async function open(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const [response] = await once(get(`${server.origin}${path}`, { agent: false, headers }), 'response');
  return response;
}

/** The messages of a stream up to its end. */
async function* read(response: IncomingMessage): AsyncGenerator<Message> {
  let fields: Record<string, string> = {};
  for await (const line of createInterface({ input: response })) {
    const [, name, value] = /^(\w+):\s?(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) fields[name] = value;
    if (line !== '') continue;
    const { id, event = '', data } = fields;
    fields = {};
    if (data !== undefined)
      yield {
        id: id === undefined ? null : Number(id),
        name: event,
        event: runEventSchema.parse(JSON.parse(data)),
      };
  }
}

async function readAll(response: IncomingMessage): Promise<Message[]> {
  const messages: Message[] = [];
  for await (const message of read(response)) messages.push(message);
  return messages;
}

const numbersOf = (messages: readonly Message[]) => messages.flatMap(({ id }) => id ?? []);
const eventsOf = (id: string) => `/api/v1/measurements/${id}/events`;

function progress(done: number): RunEvent {
  const counts = [{ of: 'block', done, planned: 12 }];
  return { type: 'progress', phase: 'measuring', fraction: done / 12, counts, secondsLeft: null };
}

function errors(count: number): RunEvent {
  const error = {
    side: 'baseline',
    name: 'HTTP',
    step: 'Home',
    outcome: 'timed_out',
    detail: '',
    count,
  } as const;
  return { type: 'errors', groups: [error] };
}

/** A run that goes on, and what it can tell. Its log begins with the two states before that. */
async function newRun(): Promise<{ id: string; tell(event: RunEvent): void }> {
  const before = server.underWay.length;
  const { id } = await server.measurements.create('comparison', {}, null);
  made.push(id);
  await vi.waitFor(() => expect(server.underWay).toHaveLength(before + 1));
  return { id, tell: (event) => server.underWay[before]?.tell(event) };
}

test('a stream replays, goes on live, and closes after end', async () => {
  const { id, tell } = await newRun();
  tell(progress(1));
  const response = await open(eventsOf(id));
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toMatch(/^text\/event-stream/);
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.headers['content-encoding']).toBeUndefined();

  const messages = read(response);
  expect((await messages.next()).value).toMatchObject({ id: 1, name: 'state', event: { state: 'queued' } });
  expect((await messages.next()).value).toMatchObject({ id: 2, event: { state: 'running' } });
  expect((await messages.next()).value).toMatchObject({ id: null, event: progress(1) });
  tell(errors(2));
  expect((await messages.next()).value).toMatchObject({ id: 3, event: errors(2) });
  await server.measurements.cancel(id, true);
  expect((await messages.next()).value).toMatchObject({ id: 4, event: { type: 'end', state: 'incomplete' } });
  expect((await messages.next()).done).toBe(true);
});

test('after a break, what was missed is replayed and nothing else', async () => {
  const { id, tell } = await newRun();
  for (const count of [1, 2, 3]) {
    tell(progress(count));
    tell(errors(count));
  }
  await server.measurements.cancel(id, true);
  const byHeader = await readAll(await open(eventsOf(id), { 'Last-Event-ID': '4' }));
  expect(numbersOf(byHeader)).toEqual([5, 6]);
  const byQuery = await readAll(await open(`${eventsOf(id)}?lastEventId=4`));
  expect(numbersOf(byQuery)).toEqual([5, 6]);
});

test('whoever has had the end is told to stop asking', async () => {
  const { id } = await newRun();
  await server.measurements.cancel(id, true);
  const all = await readAll(await open(eventsOf(id)));
  await vi.waitFor(() => expect(server.measurements.status().running).toBeNull());
  const response = await open(eventsOf(id), { 'Last-Event-ID': String(all.at(-1)?.id) });
  expect(response.statusCode).toBe(204);
});

test('a run that is over ends its stream even if its log was cut short', async () => {
  const { id } = await insertInTest(server.database);
  const claim = await claimMeasurement(server.database, id);
  if (claim === null) throw new Error('the run is gone');
  const ending = { state: 'interrupted', endedAt: 2, problem: null, summary: {}, figures: null } as const;
  await storeEnding(server.database, claim, { ...ending, schemaVersion: 1, text: '{}' });
  const messages = await readAll(await open(eventsOf(id)));
  expect(messages).toMatchObject([{ id: 1, name: 'end', event: { state: 'interrupted' } }]);
});

test('a listener that goes away leaves nothing behind, and the others go on', async () => {
  const { id, tell } = await newRun();
  const leaving = await open(eventsOf(id));
  const staying = await open(eventsOf(id));
  leaving.destroy();
  const all = readAll(staying);
  for (let count = 1; count <= 50; count++) tell(errors(count));
  await server.measurements.cancel(id, true);
  expect((await all).map((message) => message.id)).toEqual(
    Array.from({ length: 53 }, (_, index) => index + 1),
  );
});

test('unknown and deleted runs have no stream; HEAD opens none', async () => {
  expect((await server.send(eventsOf('Z'.repeat(22)))).status).toBe(404);
  const { id } = await server.storeRun();
  await server.send(`/api/v1/measurements/${id}`, {
    method: 'DELETE',
    headers: { 'X-Delete-Token': 'token' },
  });
  expect((await server.send(eventsOf(id))).status).toBe(410);
  const head = await server.send(eventsOf((await newRun()).id), { method: 'HEAD' });
  expect(head).toMatchObject({ status: 200, text: '' });
});

test('a stream that is opened while its run is discarded ends, whichever comes first', async () => {
  const statuses = new Set<number | undefined>();
  for (let turns = 0; turns < 60; turns++) {
    const { id } = await newRun();
    const opening = open(eventsOf(id));
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    await server.measurements.cancel(id, false);
    const response = await opening;
    await readAll(response);
    statuses.add(response.statusCode);
    await vi.waitFor(() => expect(server.measurements.status().running).toBeNull());
  }
  expect([...statuses].filter((status) => status !== 200 && status !== 410)).toEqual([]);
});
