/** Protects who counts: a program that works for the target does, one that is busy anyway does not, whoever started it. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import type { Program } from '../../shared/kinds/comparison/program.ts';
import { programOf, withDescendants } from '../base/process/proc.ts';
import type { Burst } from '../drive/load/load-messages.ts';
import { openSampler } from '../targets/sampling/process-sampler.ts';
import { endedProgram, groupPrograms } from '../targets/sampling/programs.ts';
import { localReadings } from '../targets/sampling/readings.ts';
import { freePort } from '../testing/free-port.ts';
import type { WorkloadOrder } from '../testing/workload.ts';
import type { LoadBench } from './bench.ts';
import { seekPrograms, startSeeking } from './found-programs.ts';
import { rounds, samples } from './rounds.ts';

type Name = 'A' | 'B';
const arms = [
  { name: 'A', letter: 'A' },
  { name: 'B', letter: 'B' },
] as const;

const workloads: ChildProcess[] = [];
const strangers: number[] = [];
afterEach(async () => {
  for (const pid of strangers.splice(0)) process.kill(pid, 'SIGKILL');
  for (const child of workloads.splice(0)) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** Child of another program, as what people have running is: not among what TLS Toll has started. */
async function startStranger(script: string): Promise<number> {
  const shell = spawn('sh', ['-c', '"$0" -e "$1" > /dev/null 2>&1 & echo $!', process.execPath, script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(shell.stdout, 'data');
  const pid = Number(String(line));
  strangers.push(pid);
  return pid;
}

const burnMs = (ms: number) =>
  `{ const from = process.cpuUsage(); for (let used = 0; used < ${ms * 1000};) { const { user, system } = process.cpuUsage(from); used = user + system; } }`;
/** Answers after it has used so much. */
const answering = (port: number, ms: number) =>
  `require('node:http').createServer((_, response) => { ${burnMs(ms)} response.end('x'); }).listen(${port}, '127.0.0.1')`;
const busyAnyway = `setInterval(() => ${burnMs(4)}, 12)`;

function startWorkload(): { pid: number; tell(order: WorkloadOrder): Promise<unknown> } {
  const child = fork(new URL('../testing/workload.ts', import.meta.url));
  workloads.push(child);
  return {
    pid: child.pid ?? 0,
    async tell(order) {
      child.send(order);
      await once(child, 'message');
    },
  };
}

async function untilAnswers(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}`).catch(() => null);
    if (answer !== null) return void (await answer.text());
  }
}

/** Each turn is one request, on which the target works and whatever `ask` has working. */
function benchOf(
  target: ReturnType<typeof startWorkload>,
  ask: (arm: Name) => Promise<unknown>,
  found: (programs: Program[]) => void,
): LoadBench<Name> {
  const roots = { A: [target.pid], B: [target.pid] };
  const sampler = openSampler(target.pid);
  const burst = async (arm: string): Promise<Burst> => {
    const fromMs = performance.now();
    await target.tell({ kind: 'burn', cpuMs: 2 });
    await ask(arm as Name);
    const elapsedUs = (performance.now() - fromMs) * 1000;
    const one = { started: 1, succeeded: 1, transactionsInWindow: 1 };
    return { elapsedUs, windowUs: elapsedUs, ...one, cpuUs: 0, busiestUs: 0 };
  };
  return {
    arms,
    generator: { burst } as unknown as LoadBench<Name>['generator'],
    readings: localReadings(['A', 'B'], { A: sampler, B: sampler }, roots),
    readHost: () => null,
    beforeRound: null,
    turnTransactions: 1,
    cores: null,
    seek: { roots, mayCross: true, found: async (programs) => found(programs) },
  };
}

const turns = arms.map(({ name: arm }) => ({ arm, users: 1, burstMs: 15 }));
const { signal } = new AbortController();
const seek = async (bench: LoadBench<Name>) => {
  expect(await startSeeking(bench)).toBe(true);
  await seekPrograms(bench, [], () => turns, { seed: 1, signal, isWarm: () => true });
};

test('what works for the target is found and counted, and what is busy anyway is not', async () => {
  const port = await freePort();
  const companion = await startStranger(answering(port, 3));
  await startStranger(busyAnyway);
  await untilAnswers(port);
  const target = startWorkload();
  let programs: Program[] = [];
  const ask = async () => (await fetch(`http://127.0.0.1:${port}`)).text();
  const bench = benchOf(target, ask, (found) => {
    programs = found;
  });
  await seek(bench);
  expect(programs.map(({ role, pids }) => [role, pids])).toEqual([
    ['target', [target.pid]],
    ['companion', [companion]],
  ]);
  for await (const { window } of samples(
    bench,
    { users: 1, burstMs: 15 },
    { seed: 2, ms: 400, sampleMs: 400, signal },
    performance.now(),
  )) {
    for (const { cpuUs, programsUs = [], transactions } of Object.values(window.arms)) {
      const [own = 0, behind = 0] = programsUs.map((us) => us / transactions);
      expect(own).toBeGreaterThan(1900);
      expect(behind).toBeGreaterThan(2900);
      expect(behind).toBeLessThan(6000);
      expect(cpuUs).toBe(programsUs.reduce((sum, us) => sum + us, 0));
    }
  }
});

