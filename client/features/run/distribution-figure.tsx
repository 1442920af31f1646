import { printNumber, printQuantity, type Scale, scaleFor } from '../../../shared/base/quantity.ts';
import { type BySide, bySide, labelsOf, type SideName, sideNames } from '../../../shared/base/transport.ts';
import { titleOfMetric } from '../../../shared/kinds/comparison/at-load.ts';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import type { OperatingPoint } from '../../../shared/kinds/comparison/load-profile.ts';
import { type MetricId, metricOf, quantityOf } from '../../../shared/kinds/comparison/metric.ts';
import type { Distribution, ShownRun } from '../../../shared/kinds/comparison/run.ts';
import { withinWords } from '../../../shared/words/change-words.ts';
import { pointInWords } from '../../../shared/words/side-words.ts';
import { DataTable, XyFigure } from '../../components/data-table.tsx';
import type { Sides } from '../../format/sides.ts';
import { concludeInWords, EmptyFigure } from './conclusion.tsx';

type Props = { document: ShownRun; sides: Sides; log: boolean };

/** The latency of both sides by percentile, from the median on. The tail is stretched: every nine takes the same room. */
export function DistributionFigure({ document, sides, log }: Props) {
  const view = distributionView(document);
  if (view === null) return <EmptyFigure>No latency was pooled in this run.</EmptyFigure>;
  const words = distributionInWords(view, labelsOf(document.sides), document);
  const upper = bySide((side) => view[side].filter(({ percentile }) => percentile >= lowest));
  const reach = sideNames.flatMap((side) => upper[side].flatMap(({ us, interval }) => interval ?? [us]));
  return (
    <XyFigure
      height={360}
      caption={`${words}.`}
      marks={marksOfDistribution(view)}
      table={<DistributionTable view={view} sides={sides} />}
      label={`Latency by percentile. ${words}.`}
      series={sideNames.map((side) => ({
        ...sides[side],
        points: upper[side].map(({ percentile, us }) => ({ x: nines(percentile), y: us })),
        spreads: upper[side].flatMap(barOf),
      }))}
      x={{
        title: 'Percentile',
        print: (value) => String(percentileOf(value)),
        ticks: [50, 75, 90, 95, 99, 99.9].map(nines),
        min: nines(lowest) - margin,
        max: nines(view.highest) + margin,
      }}
      y={{
        ...latencyAxis(view.scale),
        ...{ log, fromZero: true, reach: Math.max(...reach) },
        ...(log ? { min: Math.min(...reach) * 0.9 } : {}),
      }}
    />
  );
}

function latencyAxis({ symbol, divisor, decimals }: Scale) {
  return {
    title: `Latency, ${symbol}`,
    unit: symbol,
    printPoint: (us: number) => printNumber(us / divisor, decimals),
    print: (us: number) => printNumber(us / divisor, us >= 10 * divisor ? 0 : 1),
  };
}

const lowest = 50;
/** Room in nines for markers and bars at both ends. */
const margin = 0.04;

function barOf({ percentile, interval }: Point) {
  return interval === null ? [] : [{ x: nines(percentile), wide: interval, thin: interval }];
}

/** How many nines: 90 is 1, 99 is 2, 99.9 is 3. */
function nines(percentile: number): number {
  return -Math.log10(1 - Math.min(percentile, 99.999) / 100);
}

function percentileOf(nineCount: number): number {
  return Number((100 * (1 - 10 ** -nineCount)).toPrecision(4));
}

const rungs = [1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9];

type TableProps = { view: DistributionView; sides: Sides };

function DistributionTable({ view, sides }: TableProps) {
  const { scale } = view;
  const print = (side: SideName, percentile: number) => {
    const { us, interval } = pointAt(view[side], percentile);
    const ends = interval?.map((end) => printNumber(end / scale.divisor, scale.decimals)).join(' to ');
    return ends === undefined ? printQuantity(us, scale) : `${printQuantity(us, scale)} (${ends})`;
  };
  return (
    <DataTable
      caption="Latency at percentiles, with 95 % CIs where the table has them"
      narrow="scroll"
      rows={rungs.filter((percentile) => percentile <= view.highest)}
      keyOf={(percentile) => percentile}
      of={(percentile) => quantityAt(view, percentile)}
      columns={[
        { label: 'Percentile', cell: String },
        { label: sides.baseline.label, part: 'first', cell: (percentile) => print('baseline', percentile) },
        {
          label: sides.comparison.label,
          part: 'second',
          cell: (percentile) => print('comparison', percentile),
        },
      ]}
    />
  );
}

/** That of the row of the table which has the percentile, if there is one. */
function quantityAt({ rows }: DistributionView, percentile: number): string {
  const row = rows.get(percentile);
  return row === undefined ? `comparison/pooled/latency_p${percentile}` : quantityOf(row.id);
}

