/** Protects what is said of TLS Toll itself: its own programs are ours, what it measures is not, nor is what others run. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { cpuClock } from '../../base/process/cpu.ts';
import { openOwnCpu, watchMachine, watchPrograms } from './machine.ts';
import { readHost } from './process-sampler.ts';

const pids: number[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const pid of pids.splice(0)) process.kill(pid, 'SIGTERM');
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** Uses a core, or what others leave of it, for a minute at most. */
const burn = 'ulimit -t 60; while :; do :; done';

function startChild(): number {
  const child = spawn('sh', ['-c', burn], { stdio: 'ignore' });
  children.push(child);
  return child.pid ?? 0;
}

/** Not a child of this process. */
function startStranger(): number {
  const start = `sh -c '${burn}' >/dev/null 2>&1 & echo $!`;
  const pid = Number(execFileSync('sh', ['-c', start], { encoding: 'utf8' }));
  pids.push(pid);
  return pid;
}

const clockUs = (pid: number) => (cpuClock().readNs?.(pid) ?? Number.NaN) / 1000;

test('a child of ours is in ours, by its clock; what is apart is not, nor is a stranger', async () => {
  const apart = startChild();
  startStranger();
  const own = openOwnCpu([apart]);
  await pause(50);
  const idle = own.readUs();
  const mine = process.cpuUsage();
  await pause(500);
  const { user, system } = process.cpuUsage(mine);
  expect(own.readUs() - idle).toBeLessThan(user + system + 20_000);

  // The process starts between readings.
  const child = startChild();
  await vi.waitFor(() => expect(clockUs(child)).toBeGreaterThan(50_000));
  own.readUs();
  const [fromUs, childFromUs] = [own.readUs(), clockUs(child)];
  await pause(500);
  const [oursUs, childUs] = [own.readUs() - fromUs, clockUs(child) - childFromUs];
  expect(oursUs).toBeGreaterThan(childUs - 20_000);
  expect(oursUs).toBeLessThan(childUs + 60_000);
});

test('over a second, a stranger is in the foreign share and ours is in its own', async () => {
  const own = openOwnCpu([]);
  const child = startChild();
  await vi.waitFor(() => expect(clockUs(child)).toBeGreaterThan(0));
  own.readUs();
  const machineSince = watchMachine({ readHost, own });
  const [fromUs, fromMs] = [clockUs(child), performance.now()];
  await pause(1000);
  const machineUs = (performance.now() - fromMs) * 1000 * availableParallelism();
  const childShare = (clockUs(child) - fromUs) / machineUs;
  const alone = machineSince(0, 0);
  expect(alone.oursRatio).toBeGreaterThan(childShare - 0.03);
  expect(alone.oursRatio).toBeLessThan(childShare + 0.1);

  const stranger = startStranger();
  await vi.waitFor(() => expect(Number.isNaN(clockUs(stranger))).toBe(false));
  machineSince(0, 0);
  await pause(1000);
  const beside = machineSince(0, 0);
  // One core's share of the machine, or less if others use that core.
  expect(beside.foreignRatio).toBeGreaterThan(0.15 / availableParallelism());
  expect((beside.oursRatio ?? 0) + (beside.foreignRatio ?? 0)).toBeLessThan(1.1);
});

test('a stranger is named with its share, and a child of ours is counted apart', async () => {
  const look = watchPrograms();
  expect(look()).toEqual({ loudest: [], ours: null });
  startStranger();
  const child = startChild();
  await vi.waitFor(() => expect(clockUs(child)).toBeGreaterThan(0));
  await pause(1500);
  const { loudest, ours } = look();
  const shell = execFileSync('readlink', ['-f', '/bin/sh'], { encoding: 'utf8' }).trim().split('/').at(-1);
  const share = loudest.find(({ name }) => name === shell)?.share ?? 0;
  expect(share).toBeGreaterThan(0.15 / availableParallelism());
  expect(ours).toBeGreaterThan(0.15 / availableParallelism());
  expect(share + (ours ?? 0)).toBeLessThan(1.1);
});

test('a page that looks every ten seconds is always told of programs, and one that looks twice at once never of a tick', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const look = watchPrograms();
  const afterMs = (ms: number) => {
    vi.advanceTimersByTime(ms);
    return look().ours;
  };
  expect([0, 5, 10_200, 10_200].map(afterMs)).toEqual([null, null, expect.any(Number), expect.any(Number)]);
});
