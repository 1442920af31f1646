/** Protects a machine from servers that a killed bench leaves behind: what it started ends with it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { readProcessStat } from '../base/process/proc.ts';

test('a program ends when the process that asked for it is gone', async () => {
  const keeper = fork(new URL('./keep-program.ts', import.meta.url), ['sleep', '600']);
  const exited = once(keeper, 'exit');
  const [{ pid }] = (await once(keeper, 'message')) as [{ pid: number }];
  expect(readProcessStat(pid)).not.toBeNull();
  keeper.disconnect();
  await exited;
  expect(readProcessStat(pid)).toBeNull();
});
