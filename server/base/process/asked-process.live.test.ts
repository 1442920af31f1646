/** Protects the one way a child process is asked: every call is answered or rejected, and none is left. */

import { existsSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { problem } from '../../../shared/base/problem.ts';
import { questions } from '../../testing/asked-process-in-test.ts';
import { problemOfError } from '../text/foreign-errors.ts';
import { type AskedProcess, answerProblem, startAskedProcess } from './asked-process.ts';

const started: AskedProcess<typeof questions>[] = [];
afterEach(() => Promise.all(started.splice(0).map((each) => each.stop())));

type Options = Partial<Parameters<typeof startAskedProcess<typeof questions>>[0]>;

async function start(options: Options = {}): Promise<AskedProcess<typeof questions>> {
  const asked = await startAskedProcess({
    script: new URL('../../testing/asked-process-in-test.ts', import.meta.url),
    questions,
    name: 'The child',
    code: 'lab_failed',
    graceMs: 20_000,
    ...options,
  });
  started.push(asked);
  return asked;
}

const failing = (detail: RegExp) => ({
  problem: { code: 'lab_failed', detail: expect.stringMatching(detail) },
});
const isAlive = ({ pid }: { pid: number }) => existsSync(`/proc/${pid}`);

test('answers reach their own calls, in whatever order they come', async () => {
  const { ask } = await start();
  const order: string[] = [];
  const answers = ['slow', 'fast'].map(async (text) => {
    order.push(await ask('echo', { text, afterMs: text === 'slow' ? 200 : 0 }));
    return text;
  });
  expect(await Promise.all(answers)).toEqual(['slow', 'fast']);
  expect(order).toEqual(['fast', 'slow']);
});

test('a question takes its defaults, and counts arrive as they are', async () => {
  const { ask } = await start();
  expect(await ask('echo', { afterMs: 0 })).toBe('nothing');
  expect(await ask('count', undefined)).toEqual(Uint32Array.of(1, 2, 3));
});

test('JSON carries answers of text, and a question without words', async () => {
  const { ask } = await start({ serialization: 'json' });
  expect(await ask('echo', { text: 'a', afterMs: 0 })).toBe('a');
  await expect(ask('count', undefined)).rejects.toMatchObject(failing(/an invalid answer/));
});

test('a problem ends one question, not the process', async () => {
  const { ask } = await start();
  expect(await answerProblem(() => ask('refuse', 'no such cipher'))).toBe('no such cipher');
  expect(await ask('echo', { text: 'on', afterMs: 0 })).toBe('on');
});

test('the owner words a problem as its own problem', async () => {
  const { ask } = await start({
    refused: ({ message }) => problem('target_unreachable', `It said ${message}.`),
  });
  await expect(ask('refuse', 'no')).rejects.toMatchObject({
    problem: { code: 'target_unreachable', detail: 'It said no.' },
  });
});

test.each([
  ['SQLite', 'It broke: it failed (details).', /near "selec": syntax error/],
  ['koffi', 'It broke: it failed (details).', /shared library/],
  ['system', 'It broke: there is no such file.', /ENOENT/],
  ['schema', 'It broke: users: must be a number.', /^undefined$/],
] as const)('foreign words of %s leave the process as details', async (where, detail, original) => {
  const { ask } = await start({
    refused: (refusal) => problemOfError('target_unreachable', 'It broke', refusal),
  });
  const { problem: told } = await ask('fail', where).catch((error) => error);
  expect(told.detail).toBe(detail);
  expect(String(told.details)).toMatch(original);
});

test('a death in the middle of a question fails every call, and those after it', async () => {
  const { ask, ended } = await start();
  const others = ask('echo', { text: 'late', afterMs: 60_000 });
  const calls = [ask('die', undefined), others];
  for (const call of calls)
    await expect(call).rejects.toMatchObject(failing(/^The child ended \(exit code 3\)\.$/));
  expect(await ended).toBe('exit code 3');
  await expect(ask('count', undefined)).rejects.toMatchObject(failing(/exit code 3/));
});

test('an answer that may take months is waited for', async () => {
  const { ask } = await start();
  expect(await ask('echo', { text: 'on', afterMs: 50 }, { expectedMs: 2 ** 31 })).toBe('on');
});

test('a process that hangs is ended, and the call says so', async () => {
  const asked = await start({ graceMs: 300 });
  await expect(asked.ask('hang', undefined)).rejects.toMatchObject(
    failing(/did not answer in time and was ended/),
  );
  expect(isAlive(asked)).toBe(false);
});

test('an answer that is expected late is waited for', async () => {
  const { ask } = await start({ graceMs: 10 });
  expect(await ask('echo', { text: 'late', afterMs: 500 }, { expectedMs: 30_000 })).toBe('late');
});

test.each([
  ['no answer at all', 'rubbish', /sent something other than an answer/],
  [
    'an answer to a question that nobody asked',
    { call: 99, answer: null },
    /answered a question that it was not asked/,
  ],
])('%s ends the process', async (_, message, detail) => {
  const asked = await start();
  await expect(asked.ask('send', message)).rejects.toMatchObject(failing(detail));
  expect(isAlive(asked)).toBe(false);
});

test('an answer of the wrong type ends the process', async () => {
  const asked = await start();
  await expect(asked.ask('lie', undefined)).rejects.toMatchObject(failing(/an invalid answer/));
  expect(isAlive(asked)).toBe(false);
});

test('a question that is not valid ends the process: no problem hides the mistake', async () => {
  const { ask } = await start();
  const wrong = { text: 7, afterMs: 0 } as unknown as { afterMs: number };
  await expect(ask('echo', wrong)).rejects.toMatchObject(failing(/ended \(exit code 1\)/));
});

test.each(['before', 'after'])(
  'a signal aborted %s the question ends the process and gives its reason',
  async (when) => {
    const asked = await start();
    const giveUp = new AbortController();
    const reason = new Error('cancelled');
    if (when === 'before') giveUp.abort(reason);
    const call = asked.ask('hang', undefined, { signal: giveUp.signal });
    giveUp.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(isAlive(asked)).toBe(false);
  },
);

test('stop ends a process that is idle, and one that hangs by force', async () => {
  const [idle, hanging] = await Promise.all([start(), start()]);
  // One that hangs takes a core.
  await idle.stop();
  const hung = expect(hanging.ask('hang', undefined)).rejects.toMatchObject(failing(/ended \(SIGKILL\)/));
  await hanging.stop();
  await hung;
  expect(await Promise.all([idle.ended, hanging.ended])).toEqual(['exit code 0', 'SIGKILL']);
});

test('Ctrl-C, which a terminal sends to every process, does not end it', async () => {
  const { pid, ask } = await start();
  // Not before its script runs.
  await ask('echo', { afterMs: 0 });
  process.kill(pid, 'SIGINT');
  expect(await ask('echo', { text: 'on', afterMs: 100 })).toBe('on');
});

test('a script that is not there fails the first call', async () => {
  const { ask } = await start({ script: new URL('./absent.ts', import.meta.url) });
  await expect(ask('echo', { afterMs: 0 })).rejects.toMatchObject(failing(/ended \(exit code 1\)/));
});
