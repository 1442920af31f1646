import { differenceOf } from '../../shared/base/estimate-arithmetic.ts';
import type { Estimate } from '../../shared/base/units.ts';
import { median } from '../method/statistics/intervals.ts';
import { meanOf } from '../method/statistics/mean.ts';
import { printTable } from './print-table.ts';
import {
  type RepeatMachine,
  type RepeatTarget,
  type Repetition,
  repeatMachines,
  type repeatMetrics,
  repeatTargets,
} from './repetition.ts';
import { binomialInterval, meanInterval, spreadInterval } from './spread.ts';
import type { WrkPair } from './wrk.ts';

/** A figure from our runs or from wrk. */
type Cell = {
  value: number;
  /** 95 % interval. For a median, the minimum and maximum; for a count, the bounds of its share times `of`. */
  interval: [number, number] | null;
  /** Number of runs behind the figure. */
  of: number;
};

/**
 * A figure that repeated runs of one question must reach. Ratios are compared as logarithms times 100, so an sd of 1 is one percent of
 * the ratio.
 */
type RepeatRow = {
  bench: 'repeat';
  machine: RepeatMachine | 'both' | 'busy less quiet';
  target: RepeatTarget | 'all';
  figure: string;
  unit: '%' | 'µs' | 's' | 'users' | 'runs' | 'windows';
  /** Null where too little was measured for it. */
  ours: Cell | null;
  /** Null where wrk has no such figure. */
  wrk: Cell | null;
  atLeast: number | null;
  atMost: number | null;
  /** Null without a bound or a value. */
  held: boolean | null;
};

type Bounds = { atLeast?: number | null; atMost?: number | null };
type Shown = Bounds & { ours: Cell | null; wrk?: Cell | null };
type Write = (figure: string, unit: RepeatRow['unit'], shown: Shown) => RepeatRow;

const titles: Record<(typeof repeatMetrics)[number], string> = {
  cpu_at_load: 'CPU per transaction',
  throughput: 'throughput',
  latency_p50: 'latency',
};
/** Runs out of 20. */
const decidedAtLeast = { quiet: 19, busy: 15 };
const spreadAtMost = { quiet: 2, busy: 3 };
/** In percent of the mean. */
const differenceSpreadAtMost = 10;
const holdingAtLeast = 0.9;
const busyShiftAtMost = 3;
const verdictS: Record<RepeatTarget, number> = { button: 30, managed: 20, standing: 20 };
const firstIntervalS: Record<RepeatTarget, number> = { button: 15, managed: 12, standing: 12 };
const measuredAtLeast = 50;

export function tallyRepeat(repetitions: readonly Repetition[]): RepeatRow[] {
  const of = (machine: RepeatMachine, target: RepeatTarget) =>
    repetitions.filter((each) => each.machine === machine && each.target === target);
  const groups = repeatMachines.flatMap((machine) =>
    repeatTargets.map((target) => ({ machine, target, own: of(machine, target) })),
  );
  return [
    ...groups.flatMap(({ machine, target, own }) => (own.length === 0 ? [] : rowsOf(machine, target, own))),
    ...holdingOfAll(groups.map(({ own }) => own)),
    ...repeatTargets.flatMap((target) => shiftWhenBusy(target, of('quiet', target), of('busy', target))),
  ];
}

function rowsOf(machine: RepeatMachine, target: RepeatTarget, own: readonly Repetition[]): RepeatRow[] {
  const write = rowIn(machine, target);
  const isQuiet = machine === 'quiet';
  const pairs = own.flatMap(({ pair }) => pair ?? []);
  const runs = own.map(({ run }) => run);
  const decided = runs.filter((run) => run.decided).length;
  const over = runs.flatMap(({ oursOver }) => oursOver ?? []);
  return [
    write('decided', 'runs', {
      ours: countOf(decided, runs.length),
      atLeast: target === 'button' ? Math.ceil((runs.length * decidedAtLeast[machine]) / 20) : null,
    }),
    write('users at load, median', 'users', {
      ours: medianOf(runs.flatMap(({ users }) => users ?? [])),
      wrk: medianOf(pairs.map(({ connections }) => connections)),
    }),
    ...costRows(write, machine, target, own),
    ...(['throughput', 'latency_p50'] as const).flatMap((metric) => ratioRows(write, own, metric)),
    ...(['cpu_at_load', 'latency_p50'] as const).map((metric) =>
      write(`${titles[metric]}: intervals that hold the mean of the others`, 'runs', {
        ours: countOf(holdingOthers(ratiosOf(own, metric)), runs.length),
      }),
    ),
    write('time to the verdict, median', 's', {
      ours: medianOf(runs.map((run) => run.verdictS)),
      atMost: isQuiet ? verdictS[target] : null,
    }),
    write('time to the first interval, median', 's', {
      ours: medianOf(runs.flatMap((run) => run.firstIntervalS ?? [])),
      atMost: isQuiet ? firstIntervalS[target] : null,
    }),
    write('of the time to the verdict, measured, median', '%', {
      ours: medianOf(
        runs.flatMap(({ measuredS, verdictS }) => (measuredS === null ? [] : (100 * measuredS) / verdictS)),
      ),
      atLeast: isQuiet ? measuredAtLeast : null,
    }),
    write('windows in which ours is over 2 %', 'windows', {
      ours:
        over.length === 0
          ? null
          : countOf(
              sumOf(over, ({ windows }) => windows),
              sumOf(over, ({ of }) => of),
            ),
      atMost: 0,
    }),
  ];
}

