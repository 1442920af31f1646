/** Protects the first source of CPU: what ended threads used is in it, and members of a tree that come are found cheaply. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { hasBuild } from '../../testing/server-builds.ts';
import type { WorkloadOrder, WorkloadReport } from '../../testing/workload.ts';
import { cpuClock, SleepWatch } from './cpu.ts';
import { ProcessTree, readProcessStat, tickUs } from './proc.ts';

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

function kept<Child extends ChildProcess>(child: Child): Child {
  children.push(child);
  return child;
}

function readUs(pid: number): number {
  return (cpuClock().readNs?.(pid) ?? Number.NaN) / 1000;
}

async function startWorkload() {
  const workload = kept(fork(new URL('../../testing/workload.ts', import.meta.url)));
  const tell = async (order: WorkloadOrder): Promise<WorkloadReport> => {
    workload.send(order);
    const [report] = await once(workload, 'message');
    return report;
  };
  await tell({ kind: 'report' });
  return { workload, pid: workload.pid ?? 0, tell };
}

const hundredThreads = `
import threading, time
def burn():
    while time.thread_time() < 0.005: pass
for thread in [threading.Thread(target=burn) for _ in range(100)]:
    thread.start()
    thread.join()
print('ended', flush=True)
input()
`;

test.skipIf(!hasBuild('thread per connection'))(
  'a hundred threads of 5 ms that have ended are in the clock and in the ticks',
  async () => {
    const child = kept(spawn('python3', ['-c', hundredThreads], { stdio: ['pipe', 'pipe', 'inherit'] }));
    await once(child.stdout, 'data');
    const pid = child.pid ?? 0;
    const ticksUs = (readProcessStat(pid)?.ownTicks ?? 0) * tickUs;
    expect(readUs(pid)).toBeGreaterThan(500_000);
    expect(Math.abs(readUs(pid) - ticksUs)).toBeLessThan(25_000);
  },
);

test('the clock is what a process says of itself, and is gone with it', async () => {
  const { workload, pid, tell } = await startWorkload();
  const before = await tell({ kind: 'report' });
  const fromUs = readUs(pid);
  const after = await tell({ kind: 'burn', cpuMs: 100 });
  expect(Math.abs(readUs(pid) - fromUs - (after.cpuUs - before.cpuUs))).toBeLessThan(15_000);
  workload.kill('SIGKILL');
  await once(workload, 'exit');
  expect(cpuClock().readNs?.(pid)).toBeNull();
});

test('a child that comes is found without a whole listing; threads and strangers are none', async () => {
  const { pid, tell } = await startWorkload();
  const stat = readProcessStat(pid);
  if (stat === null) throw new Error('the process has ended');
  const tree = new ProcessTree({ pid, stat });
  // The second time it knows what was started since the first.
  for (let listing = 0; listing < 3; listing++) tree.refresh();
  await tell({ kind: 'burnInThread', cpuMs: 1 });
  await startWorkload();
  expect(tree.refresh().map((member) => member.pid)).toEqual([pid]);
  await tell({ kind: 'burnInChild', cpuMs: 1 });
  const [, child] = tree.refresh();
  expect(child?.stat.parentPid).toBe(pid);
  expect(tree.list()).toHaveLength(2);
});

test('a process that waits for work is asleep, and one that never rests is waited for in vain', async () => {
  const { workload, pid, tell } = await startWorkload();
  const sleep = new SleepWatch(() => [pid]);
  await tell({ kind: 'burn', cpuMs: 5 });
  expect(sleep.block().asleep).toBe(true);
  const fromUs = readUs(pid);
  workload.send({ kind: 'burn', cpuMs: 5 });
  // Until it has begun.
  while (readUs(pid) === fromUs);
  expect((await sleep.await()).asleep).toBe(true);
  expect(readUs(pid) - fromUs).toBeGreaterThan(5000);

  workload.send({ kind: 'burn', cpuMs: 60_000 });
  const busyUs = readUs(pid);
  while (readUs(pid) === busyUs);
  expect(sleep.block().asleep).toBe(false);
  expect((await sleep.await()).asleep).toBe(false);
});
