import { z } from 'zod';
import {
  type Estimate,
  estimateSchema,
  verdictOutcomeSchema,
} from '../../shared/kinds/comparison/comparison.ts';
import { lengthSchema } from '../../shared/kinds/comparison/load-choice.ts';
import { type MetricId, metricOf, primaryMetrics } from '../../shared/kinds/comparison/metric.ts';
import { metricIdSchema } from '../../shared/kinds/comparison/metric-schema.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { median } from '../method/statistics/quantile.ts';
import { binomialInterval } from './binomial-interval.ts';
import { printCount, printTable } from './print-table.ts';
import { spreadInterval } from './spread.ts';

/** What a run of something against itself said, in every row of its table. */
export const shippedNullSchema = z.strictObject({
  length: lengthSchema,
  target: z.string(),
  seconds: z.number().nonnegative(),
  state: z.string(),
  rows: z.array(
    z.strictObject({
      id: metricIdSchema,
      outcome: verdictOutcomeSchema,
      /** The interval holds no difference; null without one. */
      holds: z.boolean().nullable(),
      ratio: estimateSchema.nullable(),
    }),
  ),
  /** The verdict, or why there is none. */
  said: z.string(),
});
export type ShippedNull = z.infer<typeof shippedNullSchema>;

type ShippedNullRow = {
  bench: 'null';
  length: ShippedNull['length'];
  /** `any` is a difference in any row of a run's table. */
  metric: MetricId | 'any';
  /** Finished runs that have this row, not refused. */
  runs: number;
  /** Of them, those that claim a difference. */
  claiming: number;
  /** Null where there is no bound. */
  atMost: number | null;
  within: number;
  inconclusive: number;
  notTested: number;
  /** Intervals that hold no difference, and how many there were. */
  holding: number;
  intervals: number;
  refused: number;
  /** Per target, the median half-width of the log ratio divided by the runs' standard deviation, with the interval from the latter. */
  widths: { target: string; inSpreads: Estimate }[];
  /** Whether the row is within its bounds; null without a bound. */
  held: boolean | null;
};

/** Of a hundred runs that claim a difference in any row. */
const claimsInHundred = 9;
const headline = 'cpu_at_load';
/** Half of a 95 % interval is 1.96 standard deviations, and more because the deviation is estimated. */
const widthInSpreads = { atLeast: 1.8, atMost: 3 };

export function observeShippedNull(document: RunDocument, seconds: number): ShippedNull {
  return {
    length: document.plan.length,
    target: document.target.kind,
    ...{ seconds, state: document.state },
    rows: document.metrics.map(({ id, outcome, ratio, delta }) => ({
      id,
      outcome,
      holds: holdsNone(ratio, delta),
      ratio,
    })),
    said: document.verdict?.sentence ?? document.problem?.detail ?? document.state,
  };
}

function holdsNone(
  ratio: RunDocument['metrics'][number]['ratio'],
  delta: RunDocument['metrics'][number]['delta'],
): boolean | null {
  if (ratio !== null) return ratio.lo <= 1 && ratio.hi >= 1;
  return delta === null ? null : delta.lo <= 0 && delta.hi >= 0;
}

export function tallyShippedNull(runs: readonly ShippedNull[]): ShippedNullRow[] {
  return lengthSchema.options.flatMap((length) => {
    const finished = runs.filter((run) => run.length === length && run.state === 'finished');
    if (finished.length === 0) return [];
    const ids = [
      ...new Set([...primaryMetrics, ...finished.flatMap(({ rows }) => rows.map(({ id }) => id))]),
    ];
    return [anyRow(length, finished), ...ids.map((id) => metricRow(length, id, finished))];
  });
}

function anyRow(length: ShippedNull['length'], runs: readonly ShippedNull[]): ShippedNullRow {
  const claiming = runs.filter(({ rows }) => rows.some(({ outcome }) => outcome === 'overhead')).length;
  const atMost = Math.floor((runs.length * claimsInHundred) / 100);
  return {
    ...({ bench: 'null', length, metric: 'any', runs: runs.length, claiming, atMost } as const),
    ...{ within: 0, inconclusive: 0, notTested: 0, holding: 0, intervals: 0, refused: 0, widths: [] },
    held: claiming <= atMost,
  };
}