const cpu = titles.cpu_at_load;

/** CPU rows, in µs per transaction and in percent. */
function costRows(
  write: Write,
  machine: RepeatMachine,
  target: RepeatTarget,
  own: readonly Repetition[],
): RepeatRow[] {
  const pairs = own.flatMap(({ pair }) => pair ?? []);
  const http = { ours: centersOf(own, 'baseline'), wrk: pairs.map((pair) => costOf(pair, 'baseline')) };
  const difference = {
    ours: centersOf(own, 'delta'),
    wrk: pairs.map((pair) => costOf(pair, 'comparison') - costOf(pair, 'baseline')),
  };
  const httpSpread = bothBy(shareSpread, http);
  const own2 = httpSpread.ours?.value ?? null;
  const most = target === 'button' || own2 === null ? own2 : Math.min(own2, differenceSpreadAtMost);
  return [
    write(`${cpu}, HTTP: mean`, 'µs', bothBy(meanCell, http)),
    write(`${cpu}, HTTP: sd, of its mean`, '%', httpSpread),
    ...ratioRows(write, own, 'cpu_at_load', spreadAtMost[machine]),
    write(`${cpu}, HTTPS less HTTP: mean`, 'µs', bothBy(meanCell, difference)),
    write(`${cpu}, HTTPS less HTTP: sd`, 'µs', bothBy(spreadCell, difference)),
    write(`${cpu}, HTTPS less HTTP: sd, of its mean`, '%', {
      ...bothBy(shareSpread, difference),
      atMost: most,
    }),
    write(`${cpu}, HTTPS less HTTP: our mean less wrk’s`, 'µs', lessWrk(difference)),
  ];
}

function ratioRows(
  write: Write,
  own: readonly Repetition[],
  metric: (typeof repeatMetrics)[number],
  atMost: number | null = null,
): RepeatRow[] {
  const title = `${titles[metric]}, HTTPS against HTTP`;
  const logs = {
    ours: ratiosOf(own, metric).map(({ center }) => center),
    wrk: own.flatMap(({ pair }) => (pair === null ? [] : wrkRatio(pair, metric))),
  };
  const rows = [
    write(`${title}: mean`, '%', bothBy(shiftCell, logs)),
    write(`${title}: sd`, '%', { ...bothBy(spreadCell, logs), atMost }),
  ];
  if (logs.wrk.length === 0) return rows;
  return [...rows, write(`${title}: our mean less wrk’s`, '%', lessWrk(logs))];
}

/** Ratios per transaction, like those of our runs. wrk has no latency of a lone user. */
function wrkRatio({ baseline, comparison }: WrkPair, metric: (typeof repeatMetrics)[number]): number[] {
  if (metric === 'latency_p50') return [];
  const of =
    metric === 'throughput'
      ? comparison.perS / baseline.perS
      : comparison.cpuUs / comparison.requests / (baseline.cpuUs / baseline.requests);
  return [100 * Math.log(of)];
}

function costOf(pair: WrkPair, side: 'baseline' | 'comparison'): number {
  return (pair.steps * pair[side].cpuUs) / pair[side].requests;
}

/** Ratios, in percent. */
function ratiosOf(own: readonly Repetition[], metric: (typeof repeatMetrics)[number]): Estimate[] {
  return own.flatMap(({ run }) => {
    const { ratio } = run.metrics[metric];
    return ratio === null || ratio.lo <= 0 ? [] : [inPercent(ratio)];
  });
}

