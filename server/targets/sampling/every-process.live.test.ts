/** Protects readings of other processes: children that come and go, late starts, reused PIDs, and CPU in ticks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Program } from '../../../shared/kinds/comparison/program.ts';
import { readProcessStat, tickUs } from '../../base/process/proc.ts';
import { freePort } from '../../testing/free-port.ts';
import { watchEveryProcess, watchPrograms } from './every-process.ts';
import { endedProgram, loudestOf, watchStrangers } from './programs.ts';

const strangers: number[] = [];
afterEach(() => {
  for (const pid of strangers.splice(0)) process.kill(pid, 'SIGKILL');
});

/** Child of another program, as what people have running is: not among what TLS Toll has started. */
async function startStranger(script: string, program = process.execPath, flag = '-e'): Promise<number> {
  const shell = spawn(
    'setsid',
    ['sh', '-c', '"$0" "$1" "$2" > /dev/null 2>&1 & echo $!', program, flag, script],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(shell, 'close');
  const [line] = await once(shell.stdout, 'data');
  // While the shell lives, its session is one that a child of ours began, and all in it is taken for ours.
  await ended;
  const pid = Number(String(line));
  strangers.push(pid);
  return pid;
}

const burning = (ms: number) =>
  `for (;;) { const { user, system } = process.cpuUsage(); if (user + system > ${ms * 1000}) break; } setInterval(() => {}, 1000);`;

/** Each request runs a shell for about 20 ms, as CGI does. */
const forking = (port: number) => `
const { execFile } = require('node:child_process');
require('node:http').createServer((_, response) => {
  execFile('sh', ['-c', 'i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done'], () => response.end('x'));
}).listen(${port}, '127.0.0.1')`;

async function ask(port: number, times: number): Promise<void> {
  for (let done = 0; done < times; ) {
    const answer = await fetch(`http://127.0.0.1:${port}`).catch(() => null);
    if (answer === null) await pause(50);
    else {
      await answer.text();
      done++;
    }
  }
}

/** By the kernel's ticks: a process with the children that it waited for. */
function ticksOf(pid: number): { ownUs: number; childrenUs: number } {
  const { ownTicks, childTicks } = readProcessStat(pid) ?? { ownTicks: 0, childTicks: 0 };
  return { ownUs: ownTicks * tickUs, childrenUs: childTicks * tickUs };
}

async function readForking(port: number, pid: number) {
  await ask(port, 1);
  const clocks = watchPrograms([[pid]], 'beside');
  // The first readings tell that children come and go.
  for (let nth = 0; nth < 9; nth++) {
    await ask(port, 1);
    clocks.readUs();
  }
  const [before, beforeUs] = [ticksOf(pid), clocks.readUs().get(0) ?? 0];
  await ask(port, 10);
  const [after, afterUs] = [ticksOf(pid), clocks.readUs().get(0) ?? 0];
  const childrenUs = after.childrenUs - before.childrenUs;
  return {
    usedUs: afterUs - beforeUs,
    childrenUs,
    ownUs: after.ownUs - before.ownUs,
    children: clocks.readChildren(),
  };
}

test('a companion that forks for each request has the cost of its children, in ticks', async () => {
  const port = await freePort();
  const { usedUs, childrenUs, ownUs, children } = await readForking(port, await startStranger(forking(port)));
  expect(children).toEqual(['ticks']);
  expect(childrenUs).toBeGreaterThan(50_000);
  expect(Math.abs(usedUs - childrenUs - ownUs)).toBeLessThan(3 * tickUs);
});

const groups = '/sys/fs/cgroup/unified';

/** @param work with what puts a process into a control group of its own; all that was started ends with it */
async function inOwnGroup(work: (enter: (pid: number) => void) => Promise<void>): Promise<void> {
  const group = `${groups}/tls-toll-test-${process.pid}`;
  mkdirSync(group);
  try {
    await work((pid) => writeFileSync(`${group}/cgroup.procs`, `${pid}`));
  } finally {
    for (const pid of strangers.splice(0)) process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => rmdirSync(group));
  }
}

