import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { printUsEstimate } from '../../shared/base/quantity.ts';
import { type BySide, type SideName, sideNames } from '../../shared/base/transport.ts';
import { qualityOf } from '../../shared/kinds/comparison/quality.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import type { MeasurementEvent } from '../../shared/results/kinds.ts';
import { headlineOfRun } from '../../shared/words/headline.ts';
import { evidenceOf } from '../../shared/words/verdict-evidence.ts';
import { readProcessStat, tickUs, withDescendants } from '../base/process/proc.ts';
import { meanOf, sumOf } from '../method/statistics/mean.ts';
import { watchEveryProcess, watchPrograms } from '../targets/sampling/every-process.ts';
import { readHost } from '../targets/sampling/process-sampler.ts';
import { startMeasuredServer } from '../testing/program-in-test.ts';
import { announceTime, type LongOptions } from './bench-options.ts';
import { causeScenes } from './field-causes.ts';
import { connectionScenes } from './field-connections.ts';
import { scenes as programScenes, type Scene, type Standing } from './field-scenes.ts';
import { siblingScenes } from './field-siblings.ts';
import { isInstalled } from './nginx.ts';
import { openPlace } from './open-place.ts';
import { performRun } from './perform-run.ts';
import { meanInterval } from './spread.ts';
import { readWrk } from './wrk.ts';

/**
 * Set-ups that people have, each set up for real on this machine: the product's sentence beside the truth, which wrk and the kernel's
 * `utime + stime` of every program of the set-up tell. One row of `field-scenes.ts` is one set-up.
 */

const expectedS = 90;
const scenes = [...programScenes, ...siblingScenes, ...connectionScenes, ...causeScenes];

type Row = {
  scene: string;
  /** Whether the required sentence appeared; absent if none is required. */
  held?: boolean;
  said: string[];
  truth: string[];
};

export async function tryField({
  runs,
  seed,
  signal,
  only,
}: LongOptions): Promise<{ rows: Row[]; text: string }> {
  const chosen = scenes.filter(({ name }) => only === null || only.split(',').includes(name));
  if (chosen.length === 0)
    throw new Error(`No scene is called ${only}. There are ${scenes.map(({ name }) => name).join(', ')}.`);
  const each = runs ?? 1;
  announceTime(`${chosen.length} set-ups`, chosen.length * each * expectedS);
  const rows: Row[] = [];
  for (const scene of chosen) {
    if (signal.aborted) break;
    process.stderr.write(`${scene.name} …\n`);
    const row = await play(scene, each, seed, signal).catch((error: unknown) => {
      if (signal.aborted) return null;
      return {
        scene: scene.name,
        said: [`failed: ${error instanceof Error ? error.message : error}`],
        truth: [],
      };
    });
    if (row !== null) rows.push(row);
  }
  return { rows, text: rows.map(printRow).join('\n') };
}

async function play(scene: Scene, runs: number, seed: number, signal: AbortSignal): Promise<Row> {
  const missing = scene.needs.filter((program) => !isInstalled(program));
  if (missing.length > 0)
    return { scene: scene.name, said: [`skipped: ${missing.join(', ')} is missing`], truth: [] };
  const place = await openPlace();
  const server = await startMeasuredServer();
  try {
    const standing = await scene.setUp(place, server.url);
    const { http, https, request = {}, programs = {} } = standing;
    const said: string[] = [];
    let users = usualUsers;
    // A user's server has been running for a while.
    if (Object.keys(programs).length > 0)
      for (const url of [http, https]) await load(url, usualUsers, warmUpS, signal);
    for (let run = 0; run < runs && !signal.aborted; run++) {
      const target = { http, https, ca: place.authority.caPem };
      const asked = { target, ...request, seed: seed + run };
      let blocks = 0;
      const onEvent = ({ type }: MeasurementEvent) => {
        if (type === 'block' && ++blocks === blocksBeforeChange) standing.change?.();
      };
      const document = await performRun(server.url, asked, { onEvent, signal });
      said.push(...linesOf(document));
      users = document.atLoad?.users ?? users;
    }
    const measured = Object.keys(programs).length === 0 ? [] : await readTruth(standing, users, signal);
    const sum = standing.sums === true ? [await checkSum(standing, users, signal)] : [];
    return {
      scene: scene.name,
      ...(scene.says === undefined ? {} : { held: said.some((line) => scene.says?.test(line)) }),
      said,
      truth: [...measured, ...sum, ...(standing.truth === undefined ? [] : [standing.truth])],
    };
  } finally {
    await server.stop();
    await place.close();
  }
}

function linesOf(document: RunDocument): string[] {
  const programs = (document.cpuOf ?? []).map(
    ({ name, baseline, comparison, delta }) =>
      `${name}: ${printUsEstimate(baseline)} → ${printUsEstimate(comparison)}, ${printUsEstimate(delta)} µs`,
  );
  return [
    headlineOfRun(document)?.title ?? document.problem?.detail ?? document.state,
    ...(document.problem === null ? [] : [document.problem.advice]),
    ...[evidenceOf(document)].filter((line) => line !== null),
    ...programs,
    ...document.warnings,
    ...qualityOf(document).reasons,
  ];
}

const usualUsers = 8;
/** The shortest run has eight. */
const blocksBeforeChange = 2;
const warmUpS = 5;
const truthRounds = 6;
const truthS = 2;
const restMs = 3000;

