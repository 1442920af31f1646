import { z } from 'zod';
import { verdictOutcomeSchema } from '../../shared/kinds/comparison/comparison.ts';
import { presetSchema } from '../../shared/kinds/comparison/load-choice.ts';
import { type MetricId, metricOf, primaryMetrics } from '../../shared/kinds/comparison/metric.ts';
import { metricIdSchema } from '../../shared/kinds/comparison/metric-schema.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { binomialInterval } from './binomial-interval.ts';
import { printCount, printTable } from './print-table.ts';

/** What a run of something against itself said, in every row of its table. */
export const shippedNullSchema = z.strictObject({
  preset: presetSchema,
  seconds: z.number().nonnegative(),
  state: z.string(),
  rows: z.array(
    z.strictObject({
      id: metricIdSchema,
      outcome: verdictOutcomeSchema,
      /** The interval holds no difference; null without one. */
      holds: z.boolean().nullable(),
    }),
  ),
  /** The verdict, or why there is none. */
  said: z.string(),
});
export type ShippedNull = z.infer<typeof shippedNullSchema>;

type ShippedNullRow = {
  bench: 'null';
  preset: ShippedNull['preset'];
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
};

/** Of a hundred runs that claim a difference in any row. */
const claimsInHundred = 9;

export function observeShippedNull(document: RunDocument, seconds: number): ShippedNull {
  return {
    preset: document.plan.preset,
    ...{ seconds, state: document.state },
    rows: document.metrics.map(({ id, outcome, ratio, delta }) => ({
      id,
      outcome,
      holds: holdsNone(ratio, delta),
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
  return presetSchema.options.flatMap((preset) => {
    const finished = runs.filter((run) => run.preset === preset && run.state === 'finished');
    if (finished.length === 0) return [];
    const ids = [
      ...new Set([...primaryMetrics, ...finished.flatMap(({ rows }) => rows.map(({ id }) => id))]),
    ];
    return [anyRow(preset, finished), ...ids.map((id) => metricRow(preset, id, finished))];
  });
}

function anyRow(preset: ShippedNull['preset'], runs: readonly ShippedNull[]): ShippedNullRow {
  const claiming = runs.filter(({ rows }) => rows.some(({ outcome }) => outcome === 'overhead')).length;
  return {
    ...({ bench: 'null', preset, metric: 'any', runs: runs.length, claiming } as const),
    atMost: Math.floor((runs.length * claimsInHundred) / 100),
    ...{ within: 0, inconclusive: 0, notTested: 0, holding: 0, intervals: 0, refused: 0 },
  };
}

function metricRow(
  preset: ShippedNull['preset'],
  metric: MetricId,
  runs: readonly ShippedNull[],
): ShippedNullRow {
  const rows = runs.flatMap((run) => run.rows.filter(({ id }) => id === metric));
  const told = rows.filter(({ outcome }) => outcome !== 'refused');
  const count = (word: (typeof told)[number]['outcome']) =>
    rows.filter(({ outcome }) => outcome === word).length;
  return {
    ...({ bench: 'null', preset, metric, runs: told.length, claiming: count('overhead') } as const),
    ...{ atMost: null, within: count('no_overhead'), inconclusive: count('inconclusive') },
    ...{ notTested: count('not_tested'), refused: count('refused') },
    holding: told.filter(({ holds }) => holds === true).length,
    intervals: told.filter(({ holds }) => holds !== null).length,
  };
}

export function printShippedNull(rows: readonly ShippedNullRow[], runs: readonly ShippedNull[]): string {
  const table = printTable(
    [
      ...['preset', 'row', 'claims a difference', 'bound', '', 'within', 'inconclusive', 'not tested'],
      ...['refused', 'interval holds no difference'],
    ],
    rows.map((row) => {
      const claims = printCount(row.claiming, row.runs, binomialInterval(row.claiming, row.runs));
      if (row.metric === 'any') {
        const { atMost } = row;
        const isHeld = atMost !== null && row.claiming <= atMost;
        return [row.preset, 'any row', claims, `≤ ${atMost}`, isHeld ? 'held' : 'missed', '', '', '', '', ''];
      }
      return [
        ...[row.preset, metricOf(row.metric).title, claims, '', ''],
        ...[row.within, row.inconclusive, row.notTested, row.refused].map(String),
        printCount(row.holding, row.intervals, binomialInterval(row.holding, row.intervals)),
      ];
    }),
  );
  const lost = runs.filter(({ state }) => state !== 'finished');
  return `${table}${runs.length} runs; ${lost.length} of them did not finish and do not count.\n`;
}