function inPercent({ center, lo, hi }: Estimate): Estimate {
  return { center: 100 * Math.log(center), lo: 100 * Math.log(lo), hi: 100 * Math.log(hi) };
}

function centersOf(own: readonly Repetition[], what: 'baseline' | 'delta'): number[] {
  return own.flatMap(({ run }) => run.metrics.cpu_at_load[what]?.center ?? []);
}

/** How many intervals hold the mean of the other runs' estimates. */
function holdingOthers(printed: readonly Estimate[]): number {
  if (printed.length < 2) return 0;
  const sum = sumOf(printed, ({ center }) => center);
  return printed.filter(({ center, lo, hi }) => {
    const others = (sum - center) / (printed.length - 1);
    return lo <= others && others <= hi;
  }).length;
}

/** A run without an interval holds nothing. */
function holdingOfAll(groups: readonly (readonly Repetition[])[]): RepeatRow[] {
  const asked = sumOf(groups, (own) => own.length);
  if (asked === 0) return [];
  return (['cpu_at_load', 'latency_p50'] as const).map((metric) =>
    rowIn('both', 'all')(`${titles[metric]}: intervals that hold the mean of the others`, 'runs', {
      ours: countOf(
        sumOf(groups, (own) => holdingOthers(ratiosOf(own, metric))),
        asked,
      ),
      atLeast: Math.ceil(holdingAtLeast * asked),
    }),
  );
}

function shiftWhenBusy(
  target: RepeatTarget,
  quiet: readonly Repetition[],
  busy: readonly Repetition[],
): RepeatRow[] {
  if (quiet.length === 0 || busy.length === 0) return [];
  const shiftOf = (logs: (own: readonly Repetition[]) => number[]): Cell | null => {
    const [from, to] = [meanInterval(logs(quiet)), meanInterval(logs(busy))];
    if (from === null || to === null) return null;
    const { center, lo, hi } = differenceOf(to, from);
    return { value: center, interval: [lo, hi], of: logs(quiet).length + logs(busy).length };
  };
  return [
    rowIn('busy less quiet', target)(`${cpu}, HTTPS against HTTP: mean`, '%', {
      ours: shiftOf((own) => ratiosOf(own, 'cpu_at_load').map(({ center }) => center)),
      wrk: shiftOf((own) => own.flatMap(({ pair }) => (pair === null ? [] : wrkRatio(pair, 'cpu_at_load')))),
      ...{ atLeast: -busyShiftAtMost, atMost: busyShiftAtMost },
    }),
  ];
}

function rowIn(machine: RepeatRow['machine'], target: RepeatRow['target']): Write {
  return (figure, unit, { ours, wrk = null, atLeast = null, atMost = null }) => {
    const isBound = (atLeast !== null || atMost !== null) && ours !== null;
    const held = isBound
      ? ours.value >= (atLeast ?? ours.value) && ours.value <= (atMost ?? ours.value)
      : null;
    return { bench: 'repeat', machine, target, figure, unit, ours, wrk, atLeast, atMost, held };
  };
}

type Both = { ours: readonly number[]; wrk: readonly number[] };

function bothBy(cellOf: (values: readonly number[]) => Cell | null, { ours, wrk }: Both) {
  return { ours: cellOf(ours), wrk: cellOf(wrk) };
}

function meanCell(values: readonly number[]): Cell | null {
  return cellOf(meanInterval(values), values);
}

/** A mean log ratio, in percent, as the change that it stands for: +42.7. */
function shiftCell(logs: readonly number[]): Cell | null {
  return cellOf(meanInterval(logs), logs, (percent) => 100 * Math.expm1(percent / 100));
}

function spreadCell(values: readonly number[]): Cell | null {
  return cellOf(spreadInterval(values), values);
}

/** Spread in percent of the mean. */
function shareSpread(values: readonly number[]): Cell | null {
  const mean = values.length === 0 ? 0 : Math.abs(meanOf(values));
  return mean === 0 ? null : cellOf(spreadInterval(values), values, (sd) => (100 * sd) / mean);
}

function cellOf(
  estimate: Estimate | null,
  { length }: readonly number[],
  shown: (value: number) => number = (value) => value,
): Cell | null {
  if (estimate === null) return null;
  return { value: shown(estimate.center), interval: [shown(estimate.lo), shown(estimate.hi)], of: length };
}

