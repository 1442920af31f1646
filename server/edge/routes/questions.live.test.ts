/** Protects the list of questions at the API: each once, with its trend and steps, found by words, a page at a time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { questionListSchema } from '../../../shared/api/question-endpoints.ts';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { laterRun } from '../../testing/later-run.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
const ids: string[] = [];
let other = '';

beforeAll(async () => {
  server = await openTestServer();
  const base = laterRun();
  for (const [place, cpu] of [1, 1.002, 0.998, 1, 0.9, 0.901, 0.899].entries()) {
    const { id, createdAt, ...run } = laterRun({ cpu });
    ids.push((await server.storeRun({ ...run, createdAt: base.createdAt + place })).id);
  }
  const { id, scenario, ...run } = base;
  const [step, ...steps] = scenario.steps;
  if (step === undefined) throw new Error('the sample has steps');
  const moved = { ...scenario, name: 'Elsewhere', steps: [{ ...step, path: '/home' }, ...steps] };
  other = (await server.storeRun({ ...run, createdAt: base.createdAt + 99, scenario: moved })).id;
});
afterAll(() => server.close());

const list = async (query = '') => {
  const { status, text } = await server.send(`/api/v1/questions${query}`);
  expect(status).toBe(200);
  return questionListSchema.parse(JSON.parse(text));
};

test('each question stands once, the one that was asked last first, with its newest run and its figure', async () => {
  const { questions, nextCursor } = await list();
  expect(questions.map(({ newest, runs }) => [newest.id, runs])).toEqual([
    [other, 1],
    [ids.at(-1), 7],
  ]);
  expect(nextCursor).toBeNull();
  const [, asked] = questions;
  expect(asked?.newest.found).toMatchObject({
    metric: 'cpu_at_load',
    outcome: 'overhead',
    amount: expect.stringMatching(/^\+.* µs$/),
  });
  expect(asked?.trend.map(({ id }) => id)).toEqual(ids);
  expect(asked?.trend.map(({ isStep }) => isStep)).toEqual([false, false, false, false, true, false, false]);
});

test('questions are found by the words of their runs, and go on from a cursor', async () => {
  expect((await list('?q=elsewhere')).questions.map(({ newest }) => newest.id)).toEqual([other]);
  expect((await list('?q=nothing')).questions).toEqual([]);
  const first = await list('?limit=1');
  expect(first.questions.map(({ newest }) => newest.id)).toEqual([other]);
  const second = await list(`?limit=1&cursor=${first.nextCursor}`);
  expect(second.questions.map(({ newest }) => newest.id)).toEqual([ids.at(-1)]);
  expect(second.nextCursor).toBeNull();
});

test('a cursor of something else is refused', async () => {
  const { status, text } = await server.send('/api/v1/questions?cursor=7-x');
  expect(status).toBe(400);
  expect(problemSchema.parse(JSON.parse(text)).errors).toMatchObject([{ field: 'cursor' }]);
});
