import { differenceOf } from '../../shared/base/independent-estimates.ts';
import type { Estimate } from '../../shared/kinds/comparison/comparison.ts';
import { metricOf } from '../../shared/kinds/comparison/metric.ts';
import { median } from '../method/statistics/quantile.ts';
import { binomialInterval } from './binomial-interval.ts';
import { type RepeatMetric, repeatMetrics } from './measure-wrk-pair.ts';
import {
  type RepeatMachine,
  type RepeatTarget,
  type Repetition,
  repeatMachines,
  repeatTargets,
} from './repetition.ts';
import { meanInterval, spreadOf, spreadRatio } from './spread.ts';

/**
 * What the same question, asked again, has to show. Everything is on the scale of log ratios, times 100: 1 is one percent of the
 * ratio.
 */
export type RepeatRow = {
  bench: 'repeat';
  target: RepeatTarget | 'all';
  machine: RepeatMachine | 'busy against quiet';
  figure: string;
  /** Null where too little was measured for it. */
  value: number | null;
  unit: '%' | '×' | 's' | 'runs';
  /** 95 %. Of a count, the bounds of its share times what was counted. */
  interval: [number, number] | null;
  /** That it comes from. */
  runs: number;
  atLeast: number | null;
  atMost: number | null;
  /** Null without a bound or a value. */
  held: boolean | null;
};

type Bounds = { atLeast?: number | null; atMost?: number | null };

const spreadAtMost = { quiet: { standing: 1, managed: 1, storefront: 1.2 }, busy: 2.5 };
const halfWidthAtMost: Record<RepeatMetric, Record<RepeatTarget, number>> = {
  cpu_at_load: { standing: 3, managed: 3, storefront: 4 },
  throughput: { standing: 3, managed: 3, storefront: 5 },
  latency_p50: { standing: 2, managed: 2, storefront: 3 },
};
/** A half-width may be larger where the runs themselves lie further apart. */
const spreadsInHalfWidth = 2.5;
/** Half of an interval of 95 % is 1.96 standard deviations; the rest is what an estimated one costs. */
const halfWidthInSpreads: Bounds = { atLeast: 1.8, atMost: 2.7 };
const holding = { atLeast: 55, of: 60 };
const busyShiftAtMost = 3;
const timesNarrower: Partial<Record<RepeatMetric, number>> = { cpu_at_load: 6, throughput: 4 };
const verdictS: Record<RepeatTarget, number> = { standing: 20, managed: 20, storefront: 30 };
const firstIntervalS: Record<RepeatTarget, number> = { standing: 8, managed: 8, storefront: 12 };

export function tallyRepeat(repetitions: readonly Repetition[]): RepeatRow[] {
  const of = (machine: RepeatMachine, target: RepeatTarget) =>
    repetitions.filter((each) => each.machine === machine && each.target === target);
  return [
    ...repeatMachines.flatMap((machine) => [
      ...repeatTargets.flatMap((target) => rowsOf(machine, target, of(machine, target))),
      ...holdingOfAll(
        machine,
        repeatTargets.map((target) => of(machine, target)),
      ),
    ]),
    ...repeatTargets.flatMap((target) => shiftWhenBusy(target, of('quiet', target), of('busy', target))),
  ];
}

/** In percent of the ratio. */
function printedOf(of: readonly Repetition[], metric: RepeatMetric): Estimate[] {
  return of.flatMap(({ run }) => {
    const ratio = run.ratios[metric];
    return ratio === null || ratio.lo <= 0 ? [] : [inPercent(ratio)];
  });
}

function inPercent({ center, lo, hi }: Estimate): Estimate {
  return { center: 100 * Math.log(center), lo: 100 * Math.log(lo), hi: 100 * Math.log(hi) };
}

