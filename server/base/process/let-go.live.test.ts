/** Protects the next job from processes of one that was let go. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runChild, startChild } from './children.ts';
import { letGo } from './let-go.ts';
import { listPids, readProc } from './proc-files.ts';

const commandLines = () => listPids().map((pid) => readProc(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' '));
const never = new Promise<never>(() => {});

test('what work has started, however deep inside, is dead before it is let go', async () => {
  const mark = `${6000 + (process.pid % 1000)}.25`;
  const isMarked = () => commandLines().some((line) => line?.includes(mark));
  const controller = new AbortController();
  const bystander = startChild('sleep', [`1${mark}`]);
  const work = letGo(async () => {
    await pause(1);
    // It ignores SIGTERM, and has a child in its group.
    startChild('sh', ['-c', `trap '' TERM; sleep ${mark} & wait; sleep ${mark}`], { detached: true });
    startChild('sleep', [mark]);
    runChild('sleep', [mark], { timeout: 60_000 }).catch(() => {});
    return never;
  }, controller.signal);
  work.catch(() => {});
  await expect.poll(isMarked).toBe(true);
  controller.abort(new Error('canceled'));
  const beforeMs = performance.now();
  await expect(work).rejects.toThrow('canceled');
  expect(performance.now() - beforeMs).toBeLessThan(6000);
  expect(commandLines().filter((line) => line?.includes(` ${mark}`))).toEqual([]);
  expect(bystander.exitCode).toBeNull();
  bystander.kill('SIGKILL');
  await once(bystander, 'exit');
});
