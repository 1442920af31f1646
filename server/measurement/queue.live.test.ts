import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreatedRun } from '../../shared/api.ts';
import { createdRunSchema, healthSchema } from '../../shared/api.ts';
import { problemSchema } from '../../shared/problem.ts';
import { pairOf } from '../../shared/transport.ts';
import { isBlock, openServerInTest, type ServerInTest } from '../testing/server-in-test.ts';

/** Runs that wait, begin one after the other, and are cancelled, all on one server. */

let server: ServerInTest;
let running: CreatedRun;
let next: CreatedRun;
let kept: CreatedRun;
let discarded: CreatedRun;

beforeAll(async () => {
  server = await openServerInTest();
  running = await server.create({ seed: 1 });
  kept = await server.create({ seed: 2 });
  next = await server.create({ seed: 3, transports: ['http', 'http'] });
  discarded = await server.create({ seed: 4 });
});
afterAll(() => server.close());

const beginning = (event: { type: string; state?: string }) =>
  event.type === 'state' && event.state === 'running';

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { Origin: server.url, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function health() {
  return healthSchema.parse(await (await fetch(`${server.url}/api/v1/health`)).json());
}

async function placeOf({ id }: CreatedRun): Promise<number | null> {
  const list = (await (await fetch(`${server.url}/api/v1/runs`)).json()) as {
    runs: { id: string; queuePosition: number | null }[];
  };
  return list.runs.find((run) => run.id === id)?.queuePosition ?? null;
}

test('one run goes on at a time, and the others wait in the order in which they came', async () => {
  await server.until(running.id, beginning);
  expect(await health()).toMatchObject({ running: running.id, queued: 3 });
  expect(await Promise.all([running, kept, next, discarded].map(placeOf))).toEqual([null, 1, 2, 3]);
  expect(await server.document(next.id)).toMatchObject({ state: 'queued', blocks: [], startedAt: null });
});

test('a dry run does not disturb a run that has the machine', async () => {
  const response = await post('/api/v1/scenarios/search/dry-run', {});
  expect(problemSchema.parse(await response.json())).toMatchObject({ status: 409, code: 'machine_busy' });
});

test('a waiting run that is cancelled and kept has a document without blocks, and those behind it move up', async () => {
  const response = await post(`/api/v1/runs/${kept.id}/cancel`, { keep: true });
  expect(response.status).toBe(202);
  expect(await response.json()).toMatchObject({ id: kept.id, state: 'incomplete', queuePosition: null });
  expect(await server.document(kept.id)).toMatchObject({
    state: 'incomplete',
    blocks: [],
    verdict: null,
    problem: { code: 'run_cancelled' },
  });
  expect(await Promise.all([next, discarded].map(placeOf))).toEqual([1, 2]);
  await server.until(
    discarded.id,
    (event) => event.type === 'state' && event.state === 'queued' && event.queuePosition === 2,
  );
});

test('a waiting run that is cancelled and discarded is gone', async () => {
  const response = await post(`/api/v1/runs/${discarded.id}/cancel`, { keep: false });
  expect(response.status).toBe(202);
  expect(await server.status(discarded.id)).toBe(410);
  expect(await health()).toMatchObject({ running: running.id, queued: 1 });
});

test('the same idempotency key makes one run, and a different request with it is refused', async () => {
  const headers = { 'Idempotency-Key': 'a key of this test' };
  const first = createdRunSchema.parse(await (await post('/api/v1/runs', { seed: 5 }, headers)).json());
  const again = createdRunSchema.parse(await (await post('/api/v1/runs', { seed: 5 }, headers)).json());
  expect(again).toEqual(first);
  const both = await Promise.all(
    [1, 2].map(() => post('/api/v1/runs', { seed: 6 }, { 'Idempotency-Key': 'at the same time' })),
  );
  const [one, other] = await Promise.all(both.map(async (each) => createdRunSchema.parse(await each.json())));
  expect(one).toEqual(other);
  const different = await post('/api/v1/runs', { seed: 7 }, headers);
  expect(different.status).toBe(422);
  expect(problemSchema.parse(await different.json()).code).toBe('idempotency_conflict');
  expect((await health()).queued).toBe(3);
  for (const { id } of [first, one].filter((run) => run !== undefined)) await server.api.cancelRun(id, false);
});

test('a run under way that is cancelled and discarded is gone, and the next begins', async () => {
  await server.api.cancelRun(running.id, false);
  await server.until(next.id, beginning);
  expect(await server.status(running.id)).toBe(410);
  expect(await health()).toMatchObject({ running: next.id, queued: 0 });
});

test('a run under way that is cancelled and kept keeps its blocks, labelled incomplete, without a verdict', async () => {
  await server.until(next.id, isBlock);
  await server.api.cancelRun(next.id, true);
  expect(await server.until(next.id, (event) => event.type === 'end')).toEqual({
    type: 'end',
    state: 'incomplete',
  });
  const document = await server.document(next.id);
  expect(document).toMatchObject({
    state: 'incomplete',
    verdict: null,
    problem: { code: 'run_cancelled' },
    plan: { seed: 3 },
  });
  expect(document.blocks.length).toBeGreaterThanOrEqual(1);
  expect(document.blocks.every(({ slots }) => slots.length === 6)).toBe(true);
  // It was one of HTTP against its twin.
  expect(pairOf(document.sides)).toEqual(['http', 'http']);
  expect(document.blocks.flatMap(({ slots }) => slots.map(({ transport }) => transport))).not.toContain(
    'https',
  );
  expect(await health()).toMatchObject({ running: null, queued: 0 });
});

test('a scenario that cannot work is refused with the fields that are wrong', async () => {
  const step = { name: 'Orders', method: 'GET', path: '/orders/$' + '{id}' };
  const pattern = { from: 'regex', variable: 'other', pattern: '(' };
  const scenario = { name: 'Broken', steps: [{ ...step, extract: [pattern] }] };
  for (const path of ['/api/v1/runs', '/api/v1/preflight']) {
    const response = await post(path, { scenario });
    expect(response.status).toBe(400);
    const { errors } = problemSchema.parse(await response.json());
    expect(errors?.map(({ field }) => field)).toEqual([
      'scenario.steps.0.path',
      'scenario.steps.0.extract.0.pattern',
    ]);
  }
});
