import { byArm, type Contrast, plainOf } from '../../../../shared/base/arms.ts';
import type { Arm } from '../../../../shared/base/transport.ts';
import type { Block, Window } from '../../../../shared/kinds/comparison/block.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import { metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { Program, ProgramCost } from '../../../../shared/kinds/comparison/program.ts';
import { judgeLag } from '../../../method/statistics/lag.ts';
import { meanOf, sumOf } from '../../../method/statistics/mean.ts';
import { boundsOf, precisionOf } from '../../../method/statistics/precision.ts';
import { fewestSamples } from '../../../method/statistics/random-effects.ts';
import { question } from '../plan/question.ts';
import { soundBlocksOf } from './metric-blocks.ts';

const metric = metricOf('cpu_at_load');

/**
 * CPU of each program per transaction at load, and the difference between the sides with its own interval, from the same samples as the
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

/** Blocks in which late work belongs to no side, and how much of each program's is late, µs per transaction; null for next to none. */
type Shared = { blocks: readonly Block[]; lateUs: readonly (number | null)[] };

/**
 * Shares the cost of programs that work after their requests, such as log shippers, WAL writers, and collectors, out to all transactions of a
 * sample: it cannot be told whose it is. It also has what turns without requests took for use by nobody.
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

/** What half of all late work is, as a share of the baseline's cost: the difference may be larger or smaller by that. */
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