function rowsOf(machine: RepeatMachine, target: RepeatTarget, own: readonly Repetition[]): RepeatRow[] {
  if (own.length === 0) return [];
  const quiet = machine === 'quiet';
  const row = rowIn(machine, target);
  const seconds = own.map(({ run }) => run.seconds);
  const firsts = own.flatMap(({ run }) => run.firstIntervalS ?? []);
  return [
    ...repeatMetrics.flatMap((metric) => precisionRows(machine, target, own, metric)),
    ...(['cpu_at_load', 'throughput'] as const).flatMap((metric) => wrkRows(machine, target, own, metric)),
    row('from click to verdict, median', median(seconds), 's', {
      ...{ runs: seconds.length, interval: rangeOf(seconds), atMost: quiet ? verdictS[target] : null },
    }),
    row('first interval after, median', medianOrNull(firsts), 's', {
      ...{ runs: firsts.length, interval: rangeOf(firsts), atMost: quiet ? firstIntervalS[target] : null },
    }),
  ];
}

function precisionRows(
  machine: RepeatMachine,
  target: RepeatTarget,
  own: readonly Repetition[],
  metric: RepeatMetric,
): RepeatRow[] {
  const row = rowIn(machine, target);
  const { title } = metricOf(metric);
  const printed = printedOf(own, metric);
  const centers = printed.map(({ center }) => center);
  const spread = spreadOf(centers);
  const halfWidth = medianOrNull(printed.map(({ lo, hi }) => (hi - lo) / 2));
  const mean = meanInterval(centers);
  const runs = printed.length;
  const isHeadline = metric === 'cpu_at_load';
  const atMost =
    machine === 'quiet'
      ? Math.max(halfWidthAtMost[metric][target], spreadsInHalfWidth * (spread ?? 0))
      : null;
  const spreadBound = machine === 'quiet' ? spreadAtMost.quiet[target] : spreadAtMost.busy;
  const held = holdingOthers(printed);
  return [
    row(`${title}: median`, shiftOf(medianOrNull(centers)), '%', { runs }),
    row(`${title}: mean`, shiftOf(mean?.center ?? null), '%', {
      runs,
      interval: mean === null ? null : [shiftOf(mean.lo) ?? 0, shiftOf(mean.hi) ?? 0],
    }),
    row(`${title}: spread (sd)`, spread, '%', { runs, atMost: isHeadline ? spreadBound : null }),
    row(`${title}: printed half-width, median`, halfWidth, '%', { runs, atMost }),
    row(`${title}: half-width ÷ spread`, quotient(halfWidth, spread), '×', {
      runs,
      ...(isHeadline ? halfWidthInSpreads : {}),
    }),
    countRow(row, `${title}: intervals that hold the mean of the others`, held, own.length),
  ];
}

/** How many intervals hold the mean of the other runs' estimates. */
function holdingOthers(printed: readonly Estimate[]): number {
  if (printed.length < 2) return 0;
  const sum = printed.reduce((total, { center }) => total + center, 0);
  return printed.filter(({ center, lo, hi }) => {
    const others = (sum - center) / (printed.length - 1);
    return lo <= others && others <= hi;
  }).length;
}

/** A run without an interval holds nothing. */
function holdingOfAll(machine: RepeatMachine, targets: readonly (readonly Repetition[])[]): RepeatRow[] {
  const asked = targets.reduce((sum, own) => sum + own.length, 0);
  if (asked === 0) return [];
  const held = targets.reduce((sum, own) => sum + holdingOthers(printedOf(own, 'cpu_at_load')), 0);
  const { title } = metricOf('cpu_at_load');
  return [
    countRow(
      rowIn(machine, 'all'),
      `${title}: intervals that hold the mean of the others`,
      held,
      asked,
      Math.ceil((asked * holding.atLeast) / holding.of),
    ),
  ];
}

