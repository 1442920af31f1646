import { printNumber, printWholePercent } from '../../base/quantity.ts';
import { primaryMetrics } from './metric.ts';
import type { RunDocument } from './run.ts';

/** How clean a run was. A noisy one is no less right: its intervals are wider. */

export const qualities = ['clean', 'noisy'] as const;
export type Quality = (typeof qualities)[number];

/** Limits above which a run is noisy: shares of what was measured, and the widening of an interval, as a ratio. */
const qualityLimits = {
  /** CPU time that other virtual machines took. */
  stolen: 0.03,
  /** CPU time that other programs took. */
  foreign: 0.2,
  /** Windows that were set aside. */
  aside: 0.1,
  /** Blocks that were left out. */
  dropped: 0,
  /** Widening of the verdict's metrics, for drift, the twin, or carry-over. */
  widened: 0.01,
} as const;

type Judged = {
  blocks: readonly {
    reasons: readonly { code: string }[];
    windows: readonly { stealRatio: number | null; foreignRatio: number | null; aside: boolean }[];
  }[];
} & Pick<RunDocument, 'metrics' | 'launches' | 'plan' | 'state' | 'begun' | 'loudest'>;

/** The mark, and what it rests on, in sentences. */
export function qualityOf(run: Judged): { quality: Quality; reasons: string[] } {
  const reasons = [
    ...machineReasons(run),
    ...blockReasons(run),
    ...launchReasons(run),
    ...widenedReasons(run),
    ...begunReasons(run),
  ];
  return { quality: reasons.length === 0 ? 'clean' : 'noisy', reasons };
}

function machineReasons({ blocks, loudest }: Judged): string[] {
  const windows = blocks.flatMap((block) => block.windows);
  const stolen = meanOf(windows.map(({ stealRatio }) => stealRatio));
  const foreign = foreignShareOf({ blocks });
  const aside = meanOf(windows.map((window) => Number(window.aside)));
  return [
    ...(stolen > qualityLimits.stolen
      ? [`Other virtual machines took ${printWholePercent(stolen)} of the CPU.`]
      : []),
    ...(foreign > qualityLimits.foreign
      ? [`Other programs took ${printWholePercent(foreign)} of the CPU${loudestInWords(loudest)}.`]
      : []),
    ...(aside > qualityLimits.aside
      ? [`${printWholePercent(aside)} of the time was disturbed and is discarded.`]
      : []),
  ];
}

/** Share of this machine that widens an interval. */
export const disturbingShare = 0.05;

/** Share of the machine that other programs used while a run measured, as far as it is known. */
export function foreignShareOf({ blocks }: Pick<Judged, 'blocks'>): number {
  return meanOf(blocks.flatMap(({ windows }) => windows.map(({ foreignRatio }) => foreignRatio)));
}

/** `: node 24 %, make 15 %`; nothing if they are not known. */
export function loudestInWords(loudest: Judged['loudest'] = []): string {
  const named = loudest.map(({ name, share }) => `${name} ${printWholePercent(share)}`);
  return named.length === 0 ? '' : `: ${named.join(', ')}`;
}

function blockReasons({ blocks }: Judged): string[] {
  const dropped = blocks.filter(({ reasons }) => reasons.length > 0);
  if (dropped.length <= qualityLimits.dropped * blocks.length) return [];
  const late = dropped.filter(({ reasons }) => reasons.some(({ code }) => code === 'late')).length;
  const why = late === 0 ? '' : `, ${count(late)} because requests were sent late`;
  return [
    `${count(dropped.length)} of ${count(blocks.length)} parts of the run ${dropped.length === 1 ? 'is' : 'are'} discarded${why}.`,
  ];
}

function launchReasons({ launches, plan, state }: Judged): string[] {
  if (state !== 'finished' || launches.length >= plan.launches.minimum) return [];
  return [
    `Only ${count(launches.length)} of ${count(plan.launches.minimum)} starts ${launches.length === 1 ? 'was' : 'were'} measured.`,
  ];
}

/** Programs that began after the search for those that work for a request. */
function begunReasons({ begun = [] }: Judged): string[] {
  return begun.map(
    (each) =>
      `${each.name} began during the run and used ${printWholePercent(each.share)} as much CPU as the server.`,
  );
}

function widenedReasons({ metrics }: Judged): string[] {
  const primary = metrics.filter(
    ({ id, outcome }) => outcome !== 'refused' && primaryMetrics.some((each) => each === id),
  );
  const names = primary.flatMap(({ precision }) =>
    (precision?.widenings ?? []).filter(({ by }) => by > qualityLimits.widened).map(({ name }) => name),
  );
  const noisier = primary.some(
    ({ precision, launches }) => precision?.isNoisierThanPast === true && launches.length > 1,
  );
  return [
    ...[...new Set(names)].map((name) => widened[name]),
    ...(noisier ? ['The starts of the server differed more than in earlier runs.'] : []),
  ];
}

const widened = {
  drift: 'The server got slower or faster during the run. The intervals allow for it.',
  twin: 'The control differed from the first side. The intervals allow for it.',
  'carry-over': 'The order of the sides mattered. The intervals allow for it.',
} as const;

function meanOf(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function count(value: number): string {
  return printNumber(value, 0);
}
