/** Protects a run, and the machine, from a server that ends in the middle of it: what stays, and what must not. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { pairOf } from '../../../shared/base/transport.ts';
import { type LiveProcess, ProcessTree, readProcessStat } from '../../base/process/proc.ts';
import { briefly, endPrograms, type Program, startProgram } from '../../testing/program-in-test.ts';
import { clientInTest, isBlock, isEnd, openServerInTest } from '../../testing/server-in-test.ts';

const directories: string[] = [];
afterEach(endPrograms);
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-interrupted-'));
  directories.push(directory);
  return directory;
}

/** Goes on until it is ended. */
const plan = JSON.stringify({ epochs: { minimum: 50, maximum: 50 } });

async function serve(directory: string) {
  const program = startProgram([...briefly, 'server/edge/main.ts'], [], {
    ...{ PORT: '0', TLS_TOLL_DATA: directory, BRIEF_PLAN: plan },
  });
  const [, url = ''] = await program.prints(/listens on (\S+)/);
  return { program, ...clientInTest(url) };
}

/** The program's children and theirs, without itself. */
function descendantsOf({ pid }: Program): LiveProcess[] {
  const stat = readProcessStat(pid);
  if (stat === null) throw new Error(`process ${pid} is not there`);
  return new ProcessTree({ pid, stat }).list().filter((member) => member.pid !== pid);
}

function living(processes: LiveProcess[]): number[] {
  return processes
    .filter(({ pid, stat }) => readProcessStat(pid)?.startTicks === stat.startTicks)
    .map(({ pid }) => pid);
}

async function expectAllToEnd(processes: LiveProcess[]): Promise<void> {
  await expect.poll(() => living(processes)).toEqual([]);
}

test('a server killed in the middle of a run leaves no process, loses no block, and its queue goes on', async () => {
  const directory = makeDirectory();
  const { program, ...before } = await serve(directory);
  const { id } = await before.create();
  const waiting = await before.create({
    sides: { baseline: { transport: 'http' }, comparison: { transport: 'http' } },
  });
  // Its first launch is not over then.
  await before.until(id, isBlock);
  const children = descendantsOf(program);
  // The generator and three listeners.
  expect(children.length).toBeGreaterThanOrEqual(4);
  program.kill('SIGKILL');
  expect(await program.ended).toBe('SIGKILL');
  await expectAllToEnd(children);

  const after = await serve(directory);
  const document = await after.document(id);
  expect(document).toMatchObject({
    state: 'interrupted',
    verdict: null,
    problem: { code: 'run_interrupted' },
  });
  expect(document.blocks).not.toEqual([]);
  expect(document.blocks.every(({ slots }) => slots.length === 3)).toBe(true);
  expect(document.metrics.every(({ outcome }) => outcome === 'refused')).toBe(true);

  // The waiting measurement starts, and is canceled in the middle.
  await after.until(waiting.id, isBlock);
  await after.cancel(waiting.id, true);
  expect(await after.until(waiting.id, isEnd)).toEqual({ type: 'end', state: 'incomplete' });
  const kept = await after.document(waiting.id);
  expect(kept).toMatchObject({ state: 'incomplete', verdict: null, problem: { code: 'run_cancelled' } });
  expect(pairOf(kept.sides)).toEqual(['http', 'http']);
  expect(kept.blocks.length).toBeGreaterThanOrEqual(1);
  expect(kept.blocks.every(({ slots }) => slots.length === 3)).toBe(true);
  after.program.kill('SIGTERM');
  expect(await after.program.ended).toBe(0);
});

test('a server told to stop in the middle of a run ends it as interrupted, with all its processes, and exits 0', async () => {
  const directory = makeDirectory();
  const { program, ...before } = await serve(directory);
  const { id } = await before.create();
  await before.until(id, (event) => event.type === 'progress' && event.phase === 'warm-up');
  const children = descendantsOf(program);
  expect(children.length).toBeGreaterThanOrEqual(4);
  program.kill('SIGTERM');
  expect(await program.ended).toBe(0);
  await expectAllToEnd(children);
  expect(program.stderr()).toBe('');

  const after = await openServerInTest(directory);
  expect(await after.document(id)).toMatchObject({ state: 'interrupted', verdict: null });
  await after.close();
});