describe.skipIf(!existsSync(groups))('with control groups of version 2', () => {
  test('children of a program in a group of its own are counted by the group', async () => {
    const port = await freePort();
    await inOwnGroup(async (enter) => {
      const pid = await startStranger(forking(port));
      enter(pid);
      const { usedUs, childrenUs, ownUs, children } = await readForking(port, pid);
      expect(children).toEqual(['cgroup']);
      expect(usedUs).toBeGreaterThan(childrenUs - tickUs);
      expect(Math.abs(usedUs - childrenUs - ownUs)).toBeLessThan(4 * tickUs);
    });
  });

  test('a process that is born later counts for the program of its group', async () => {
    await inOwnGroup(async (enter) => {
      const first = await startStranger(burning(1));
      enter(first);
      const clocks = watchPrograms([[first]], 'beside');
      enter(await startStranger(burning(1e9)));
      const beforeUs = clocks.readUs().get(0) ?? 0;
      await pause(1000);
      expect((clocks.readUs().get(0) ?? 0) - beforeUs).toBeGreaterThan(50_000);
    });
  });
});

test('what belongs to nothing that is read is summed, what of it began is told, and what belongs to a program is neither', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-begun-'));
  const busyAs = (name: string) => {
    const program = join(directory, name);
    copyFileSync('/bin/sh', program);
    return startStranger('while :; do :; done', program, '-c');
  };
  await busyAs('stood');
  const builds = join(directory, 'builds');
  copyFileSync('/bin/sh', builds);
  await startStranger(
    'while :; do sh -c "i=0; while [ \\$i -lt 20000 ]; do i=\\$((i+1)); done"; done',
    builds,
    '-c',
  );
  const sums = { us: new Map<string, number>(), ms: 0 };
  const strangers = watchStrangers(sums);
  const usedBy = (roots: number[]) =>
    strangers.look(roots).find(({ name }) => name === 'begun')?.usedUs ?? null;
  const pid = await busyAs('begun');
  try {
    await pause(500);
    expect(usedBy([])).toBeGreaterThan(50_000);
    await pause(500);
    expect(usedBy([pid])).toBeNull();
    await pause(500);
    expect(usedBy([])).toBeGreaterThan(50_000);
    expect(strangers.look([]).map(({ name }) => name)).not.toContain('stood');
    expect(sums.us.get('stood')).toBeGreaterThan(150_000);
    expect(sums.us.get('builds'), 'of its children, which have ended').toBeGreaterThan(50_000);
    expect(sums.ms).toBeGreaterThan(1_400);
    const shares = loudestOf(sums).map(({ share }) => share);
    expect(shares).toEqual(shares.toSorted((a, b) => b - a));
    expect(shares[0]).toBeGreaterThan(0.02);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('without a CPU clock, ticks tell what a process used', async () => {
  const pid = await startStranger(burning(1e9));
  const clocks = watchEveryProcess([], null);
  expect(clocks?.stepUs).toBe(tickUs);
  const before = clocks?.readUs().get(pid) ?? 0;
  await pause(1000);
  const usedUs = (clocks?.readUs().get(pid) ?? 0) - before;
  expect(usedUs).toBeGreaterThan(50_000);
  expect(usedUs % tickUs).toBe(0);
});

test('a number that was given to another process is not taken for the old one', async () => {
  const pid = await startStranger(burning(1));
  const program = (startTicks: number): Program => ({
    ...{ name: 'node', pids: [pid], startTicks: [startTicks], role: 'companion', tie: null },
  });
  const target: Program = { name: 'nginx', pids: [1], startTicks: [0], role: 'target', tie: null };
  const startTicks = readProcessStat(pid)?.startTicks ?? 0;
  expect(endedProgram([target, program(startTicks)])).toBeNull();
  expect(endedProgram([target, program(startTicks - 1)])?.pids).toEqual([pid]);
});
