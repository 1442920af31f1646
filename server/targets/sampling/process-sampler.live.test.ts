/** Protects CPU, memory and disk of a process, threads and children included, against its own word. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WorkloadOrder, WorkloadReport } from '../../testing/workload.ts';
import {
  busyThreads,
  hostUse,
  openSampler,
  type ResourceReading,
  readHost,
  resourceUse,
} from './process-sampler.ts';

let workload: ChildProcess;
let pid: number;

beforeEach(async () => {
  workload = fork(new URL('../../testing/workload.ts', import.meta.url));
  pid = workload.pid ?? 0;
  await tell({ kind: 'report' });
});
afterEach(async () => {
  if (workload.exitCode !== null || workload.signalCode !== null) return;
  workload.disconnect();
  await once(workload, 'exit');
});

async function tell(order: WorkloadOrder): Promise<WorkloadReport> {
  workload.send(order);
  const [report] = await once(workload, 'message');
  return report;
}

/** The two counts differ by the cost of a message there and back. */
function expectSameCpu(cpuUs: number, witnessUs: number): void {
  expect(Math.abs(cpuUs - witnessUs)).toBeLessThan(10_000 + 0.02 * witnessUs);
}

/** User and system time are each cut down to whole ticks of 10 ms, at both readings, in each process. */
function tickGapUs(before: ResourceReading, after: ResourceReading): number {
  const use = resourceUse(before, after, 0);
  return Math.abs((use.cpuTickUs ?? 0) - use.cpuUs) - 20_000 * before.processes;
}

test('CPU of the main thread is what the process says of itself', async () => {
  const sampler = openSampler(pid);
  const reportBefore = await tell({ kind: 'report' });
  const before = sampler.read();
  const reportAfter = await tell({ kind: 'burn', cpuMs: 300 });
  const after = sampler.read();
  const { cpuUs } = resourceUse(before, after, 0);
  expect(cpuUs).toBeGreaterThan(290_000);
  expectSameCpu(cpuUs, reportAfter.cpuUs - reportBefore.cpuUs);
  expect(tickGapUs(before, after)).toBeLessThan(5_000);
});

test('threads at work are counted, and idle ones are not', async () => {
  const sampler = openSampler(pid);
  const before = sampler.read();
  await tell({ kind: 'burn', cpuMs: 300 });
  await tell({ kind: 'burnInThread', cpuMs: 300 });
  const after = sampler.read();
  // As on a machine that is theirs alone, which it may not be here.
  const activeUs = 600_000;
  expect(after.threadsUs?.size).toBeGreaterThan(2);
  expect(busyThreads(before, after, activeUs)).toBe(2);
  expect(busyThreads(before, { ...after, threadsUs: undefined }, activeUs)).toBeNull();
  await tell({ kind: 'endThread' });
  expect(busyThreads(after, sampler.read(), 300_000)).toBe(0);
});

test('CPU of other threads counts, and stays counted when they have ended', async () => {
  const sampler = openSampler(pid);
  const reportBefore = await tell({ kind: 'report' });
  const before = sampler.read();
  await tell({ kind: 'burnInThread', cpuMs: 300 });
  const whileAlive = sampler.readCpuUs();
  const reportAfter = await tell({ kind: 'endThread' });
  const use = resourceUse(before, sampler.read(), 0);
  expect(whileAlive - before.cpuUs).toBeGreaterThan(290_000);
  expect(use.cpuUs).toBeGreaterThanOrEqual(whileAlive - before.cpuUs);
  expectSameCpu(use.cpuUs, reportAfter.cpuUs - reportBefore.cpuUs);
});

test('CPU of a thread that came and went unseen counts', async () => {
  const sampler = openSampler(pid);
  const before = sampler.read();
  await tell({ kind: 'burnInThread', cpuMs: 300 });
  await tell({ kind: 'endThread' });
  const after = sampler.read();
  expect(after.cpuTickUs - before.cpuTickUs).toBeGreaterThan(270_000);
  expect(after.cpuUs - before.cpuUs).toBeGreaterThan(290_000);
  expect(tickGapUs(before, after)).toBeLessThan(5_000);
});

test('CPU of a child process counts, and never goes back when it ends', async () => {
  const sampler = openSampler(pid);
  const before = sampler.read();
  const { childCpuUs } = await tell({ kind: 'burnInChild', cpuMs: 300 });
  const whileAlive = sampler.read();
  expect(whileAlive.processes).toBe(2);
  expect(whileAlive.cpuUs - before.cpuUs).toBeGreaterThan(childCpuUs);
  expect(tickGapUs(before, whileAlive)).toBeLessThan(30_000);
  await tell({ kind: 'endChild' });
  const after = sampler.read();
  expect(after.processes).toBe(1);
  expect(after.cpuUs).toBeGreaterThanOrEqual(whileAlive.cpuUs);
  expect(after.cpuTickUs).toBeGreaterThanOrEqual(whileAlive.cpuTickUs);
  expect(tickGapUs(before, after)).toBeLessThan(30_000);
});

test('memory that is held shows in both counts', async () => {
  const sampler = openSampler(pid);
  const before = sampler.read();
  await tell({ kind: 'hold', bytes: 64 << 20 });
  const use = resourceUse(before, sampler.read(), sampler.readMemory());
  expect(use.memoryEndBytes - use.memoryStartBytes).toBeGreaterThan(60 << 20);
  expect(use.rssPeakBytes - before.rssBytes).toBeGreaterThan(60 << 20);
});

test('resident size is what the process says of itself', async () => {
  const { rssBytes } = await tell({ kind: 'report' });
  expect(Math.abs(openSampler(pid).readMemory() / rssBytes - 1)).toBeLessThan(0.05);
});

test('bytes written to disk are seen', async () => {
  // The system's temporary directory may lie in memory, where nothing is ever written to disk.
  mkdirSync('test-results', { recursive: true });
  const directory = mkdtempSync(join('test-results', 'sampling-'));
  const sampler = openSampler(pid);
  const before = sampler.read();
  await tell({ kind: 'write', path: join(directory, 'file'), bytes: 4 << 20 });
  const use = resourceUse(before, sampler.read(), 0);
  rmSync(directory, { recursive: true });
  expect(use.diskWriteBytes).toBeGreaterThanOrEqual(4 << 20);
});

test('when the process has ended a reading says so, and the curve stands still', async () => {
  const sampler = openSampler(pid);
  const { cpuUs } = sampler.read();
  workload.kill('SIGKILL');
  await once(workload, 'exit');
  expect(() => sampler.read()).toThrow(`The target’s process ${pid} has ended.`);
  expect(sampler.readMemory()).toBe(0);
  expect(sampler.readCpuUs()).toBeGreaterThanOrEqual(cpuUs);
});

test('a process that does not exist cannot be watched', () => {
  expect(() => openSampler(4_194_303)).toThrow('There is no process 4194303.');
});

test('what the target burns is busy but not foreign', async () => {
  const sampler = openSampler(pid);
  const before = sampler.read();
  const hostBefore = readHost();
  await tell({ kind: 'burn', cpuMs: 300 });
  const hostAfter = readHost();
  const { cpuUs } = resourceUse(before, sampler.read(), 0);
  if (hostBefore === null || hostAfter === null) throw new Error('this test needs /proc');
  expect(hostAfter.busyUs - hostBefore.busyUs).toBeGreaterThan(200_000);
  const blamed = hostUse(hostBefore, hostAfter, 0, 1).foreignRatio;
  const cleared = hostUse(hostBefore, hostAfter, cpuUs, 1).foreignRatio;
  expect(cleared).toBeLessThan(blamed);
});
