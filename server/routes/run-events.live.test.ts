import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunEvent, runEventSchema } from '../../shared/progress.ts';
import { buryRun, updateRun } from '../database/runs.ts';
import { openTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

type Message = { id: number; name: string; event: RunEvent };

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
      yield { id: Number(id), name: event, event: runEventSchema.parse(JSON.parse(data)) };
  }
}

async function readAll(response: IncomingMessage): Promise<Message[]> {
  const messages: Message[] = [];
  for await (const message of read(response)) messages.push(message);
  return messages;
}

const eventsOf = (id: string) => `/api/v1/runs/${id}/events`;

function progress(blocksDone: number): RunEvent {
  const counts = { blocksDone, blocksPlanned: 12, secondsLeft: null };
  return { type: 'progress', phase: 'measuring', fraction: blocksDone / 12, ...counts };
}

async function newRun(): Promise<string> {
  return (await server.control.create({} as never, null)).id;
}

test('a stream replays, goes on live, and closes after end', async () => {
  const id = await newRun();
  await server.events.append(id, progress(1));
  const response = await open(eventsOf(id));
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toMatch(/^text\/event-stream/);
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.headers['content-encoding']).toBeUndefined();

  const messages = read(response);
  expect((await messages.next()).value).toMatchObject({ id: 1, name: 'state' });
  expect((await messages.next()).value).toMatchObject({ id: 2, event: progress(1) });
  await server.events.append(id, progress(2));
  expect((await messages.next()).value).toMatchObject({ id: 3, event: progress(2) });
  await server.control.cancel(id, true);
  expect((await messages.next()).value).toMatchObject({ id: 4, event: { type: 'end', state: 'incomplete' } });
  expect((await messages.next()).done).toBe(true);
});

test('after a break, what was missed is replayed and nothing else', async () => {
  const id = await newRun();
  for (const done of [1, 2, 3]) await server.events.append(id, progress(done));
  await server.control.cancel(id, true);
  const byHeader = await readAll(await open(eventsOf(id), { 'Last-Event-ID': '3' }));
  expect(byHeader.map((message) => message.id)).toEqual([4, 5]);
  const byQuery = await readAll(await open(`${eventsOf(id)}?lastEventId=3`));
  expect(byQuery).toEqual(byHeader);
});

test('whoever has had the end is told to stop asking', async () => {
  const id = await newRun();
  await server.control.cancel(id, true);
  const response = await open(eventsOf(id), { 'Last-Event-ID': '2' });
  expect(response.statusCode).toBe(204);
});

test('a run that is over ends its stream even if its log was cut short', async () => {
  const id = await newRun();
  await updateRun(server.database, id, { state: 'interrupted' });
  const messages = await readAll(await open(eventsOf(id)));
  expect(messages.map((message) => [message.id, message.name])).toEqual([
    [1, 'state'],
    [2, 'end'],
  ]);
});

test('a listener that goes away leaves nothing behind, and the others go on', async () => {
  const id = await newRun();
  const leaving = await open(eventsOf(id));
  const staying = await open(eventsOf(id));
  leaving.destroy();
  const all = readAll(staying);
  for (let done = 1; done <= 50; done++) await server.events.append(id, progress(done % 12));
  await server.control.cancel(id, true);
  expect((await all).map((message) => message.id)).toEqual(
    Array.from({ length: 52 }, (_, index) => index + 1),
  );
});

test('unknown and deleted runs have no stream; HEAD opens none', async () => {
  expect((await server.send(eventsOf('Z'.repeat(22)))).status).toBe(404);
  const { id } = await server.storeRun();
  await server.send(`/api/v1/runs/${id}`, { method: 'DELETE', headers: { 'X-Delete-Token': 'token' } });
  expect((await server.send(eventsOf(id))).status).toBe(410);
  const head = await server.send(eventsOf(await newRun()), { method: 'HEAD' });
  expect(head).toMatchObject({ status: 200, text: '' });
});

test('a stream that is opened while its run is discarded ends, whichever comes first', async () => {
  const statuses = new Set<number | undefined>();
  for (let turns = 0; turns < 60; turns++) {
    const id = await newRun();
    const opening = open(eventsOf(id));
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    await server.events.append(id, { type: 'end', state: 'incomplete' });
    await buryRun(server.database, id, Date.now());
    const response = await opening;
    await readAll(response);
    statuses.add(response.statusCode);
  }
  expect(statuses).toEqual(new Set([410, 200]));
});