/** Two intervals meet when their centers lie no further apart than both halves together. */
function lessWrk({ ours, wrk }: Both): Shown {
  const [our, their] = [meanInterval(ours), meanInterval(wrk)];
  if (our === null || their === null) return { ours: null };
  const reach = (our.hi - our.lo + their.hi - their.lo) / 2;
  return {
    ours: { value: our.center - their.center, interval: null, of: ours.length },
    ...{ atLeast: -reach, atMost: reach },
  };
}

function countOf(count: number, of: number): Cell {
  const share = binomialInterval(count, of);
  return { value: count, interval: share === null ? null : [share.lo * of, share.hi * of], of };
}

function medianOf(values: readonly number[]): Cell | null {
  if (values.length === 0) return null;
  return { value: median(values), interval: [Math.min(...values), Math.max(...values)], of: values.length };
}

function sumOf<Each>(items: readonly Each[], value: (item: Each) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}

/** The results of each run and each pair of wrk runs, then every figure with wrk's and its bound. */
export function printRepeat(rows: readonly RepeatRow[], repetitions: readonly Repetition[]): string {
  const runs = printTable(
    ['machine', 'target', 'users', 'load', 'verdict', 'CPU, HTTP → HTTPS', 'by wrk', 'latency', 'said'],
    repetitions.map(({ machine, target, run, pair }) => [
      ...[machine, target, `${run.users ?? ''}`, run.loadAverage.toFixed(1), `${run.verdictS.toFixed(1)} s`],
      printCost(run.metrics.cpu_at_load.ratio, run.metrics.cpu_at_load.baseline?.center ?? null),
      pair === null ? '' : printCost(ratioOf(pair), costOf(pair, 'baseline')),
      ...[printCost(run.metrics.latency_p50.ratio, null), run.said],
    ]),
  );
  const table = printTable(
    ['machine', 'target', 'figure', 'ours (95 %, or range of a median)', 'wrk', 'bound', ''],
    rows.map((row) => [
      ...[
        row.machine,
        row.target,
        row.figure,
        printCell(row.ours, row.unit),
        printCell(row.wrk, row.unit, ''),
      ],
      printBound(row),
      row.held === null ? '' : row.held ? 'held' : 'missed',
    ]),
  );
  return `${runs}\n${table}`;
}

function ratioOf(pair: WrkPair): Pick<Estimate, 'center'> {
  return { center: costOf(pair, 'comparison') / costOf(pair, 'baseline') };
}

/** `312 µs +42.8 % (40.6 to 45.1)`. */
function printCost(
  ratio: (Pick<Estimate, 'center'> & Partial<Estimate>) | null,
  httpUs: number | null,
): string {
  if (ratio === null) return 'none';
  const shift = (value: number) => `${value < 1 ? '' : '+'}${printNumber(100 * (value - 1), '%')}`;
  const { center, lo, hi } = ratio;
  const interval = lo === undefined || hi === undefined ? '' : ` (${shift(lo)} to ${shift(hi)})`;
  return `${httpUs === null ? '' : `${printNumber(httpUs, 'µs')} µs `}${shift(center)} %${interval}`;
}

function printCell(cell: Cell | null, unit: RepeatRow['unit'], none = 'n/a'): string {
  if (cell === null) return none;
  const { value, interval, of } = cell;
  const isCount = unit === 'runs' || unit === 'windows';
  const shown = isCount ? `${value} of ${of}` : `${printNumber(value, unit)} ${unit}`;
  if (interval === null) return shown;
  const digits = isCount ? 's' : unit;
  return `${shown} (${interval.map((bound) => printNumber(bound, digits)).join(' to ')})`;
}

function printBound({ atLeast, atMost, unit }: RepeatRow): string {
  if (atLeast !== null && atMost !== null)
    return `${printNumber(atLeast, unit)} to ${printNumber(atMost, unit)}`;
  if (atLeast !== null) return `≥ ${printNumber(atLeast, unit)}`;
  return atMost === null ? '' : `≤ ${printNumber(atMost, unit)}`;
}

const digitsOf: Record<RepeatRow['unit'], number> = { '%': 2, µs: 1, s: 1, users: 0, runs: 0, windows: 0 };

function printNumber(value: number, unit: RepeatRow['unit']): string {
  return value.toFixed(digitsOf[unit]).replace('-', '−');
}