/** How much narrower we are than wrk in the same time, and whether both say the same. */
function wrkRows(
  machine: RepeatMachine,
  target: RepeatTarget,
  own: readonly Repetition[],
  metric: RepeatMetric,
): RepeatRow[] {
  const row = rowIn(machine, target);
  const { title } = metricOf(metric);
  const ours = printedOf(own, metric).map(({ center }) => center);
  const theirs = own.flatMap(({ pair }) =>
    pair === null ? [] : [100 * Math.log(pair.comparison[metric] / pair.baseline[metric])],
  );
  if (theirs.length === 0) return [];
  const narrower = spreadRatio(theirs, ours);
  const [ourMean, theirMean] = [meanInterval(ours), meanInterval(theirs)];
  // Two intervals meet when their centers lie no further apart than both halves together.
  const reach = ourMean === null || theirMean === null ? null : halfOf(ourMean) + halfOf(theirMean);
  const runs = theirs.length;
  return [
    row(`wrk, ${title}: mean`, shiftOf(theirMean?.center ?? null), '%', {
      runs,
      interval: theirMean === null ? null : [shiftOf(theirMean.lo) ?? 0, shiftOf(theirMean.hi) ?? 0],
    }),
    row(`wrk, ${title}: spread (sd)`, spreadOf(theirs), '%', { runs }),
    row(`wrk, ${title}: its spread ÷ ours`, narrower?.center ?? null, '×', {
      runs,
      interval: narrower === null ? null : [narrower.lo, narrower.hi],
      atLeast: timesNarrower[metric] ?? null,
    }),
    row(
      `wrk, ${title}: our mean less its mean`,
      ourMean === null || theirMean === null ? null : ourMean.center - theirMean.center,
      '%',
      { runs, atLeast: reach === null ? null : -reach, atMost: reach },
    ),
  ];
}

function shiftWhenBusy(
  target: RepeatTarget,
  quiet: readonly Repetition[],
  busy: readonly Repetition[],
): RepeatRow[] {
  if (quiet.length === 0 || busy.length === 0) return [];
  return repeatMetrics.map((metric) => {
    const [from, to] = [quiet, busy].map((own) =>
      meanInterval(printedOf(own, metric).map(({ center }) => center)),
    );
    const shift = from && to ? differenceOf(to, from) : null;
    const isHeadline = metric === 'cpu_at_load';
    return rowIn('busy against quiet', target)(
      `${metricOf(metric).title}: mean beside two busy loops less quiet mean`,
      shift?.center ?? null,
      '%',
      {
        runs: quiet.length + busy.length,
        interval: shift === null ? null : [shift.lo, shift.hi],
        ...(isHeadline ? { atLeast: -busyShiftAtMost, atMost: busyShiftAtMost } : {}),
      },
    );
  });
}

function rowIn(machine: RepeatRow['machine'], target: RepeatRow['target']) {
  return (
    figure: string,
    value: number | null,
    unit: RepeatRow['unit'],
    {
      runs,
      interval = null,
      atLeast = null,
      atMost = null,
    }: Bounds & Pick<RepeatRow, 'runs'> & { interval?: RepeatRow['interval'] },
  ): RepeatRow => {
    const isBound = (atLeast !== null || atMost !== null) && value !== null;
    const held = isBound ? value >= (atLeast ?? value) && value <= (atMost ?? value) : null;
    return { bench: 'repeat', target, machine, figure, value, unit, interval, runs, atLeast, atMost, held };
  };
}

function countRow(
  row: ReturnType<typeof rowIn>,
  figure: string,
  count: number,
  runs: number,
  atLeast: number | null = null,
): RepeatRow {
  const share = binomialInterval(count, runs);
  return row(figure, count, 'runs', {
    ...{ runs, atLeast },
    interval: share === null ? null : [share.lo * runs, share.hi * runs],
  });
}

/** A mean log ratio, in percent, as the change that it stands for: +42.7. */
function shiftOf(percent: number | null): number | null {
  return percent === null ? null : 100 * Math.expm1(percent / 100);
}

function halfOf({ lo, hi }: Estimate): number {
  return (hi - lo) / 2;
}

function quotient(above: number | null, below: number | null): number | null {
  return above === null || below === null || below === 0 ? null : above / below;
}

function medianOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : median(values);
}

function rangeOf(values: readonly number[]): [number, number] | null {
  return values.length < 2 ? null : [Math.min(...values), Math.max(...values)];
}