test('a companion of one side alone is found, and costs that side alone', async () => {
  const port = await freePort();
  const companion = await startStranger(answering(port, 3));
  await untilAnswers(port);
  const ask = async (arm: Name) => (arm === 'B' ? (await fetch(`http://127.0.0.1:${port}`)).text() : '');
  const bench = benchOf(startWorkload(), ask, () => {});
  await seek(bench);
  expect(bench.companions).toEqual([companion]);
  const sum = { A: 0, B: 0 };
  for await (const { cpuUs } of rounds(bench, () => turns, { seed: 3, rounds: 8, signal })) {
    sum.A += cpuUs?.A ?? 0;
    sum.B += cpuUs?.B ?? 0;
  }
  // 8 × 3 ms, but for what the two milliseconds of the target vary on a busy machine.
  expect(sum.B - sum.A).toBeGreaterThan(16_000);
});

test('a target that works alone is read as before', async () => {
  await startStranger(busyAnyway);
  const bench = benchOf(
    startWorkload(),
    async () => {},
    () => expect.unreachable(),
  );
  await seek(bench);
  expect([bench.others, bench.companions, bench.seek]).toEqual([null, undefined, undefined]);
});

test('the target’s process of one side that works for the other is in the sum of both', async () => {
  const [front, behind] = [startWorkload(), startWorkload()];
  const bench = benchOf(
    front,
    async () => behind.tell({ kind: 'burn', cpuMs: 3 }),
    () => {},
  );
  const roots = { A: [behind.pid], B: [front.pid] };
  const samplers = { A: openSampler(behind.pid), B: openSampler(front.pid) };
  const crossing: LoadBench<Name> = {
    ...bench,
    readings: localReadings(['A', 'B'], samplers, roots),
    seek: { roots, mayCross: true, found: async () => {} },
  };
  await seek(crossing);
  expect(crossing.others?.counts).toBe('instead');
  for await (const { cpuUs } of rounds(crossing, () => turns, { seed: 4, rounds: 3, signal })) {
    expect(Math.min(cpuUs?.A ?? 0, cpuUs?.B ?? 0)).toBeGreaterThan(4900);
  }
});

test('a companion that was started again is told from the one that was found', async () => {
  const port = await freePort();
  const companion = await startStranger(answering(port, 3));
  await untilAnswers(port);
  const target = startWorkload();
  const programs = groupPrograms([companion], [[target.pid]]);
  expect(endedProgram(programs)).toBeNull();
  process.kill(companion, 'SIGKILL');
  strangers.pop();
  await vi.waitFor(() => expect(endedProgram(programs)?.pids).toEqual([companion]));
});

test('a parent that runs the same file and started the target too is not read with a companion', async () => {
  const idle = JSON.stringify('setInterval(() => {}, 1e6)');
  const children = `const start = () => require('node:child_process').spawn(process.execPath, ['-e', ${idle}]).pid`;
  const above = await startStranger(`${children}; start(); start(); setInterval(() => {}, 1e6)`);
  const below = await vi.waitFor(() => {
    const found = withDescendants(above).filter((pid) => pid !== above);
    expect(found).toHaveLength(2);
    return found;
  });
  strangers.push(...below);
  const [target = 0, companion = 0] = below;
  await vi.waitFor(() => expect(programOf(companion)).toBe(programOf(above)));
  expect(groupPrograms([companion], [[target]])[1]?.pids).toEqual([companion]);
  // Nothing else is below it, as with a master and its workers.
  expect(groupPrograms([companion], [[process.pid]])[1]?.pids).toEqual([above]);
});