/**
 * CPU of each program per request on each side, less its idle use, from wrk in turns and the kernel's ticks, with as many connections as the
 * product had users. wrk sends faster, and a request costs more, the longer its programs have slept: Node in front of PostgreSQL took 40 µs
 * under wrk, and 104 µs from a client that sent a fifth as many.
 */
async function readTruth(
  { http, https, programs = {} }: Standing,
  users: number,
  signal: AbortSignal,
): Promise<string[]> {
  const urls: BySide<string> = { baseline: http, comparison: https };
  const names = Object.keys(programs);
  const read = () => Object.fromEntries(names.map((name) => [name, usedUs(programs[name] ?? [])]));
  const atRest = read();
  await pause(restMs);
  const rested = read();
  const idle = (name: string) => ((rested[name] ?? 0) - (atRest[name] ?? 0)) / restMs;
  const costs: Record<SideName, Record<string, number>[]> = { baseline: [], comparison: [] };
  for (let round = 0; round <= truthRounds; round++) {
    for (const side of round % 2 === 0 ? sideNames : sideNames.toReversed()) {
      const [before, fromMs] = [read(), performance.now()];
      const requests = await load(urls[side], users, round === 0 ? 1 : truthS, signal);
      const [after, ms] = [read(), performance.now() - fromMs];
      const used = (name: string) => (after[name] ?? 0) - (before[name] ?? 0) - idle(name) * ms;
      // The first round warms up.
      if (round === 0) continue;
      costs[side].push(Object.fromEntries(names.map((name) => [name, used(name) / requests])));
    }
  }
  const line = (title: string, of: (each: Record<string, number>) => number) => {
    const [from, to] = sideNames.map((side) => costs[side].map(of)) as [number[], number[]];
    const added = meanInterval(to.map((cost, round) => cost - (from[round] ?? 0)));
    const change = ((meanOf(to) / meanOf(from) - 1) * 100).toFixed(1);
    return `${title}: ${meanOf(from).toFixed(1)} → ${meanOf(to).toFixed(1)}, ${added === null ? '' : printUsEstimate(added)} µs, ${change} %`;
  };
  return [
    line('all', (each) => sumOf(Object.values(each))),
    ...names.map((name) => line(name, (each) => each[name] ?? 0)),
  ];
}

const sumRounds = 5;
const sumS = 10;
const lookEveryMs = 50;

/**
 * Sum of all rows (each program, the kernel's threads, and all other visible processes) as a share of the machine's busy time,
 * without stolen time and our own: `100.4 % of the busy time, mean of 5 × 10 s`.
 */
async function checkSum(
  { https, programs = {} }: Standing,
  users: number,
  signal: AbortSignal,
): Promise<string> {
  const roots = Object.values(programs);
  const clocks = watchPrograms(roots, 'beside');
  const others = watchEveryProcess(roots.flat());
  const shares: { rows: number; kernel: number; others: number }[] = [];
  for (let round = 0; round < sumRounds; round++) {
    const read = () => {
      const { user, system } = process.cpuUsage();
      const childTicks = readProcessStat(process.pid)?.childTicks ?? 0;
      return {
        busyUs: readHost()?.busyUs ?? 0,
        oursUs: user + system + childTicks * tickUs,
        programsUs: sumOf([...clocks.readUs().values()]),
        kernelUs: clocks.readKernelUs(),
        othersUs: sumOf([...(others?.readUs().values() ?? [])]),
      };
    };
    const before = read();
    // CPU that a process uses between the last reading and its end is lost.
    const look = setInterval(() => others?.readUs(), lookEveryMs);
    await load(https, users, sumS, signal).finally(() => clearInterval(look));
    const after = read();
    const gain = (of: keyof typeof before) => after[of] - before[of];
    const busyUs = gain('busyUs') - gain('oursUs');
    shares.push({
      rows: (gain('programsUs') + gain('kernelUs') + gain('othersUs')) / busyUs,
      kernel: gain('kernelUs') / busyUs,
      others: gain('othersUs') / busyUs,
    });
  }
  const part = (of: keyof (typeof shares)[number]) =>
    `${(100 * meanOf(shares.map((each) => each[of]))).toFixed(1)} %`;
  const each = shares.map(({ rows }) => (100 * rows).toFixed(1)).join(', ');
  return `sum of all rows: ${part('rows')} of the machine’s busy time less ours, mean of ${sumRounds} × ${sumS} s (${each}); kernel ${part('kernel')}, other processes ${part('others')}`;
}

async function load(url: string, users: number, seconds: number, signal: AbortSignal): Promise<number> {
  const child = spawn('wrk', ['-t1', `-c${users}`, `-d${seconds}s`, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  await once(child, 'close');
  await pause(50);
  return readWrk(output).requests;
}

/** `utime + stime` of process trees, with the children that they have waited for. */
function usedUs(roots: readonly number[]): number {
  const stats = roots.flatMap(withDescendants).flatMap((pid) => readProcessStat(pid) ?? []);
  return sumOf(stats.map(({ ownTicks, childTicks }) => (ownTicks + childTicks) * tickUs));
}

function printRow({ scene, held, said, truth }: Row): string {
  const indented = (title: string, lines: readonly string[]) =>
    lines.map((line, index) => `  ${(index === 0 ? title : '').padEnd(6)} ${line}`);
  const title = held === undefined ? scene : `${scene}: ${held ? 'said so' : 'NOT SAID'}`;
  return [title, ...indented('said', said), ...indented('truth', truth), ''].join('\n');
}
