import { byArm, type Contrast, plainOf } from '../../../shared/base/arms.ts';
import { type Arm, type SideName, sideNames } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type { Block, Window } from '../../../shared/kinds/comparison/block.ts';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import type { Path } from '../../../shared/kinds/comparison/link.ts';
import { metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { Program, ProgramCost } from '../../../shared/kinds/comparison/program.ts';
import type { RunFacts } from '../../../shared/kinds/comparison/run.ts';
import type { LoadResult } from '../../../shared/kinds/comparison/slot.ts';
import { meanOf, sumOf } from '../../method/statistics/mean.ts';
import { fewestSamples } from '../../method/statistics/pool-runs.ts';
import { boundsOf, precisionOf } from '../../method/statistics/precision.ts';
import { judgeLag } from '../../method/statistics/relative-fit.ts';
import { isKept, soundBlocksOf } from './compared-metric.ts';
import { question } from './metric-readings.ts';

const metric = metricOf('cpu_at_load');

/**
 * CPU of each program per transaction at full load, and the difference between the sides with its own interval, from the same samples as the
 * metric. These rows are exploratory: no word claims a difference. Null where one program works alone, or nothing was measured.
 * @param blocks with what `shareOutLate` returns
 * @param standing the target was running already
 */
export function programCosts(
  programs: readonly Program[],
  { blocks, lateUs }: Shared,
  standing: boolean,
  contrast: Contrast<Arm> = question,
): ProgramCost[] | null {
  const samples = samplesOf(programs, blocks);
  if (samples.length === 0) return null;
  const rowOf = (program: Program, usedUs: UsedUs): ProgramCost => {
    const estimate = (costOf: (window: Window) => number): Estimate => {
      const units = samples.map(({ launch, window }) => ({ launch, value: costOf(window) }));
      const precision = precisionOf(units, { standing, prior: null, betweenRuns: null });
      const center = meanOf(units.map(({ value }) => value));
      return precision === null ? { center, lo: center, hi: center } : boundsOf(precision);
    };
    const [of, plain] = [[contrast.of], plainOf(contrast)];
    return {
      ...program,
      baseline: estimate((window) => costIn(window, plain, usedUs)),
      comparison: estimate((window) => costIn(window, of, usedUs)),
      delta: estimate((window) => costIn(window, of, usedUs) - costIn(window, plain, usedUs)),
    };
  };
  const rows = programs.map((program, place): ProgramCost => {
    const row = rowOf(program, ({ programsUs }) => programsUs?.[place] ?? 0);
    const late = lateUs[place] ?? null;
    return late === null ? row : { ...row, lateUs: late, delta: { center: 0, lo: -late / 2, hi: late / 2 } };
  });
  const isKernelRead = samples.every(({ window }) =>
    Object.values(window.arms).every(({ kernelUs }) => kernelUs !== undefined),
  );
  const kernel: Program = { name: 'kernel', pids: [], role: 'kernel', tie: null };
  return isKernelRead ? [...rows, rowOf(kernel, ({ kernelUs }) => kernelUs ?? 0)] : rows;
}

type UsedUs = (arm: Window['arms'][Arm]) => number;

/** Blocks in which late work belongs to no side, and each program's late work, µs per transaction; null for next to none. */
type Shared = { blocks: readonly Block[]; lateUs: readonly (number | null)[] };

/**
 * Divides the cost of programs that work after their requests, such as log shippers, WAL writers, and collectors, among all transactions of a
 * sample, because it is unknown which caused it. The cost includes what turns without requests counted as idle use.
 */
export function shareOutLate(programs: readonly Program[], blocks: readonly Block[]): Shared {
  const samples = samplesOf(programs, blocks);
  const lateUs = programs.map((_, place) =>
    judgeLag(
      samples.flatMap(({ window }) => {
        const lagUs = window.lag?.us[place];
        if (lagUs === undefined) return [];
        return [{ lagUs, costUs: wholeOf(window, place, lagUs) / transactionsOf(window) }];
      }),
    ),
  );
  if (lateUs.every((late) => late === null)) return { blocks, lateUs };
  const even = (window: Window): Window => ({
    ...window,
    arms: byArm(Object.keys(window.arms) as Arm[], (name) => {
      const arm = window.arms[name];
      if (arm.programsUs === undefined || arm.cpuUs === null) return arm;
      const programsUs = arm.programsUs.map((us, place) => {
        const late = lateUs[place] ?? null;
        if (late === null) return us;
        return (wholeOf(window, place, late) / transactionsOf(window)) * arm.transactions;
      });
      const cpuUs = Math.max(0, arm.cpuUs + sumOf(programsUs) - sumOf(arm.programsUs));
      return { ...arm, programsUs, cpuUs };
    }),
  });
  return { blocks: blocks.map((block) => ({ ...block, windows: block.windows.map(even) })), lateUs };
}

/** Half of all late work, as a share of the baseline's cost: the difference may be larger or smaller by that. */
export function doubtOfLate(
  programs: readonly Program[],
  { blocks, lateUs }: Shared,
  contrast: Contrast<Arm> = question,
): number {
  const late = sumOf(lateUs.map((each) => each ?? 0));
  if (late === 0) return 0;
  const costs = samplesOf(programs, blocks).map(({ window }) =>
    costIn(window, plainOf(contrast), ({ cpuUs }) => cpuUs ?? 0),
  );
  return late / 2 / meanOf(costs);
}

/** CPU of a program in a sample, µs. */
function wholeOf({ arms, lag }: Window, place: number, lateUs: number): number {
  const netUs = sumOf(Object.values(arms).map(({ programsUs }) => programsUs?.[place] ?? 0));
  return netUs + lateUs * (lag?.subtracted ?? 0);
}

function transactionsOf({ arms }: Window): number {
  return sumOf(Object.values(arms).map(({ transactions }) => transactions));
}

type SampleOf = { launch: number; window: Window };

function samplesOf(programs: readonly Program[], blocks: readonly Block[]): SampleOf[] {
  const all = soundBlocksOf(metric, blocks).flatMap(({ launch, windows }) =>
    windows.flatMap((window) => (isRead(window, programs.length) ? [{ launch, window }] : [])),
  );
  const calm = all.filter(({ window }) => !window.aside);
  return calm.length >= fewestSamples ? calm : all;
}

function isRead({ arms }: Window, programs: number): boolean {
  return Object.values(arms).every(
    ({ programsUs, transactions }) => programsUs?.length === programs && transactions > 0,
  );
}

function costIn({ arms }: Window, names: readonly Arm[], usedUs: UsedUs): number {
  return sumOf(names.map((arm) => usedUs(arms[arm]))) / sumOf(names.map((arm) => arms[arm].transactions));
}

/**
 * Share of the path in each side's latency in lockstep: its round trip, from the preflight and from a link's added delay,
 * and the round trips per transaction, from the generator's counts. Null if the path is loopback, or nothing was measured.
 */
export function pathOfRun(
  { preflight, link }: Pick<RunFacts, 'preflight' | 'link'>,
  blocks: readonly Block[],
  metrics: readonly MetricComparison[],
): Path | null {
  const latency = metrics.find(({ id }) => id === 'latency_p50');
  const slots = blocks.filter(({ kind }) => kind === 'lockstep').filter(isKept);
  const ofSide = (side: SideName): Path[SideName] | null => {
    const ownUs = preflight?.sides[side].roundTrip?.minimumUs;
    const addedUs = link?.added == null ? undefined : Math.max(0, link.added.median * 1000);
    const latencyUs = latency?.[side]?.center;
    const loads = slots.flatMap((block) => block.slots.filter(({ arm }) => arm === side));
    const roundTrips = tripsOf(loads.map(({ load }) => load));
    if ((ownUs ?? addedUs) === undefined || latencyUs === undefined || roundTrips === null) return null;
    return { roundTripUs: (ownUs ?? 0) + (addedUs ?? 0), roundTrips, latencyUs };
  };
  const [baseline, comparison] = sideNames.map(ofSide);
  return baseline && comparison ? { baseline, comparison } : null;
}

/** One for each request and each new connection, and those of each handshake; null without a transaction. */
function tripsOf(loads: readonly LoadResult[]): number | null {
  const transactions = sumOf(loads.map(({ succeeded }) => succeeded));
  if (transactions === 0) return null;
  const trips = loads.map(
    ({ requests, connectionsOpened, handshakesFull, handshakesResumed, negotiated }) =>
      requests +
      connectionsOpened +
      handshakesResumed +
      handshakesFull * (negotiated?.protocol === 'TLSv1.2' ? 2 : 1),
  );
  return sumOf(trips) / transactions;
}