/** The median and the end of the curves: as the table concludes where it has the row, else both figures and no more. */
export function distributionInWords(
  view: DistributionView,
  labels: BySide<string>,
  run: Pick<ShownRun, 'plan' | 'scenario' | 'atLoad'>,
): string {
  const ends = view.highest > 50 ? [50, view.highest] : [50];
  const sentences = ends.map((percentile) => {
    const row = view.rows.get(percentile);
    if (row !== undefined)
      return concludeInWords(row, titleOfMetric(row.id, run), labels, withinWords(run.plan.tolerance));
    const [a, b] = [pointAt(view.baseline, percentile).us, pointAt(view.comparison, percentile).us];
    const scale = scaleFor('us', [a, b], [Math.abs(b - a)]);
    const name = percentile === 50 ? 'median' : `${percentile}th percentile`;
    return `Latency, ${name}: ${printQuantity(a, scale)} with ${labels.baseline}, ${printQuantity(b, scale)} with ${labels.comparison}, without an interval`;
  });
  return sentences.join('. ');
}

/** Meaning of markers and bars, and differences between the curve and the table. */
export function marksOfDistribution({ apartFromMedian }: DistributionView): string {
  const marks =
    'Bars are 95 % CIs, where the table has them; other percentiles are of all transactions pooled.';
  if (apartFromMedian === null) return marks;
  return `${marks} The curve was measured ${pointInWords[apartFromMedian]}, the median in the table with one user.`;
}

/**
 * The latency of both sides, up to the percentile that its sample carries. If the table has a row for a percentile, it is
 * the row's figure; the others are of all transactions pooled.
 */
type DistributionView = {
  baseline: readonly Point[];
  comparison: readonly Point[];
  /** Highest percentile shown, from the smaller sample. */
  highest: number;
  /** Rows of the table, by their percentile. */
  rows: ReadonlyMap<number, MetricComparison>;
  /** Operating point of the transactions, if the median of the table is from another one. */
  apartFromMedian: OperatingPoint | null;
  scale: Scale;
};
type Point = {
  percentile: number;
  us: number;
  /** The 95 % CI, where the table has one. */
  interval: readonly [lo: number, hi: number] | null;
};

type Shown = Pick<ShownRun, 'distributions' | 'metrics' | 'blocks'>;

export function distributionView({ distributions, metrics, blocks }: Shown): DistributionView | null {
  if (distributions === null) return null;
  const highest = highestPercentile(Math.min(distributions.baseline.count, distributions.comparison.count));
  const kinds = new Set(blocks.map(({ kind }) => kind));
  const point = pointRead(['steady', 'lockstep'], kinds);
  const rows = new Map(
    metrics.flatMap((row) => {
      const percentile = percentileOfView[row.id];
      const fits = percentile !== undefined && percentile <= highest && hasBoth(row);
      return fits && pointRead(metricOf(row.id).points, kinds) === point ? [[percentile, row] as const] : [];
    }),
  );
  const sides = bySide((side) => pointsOf(distributions[side], highest, rows, side));
  if (sides.baseline.length === 0 || sides.comparison.length === 0) return null;
  const times = [...sides.baseline, ...sides.comparison].map(({ us }) => us).filter((us) => us > 0);
  const apart = pointRead(metricOf('latency_p50').points, kinds) !== point;
  return { ...sides, highest, rows, apartFromMedian: apart ? point : null, scale: scaleFor('us', times) };
}

const percentileOfView: Partial<Record<MetricId, number>> = {
  latency_p50: 50,
  latency_p90: 90,
  latency_p99: 99,
};

function hasBoth({ baseline, comparison }: MetricComparison): boolean {
  return baseline !== null && comparison !== null;
}

/** Pooled percentiles that the neighboring rows of the table contradict are left out. */
function pointsOf(
  { points }: Distribution,
  highest: number,
  rows: DistributionView['rows'],
  side: SideName,
): Point[] {
  const known = [...rows].flatMap(([percentile, row]) => {
    const estimate = row[side];
    if (estimate === null) return [];
    // Without a ratio the row has too few readings for an interval.
    const interval = row.ratio === null ? null : ([estimate.lo, estimate.hi] as const);
    return [{ percentile, us: estimate.center, interval }];
  });
  const fits = (point: { percentile: number; us: number }) =>
    known.every(({ percentile, us }) =>
      percentile === point.percentile ? false : percentile < point.percentile === us < point.us,
    );
  const pooled = points.filter((point) => point.percentile <= highest && fits(point));
  return [...pooled.map((point) => ({ ...point, interval: null })), ...known].toSorted(
    (a, b) => a.percentile - b.percentile,
  );
}

/** A percentile needs ten observations beyond it, the 99.9th a hundred. */
export function highestPercentile(count: number): number {
  if (count >= 100_000) return 99.9;
  if (count >= 1000) return 99;
  return count >= 200 ? 95 : 90;
}

/** At a percentile, linear between those that are known; an interval where the percentile itself is known. */
export function pointAt(points: readonly Point[], percentile: number): Point {
  const after = points.findIndex((point) => point.percentile >= percentile);
  const right = points[after] ?? points.at(-1);
  const left = points[Math.max(0, after - 1)] ?? right;
  if (right === undefined || left === undefined) return { percentile, us: Number.NaN, interval: null };
  if (right.percentile === percentile) return right;
  const span = right.percentile - left.percentile;
  const us =
    after === -1 || span === 0
      ? right.us
      : left.us + ((right.us - left.us) * (percentile - left.percentile)) / span;
  return { percentile, us, interval: null };
}

/** Operating point that a metric was read at. */
function pointRead(points: readonly OperatingPoint[], kinds: ReadonlySet<OperatingPoint>): OperatingPoint {
  return points.find((point) => kinds.has(point)) ?? 'steady';
}