function metricRow(
  length: ShippedNull['length'],
  metric: MetricId,
  runs: readonly ShippedNull[],
): ShippedNullRow {
  const rows = runs.flatMap((run) => run.rows.filter(({ id }) => id === metric));
  const told = rows.filter(({ outcome }) => outcome !== 'refused');
  const widths = widthsOf(metric, runs);
  const isHeadline = metric === headline && widths.length > 0;
  const count = (word: (typeof told)[number]['outcome']) =>
    rows.filter(({ outcome }) => outcome === word).length;
  return {
    ...({ bench: 'null', length, metric, runs: told.length, claiming: count('overhead') } as const),
    ...{ atMost: null, within: count('no_overhead'), inconclusive: count('inconclusive') },
    ...{ notTested: count('not_tested'), refused: count('refused') },
    holding: told.filter(({ holds }) => holds === true).length,
    intervals: told.filter(({ holds }) => holds !== null).length,
    ...{ widths, held: isHeadline ? widths.every(({ inSpreads }) => isFit(inSpreads.center)) : null },
  };
}

function isFit(inSpreads: number): boolean {
  return inSpreads >= widthInSpreads.atLeast && inSpreads <= widthInSpreads.atMost;
}

/** Empty for metrics without a ratio. A target needs at least two. */
function widthsOf(metric: MetricId, runs: readonly ShippedNull[]): ShippedNullRow['widths'] {
  return [...Map.groupBy(runs, ({ target }) => target)].flatMap(([target, own]) => {
    const ratios = own.flatMap(({ rows }) => rows.find(({ id }) => id === metric)?.ratio ?? []);
    const usable = ratios.filter(({ lo }) => lo > 0);
    const spread = spreadInterval(usable.map(({ center }) => Math.log(center)));
    if (spread === null || spread.center === 0) return [];
    const halfWidth = median(usable.map(({ lo, hi }) => Math.log(hi / lo) / 2));
    const [center = 0, lo = 0, hi = 0] = [spread.center, spread.hi, spread.lo].map((sd) => halfWidth / sd);
    return [{ target, inSpreads: { center, lo, hi } }];
  });
}

export function printShippedNull(rows: readonly ShippedNullRow[], runs: readonly ShippedNull[]): string {
  const table = printTable(
    [
      ...['length', 'row', 'claims a difference', 'bound', '', 'within', 'inconclusive', 'not tested'],
      ...['refused', 'interval includes no difference', 'half-width ÷ sd'],
    ],
    rows.map((row) => {
      const claims = printCount(row.claiming, row.runs, binomialInterval(row.claiming, row.runs));
      const held = row.held === null ? '' : row.held ? 'held' : 'missed';
      if (row.metric === 'any') {
        return [
          row.length,
          'any row',
          claims,
          `≤ ${row.atMost}`,
          held,
          ...Array.from({ length: 6 }, () => ''),
        ];
      }
      const bound = row.held === null ? '' : `${widthInSpreads.atLeast} to ${widthInSpreads.atMost} sd`;
      return [
        ...[row.length, metricOf(row.metric).title, claims, bound, held],
        ...[row.within, row.inconclusive, row.notTested, row.refused].map(String),
        printCount(row.holding, row.intervals, binomialInterval(row.holding, row.intervals)),
        row.widths.map(({ target, inSpreads }) => `${target} ${printTimes(inSpreads)}`).join(', '),
      ];
    }),
  );
  const lost = runs.filter(({ state }) => state !== 'finished');
  return `${table}${runs.length} runs; ${lost.length} of them did not finish and do not count.\n`;
}

function printTimes({ center, lo, hi }: Estimate): string {
  return `${center.toFixed(1)} (${lo.toFixed(1)} to ${hi.toFixed(1)})`;
}
