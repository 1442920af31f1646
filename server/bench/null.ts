import { join } from 'node:path';
import { z } from 'zod';
import { sidesOfPair, type TransportPair } from '../../shared/base/transport.ts';
import { type Estimate, estimateSchema } from '../../shared/base/units.ts';
import { metricIdSchema, verdictOutcomeSchema } from '../../shared/kinds/comparison/comparison.ts';
import { lengthSchema } from '../../shared/kinds/comparison/load-profile.ts';
import { type MetricId, metricOf, primaryMetrics } from '../../shared/kinds/comparison/metric.ts';
import type { Length } from '../../shared/kinds/comparison/options.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import type { RunRequestInput, SidesRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import { median } from '../method/statistics/intervals.ts';
import { askLeft, type LongOptions, openBenchDirectory, openDashboard, openLedger } from './bench-options.ts';
import { isInstalled } from './nginx.ts';
import { printCount, printTable } from './print-table.ts';
import { binomialInterval, spreadInterval } from './spread.ts';

const usualRuns = 100;
/** Runs of the length `quote` per first answer. */
const quoteShare = 0.3;
const pairs: TransportPair[] = [
  ['http', 'http'],
  ['https', 'https'],
];
const targets = ['storefront', 'nginx'] as const;

/**
 * Ordinary runs of the storefront and of nginx against themselves, alternating with and without TLS. Every difference that they find, in
 * any row, is false. They share one data directory, so each run has the earlier ones as its past. `runs` limits how many of
 * the remaining runs are made.
 */
export async function calibrateNull({ runs, seed, signal, resume, only }: LongOptions) {
  if (!isInstalled('nginx')) throw new Error('Not installed: nginx.');
  const directory = openBenchDirectory('null', resume);
  const lengths = lengthsOf(only);
  const toQuote = Math.ceil(usualRuns * quoteShare);
  const requests = [...plansOf('first', usualRuns, seed), ...plansOf('quote', toQuote, seed + usualRuns)];
  const server = await openDashboard(directory);
  try {
    const ledger = openLedger(join(directory, 'results.jsonl'), nullRunSchema);
    const asked = requests.filter(({ length }) => lengths.includes(length));
    await askLeft(
      asked.map((request) => ({ key: keyOf(request), request })),
      { url: server.url, ledger, runs, signal },
      observeNull,
    );
    const done = requests.flatMap((request) => ledger.get(keyOf(request)) ?? []);
    const rows = tallyNull(done);
    return { rows, text: printNull(rows, done) };
  } finally {
    await server.close();
  }
}

function lengthsOf(only: string | null): Length[] {
  const lengths: Length[] = ['first', 'quote'];
  const chosen = lengths.filter((length) => only === null || length === only);
  if (chosen.length === 0) throw new Error(`--only is ${lengths.join(' or ')}, not "${only}".`);
  return chosen;
}

type Planned = RunRequestInput & { length: Length; seed: number; target: string; sides: SidesRequestInput };

function plansOf(length: Length, count: number, seed: number): Planned[] {
  return Array.from({ length: count }, (_, index) => ({
    length,
    seed: seed + index,
    sides: sidesOfPair(pairs[index % pairs.length] as TransportPair),
    target: targets[Math.floor(index / pairs.length) % targets.length] as (typeof targets)[number],
  }));
}

function keyOf({ length, target, sides, seed }: Planned): string {
  return `${length}, ${target}, ${[sides.baseline?.transport, sides.comparison?.transport].join(' against ')}, seed ${seed}`;
}

/** Results of a noise check, in every row of its table. */
const nullRunSchema = z.strictObject({
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
export type NullRun = z.infer<typeof nullRunSchema>;

type NullRow = {
  bench: 'null';
  length: NullRun['length'];
  /** `any` is a difference in any row of a run's table. */
  metric: MetricId | 'any';
  /** Finished runs that have this row, not refused. */
  runs: number;
  /** Number of these that claim a difference. */
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

/** Most runs in a hundred that may claim a difference in any row. */
const claimsInHundred = 9;
const headline = 'cpu_at_load';
/** Half of a 95 % interval is 1.96 standard deviations, and more because the deviation is estimated. */
const widthInSpreads = { atLeast: 1.8, atMost: 3 };

export function observeNull(
  document: Pick<RunDocument, 'plan' | 'target' | 'state' | 'metrics'> | null,
  { request, seconds, said }: { request: RunRequestInput; seconds: number; said: string },
): NullRun {
  const { length = 'first', target } = request;
  if (document === null) return { length, target: `${target}`, seconds, state: 'failed', rows: [], said };
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
    said,
  };
}

function holdsNone(
  ratio: RunDocument['metrics'][number]['ratio'],
  delta: RunDocument['metrics'][number]['delta'],
): boolean | null {
  if (ratio !== null) return ratio.lo <= 1 && ratio.hi >= 1;
  return delta === null ? null : delta.lo <= 0 && delta.hi >= 0;
}

export function tallyNull(runs: readonly NullRun[]): NullRow[] {
  return lengthSchema.options.flatMap((length) => {
    const finished = runs.filter((run) => run.length === length && run.state === 'finished');
    if (finished.length === 0) return [];
    const ids = [
      ...new Set([...primaryMetrics, ...finished.flatMap(({ rows }) => rows.map(({ id }) => id))]),
    ];
    return [anyRow(length, finished), ...ids.map((id) => metricRow(length, id, finished))];
  });
}

function anyRow(length: NullRun['length'], runs: readonly NullRun[]): NullRow {
  const claiming = runs.filter(({ rows }) => rows.some(({ outcome }) => outcome === 'overhead')).length;
  const atMost = Math.floor((runs.length * claimsInHundred) / 100);
  return {
    ...({ bench: 'null', length, metric: 'any', runs: runs.length, claiming, atMost } as const),
    ...{ within: 0, inconclusive: 0, notTested: 0, holding: 0, intervals: 0, refused: 0, widths: [] },
    held: claiming <= atMost,
  };
}

function metricRow(length: NullRun['length'], metric: MetricId, runs: readonly NullRun[]): NullRow {
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
function widthsOf(metric: MetricId, runs: readonly NullRun[]): NullRow['widths'] {
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

export function printNull(rows: readonly NullRow[], runs: readonly NullRun[]): string {
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
