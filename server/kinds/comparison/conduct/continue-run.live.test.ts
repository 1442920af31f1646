/** Protects continued runs: both parts in one document, at 99 %, counted once, and refused where the two do not belong together. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { questionEndpoints } from '../../../../shared/api/question-endpoints.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import type { CreateRunInput } from '../../../../shared/kinds/comparison/run-request.ts';
import { scriptedApparatus } from '../../../testing/scripted-apparatus.ts';
import { isEnd, openServerInTest, type ServerInTest } from '../../../testing/server-in-test.ts';
import { shortenRuns } from '../../../testing/shorten-runs.ts';

let server: ServerInTest;
let asLongAgain: () => void;
beforeAll(async () => {
  asLongAgain = shortenRuns();
  server = await openServerInTest(undefined, { apparatus: scriptedApparatus(0.3) });
});
afterAll(async () => {
  asLongAgain();
  await server.close();
});

async function run(request: CreateRunInput): Promise<RunDocument> {
  const { id } = await server.create(request);
  await server.until(id, isEnd);
  return server.document(id);
}

test('a continued run has the blocks of both, at 99 %, and is the only one that its question counts', async () => {
  const first = await run({ seed: 5 });
  expect(first.state).toBe('finished');
  const longer = await run({ continues: first.id });
  expect(longer).toMatchObject({
    state: 'finished',
    continued: { id: first.id, blocks: first.blocks.length },
    asked: { continues: first.id },
  });
  expect(longer.blocks.slice(0, first.blocks.length)).toEqual(first.blocks);
  expect(longer.blocks.length).toBeGreaterThan(first.blocks.length);
  expect(longer.blocks.map(({ index }) => index)).toEqual(longer.blocks.map((_, index) => index));
  const launches = longer.launches.map(({ index }) => index);
  expect(launches).toEqual(launches.map((_, index) => index));
  expect(launches.length).toBeGreaterThan(first.launches.length);
  const times = longer.blocks.map(({ slots }) => slots[0]?.startedAtMs ?? 0);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(longer.atLoad?.users).toBe(first.atLoad?.users);
  expect(new Set(longer.metrics.map(({ confidence }) => confidence))).toEqual(new Set([0.99]));
  expect(new Set(first.metrics.map(({ confidence }) => confidence))).toEqual(new Set([undefined]));
  expect(longer.pool).toBeUndefined();
  const { questions } = await server.api.call(questionEndpoints.listQuestions, {});
  expect(questions).toMatchObject([{ runs: 1 }]);
  // The old page is as it was.
  expect(await server.document(first.id)).toEqual(first);
  // A continued run can be continued as well.
  const longest = await run({ continues: longer.id });
  expect(longest.continued).toEqual({ id: longer.id, blocks: longer.blocks.length });
});

test.each(['3fK9mQx7Lw2RtYb8NcVd1Z'])('an unknown run cannot be continued', async (continues) => {
  await expect(server.create({ continues })).rejects.toMatchObject({ problem: { code: 'run_not_found' } });
});

test('a run that has not finished cannot be continued', async () => {
  const { id } = await server.create({});
  await expect(server.create({ continues: id })).rejects.toMatchObject({
    problem: { code: 'not_continuable', detail: 'Only a run that finished can be continued.' },
  });
  await server.cancel(id, false);
  await server.until(id, isEnd);
});
