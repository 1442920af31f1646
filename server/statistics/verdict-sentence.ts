import type { MetricComparison, Verdict } from '../../shared/comparison.ts';
import { type MetricId, metricOf } from '../../shared/metric.ts';
import {
  intervalDecimals,
  printChange,
  printChangeInterval,
  printDifference,
  printNumber,
  printQuantity,
  scaleFor,
} from '../../shared/quantity.ts';
import { type TransportPair, transportFacts } from '../../shared/transport.ts';
import { reachOf } from './noise-floor.ts';

/**
 * What a run says in one sentence, from the first metric of CPU per transaction, throughput and median latency that
 * was measured and not refused.
 * @param tolerance what is too little to matter, as a share
 */
export function verdictSentence(
  rows: readonly MetricComparison[],
  transports: TransportPair,
  tolerance: number,
): Verdict {
  const headlines = headlineMetrics.flatMap((id) =>
    rows.filter((row): row is Row => row.id === id && isMeasured(row)),
  );
  const row = headlines.find(({ outcome }) => outcome !== 'refused') ?? headlines[0];
  if (row === undefined) {
    return {
      sentence: 'No verdict: nothing could be measured',
      metric: 'cpu_per_transaction',
      outcome: 'refused',
    };
  }
  return {
    sentence: sentenceOf(row, subjectOf(transports), tolerance),
    metric: row.id,
    outcome: row.outcome,
  };
}

const headlineMetrics = ['cpu_per_transaction', 'throughput', 'latency_p50'] as const satisfies MetricId[];

function isMeasured({ baseline, comparison }: MetricComparison): boolean {
  return baseline !== null && comparison !== null;
}

function subjectOf([baseline, comparison]: TransportPair): string {
  const name = transportFacts[comparison].name;
  return baseline === comparison ? `the second ${name} listener` : name;
}

function sentenceOf(row: Row, subject: string, tolerance: number): string {
  if (row.outcome === 'refused' || row.delta === null)
    return `No verdict: ${row.reasons[0] ?? 'the metric was refused'}`;
  if (row.outcome === 'no_overhead') return noOverhead(row, tolerance);
  if (row.outcome === 'inconclusive') {
    return `Inconclusive: ${subject} changes ${nouns[row.id]} by ${rangeOf(row)} (95 % interval, ${unitsOf(row)})`;
  }
  const change = row.ratio === null ? '' : `${printChange(row.ratio.center, intervalDecimals(row.ratio))}, `;
  const sentence = claimOf(row.id, row.delta.center, subject);
  return `${capitalise(sentence)} (${change}95 % interval ${rangeOf(row)}, ${unitsOf(row)})`;
}

type HeadlineId = (typeof headlineMetrics)[number];
type Row = MetricComparison & { id: HeadlineId };

const nouns: Record<HeadlineId, string> = {
  cpu_per_transaction: 'server CPU per transaction',
  throughput: 'throughput',
  latency_p50: 'median latency',
};

/** Without its evidence: `HTTPS costs 2.6 µs more server CPU per transaction`. */
function claimOf(id: HeadlineId, delta: number, subject: string): string {
  const amount = printQuantity(Math.abs(delta), scaleFor(metricOf(id).unit, [delta]));
  const isMore = delta > 0;
  switch (id) {
    case 'cpu_per_transaction':
      return `${subject} costs ${amount} ${isMore ? 'more' : 'less'} ${nouns[id]}`;
    case 'throughput':
      return `${subject} serves ${amount} ${isMore ? 'more' : 'fewer'}`;
    case 'latency_p50':
      return `${subject} answers ${amount} ${isMore ? 'slower' : 'faster'} in the median`;
  }
}

/** The bound is the tolerance, or what the printed interval reaches where that is more; it is rounded up. */
function noOverhead(row: Row, tolerance: number): string {
  const bound = Math.max(tolerance, reachOf(row.ratio, 1));
  return `No overhead above ${ceilShare(bound)} in ${nouns[row.id]} (95 % interval ${rangeOf(row)}, ${unitsOf(row)})`;
}

/** To a tenth of a percent, which is left out where it is zero. */
function ceilShare(share: number): string {
  const tenths = Math.ceil(share * 1000 - 1e-9);
  return `${printNumber(tenths / 10, tenths % 10 === 0 ? 0 : 1)} %`;
}

function rangeOf({ id, ratio, delta }: Row): string {
  if (ratio !== null) return printChangeInterval(ratio);
  if (delta === null) return 'an unknown amount';
  const scale = scaleFor(metricOf(id).unit, [delta.lo, delta.hi]);
  return `${printDifference(delta.lo, scale)} to ${printDifference(delta.hi, scale)}`;
}

/** What the interval is over: launches, or the blocks of one. */
function unitsOf({ launches, pairs }: Row): string {
  if (launches.length > 1) return `${launches.length} launches`;
  return `${pairs.length} blocks${launches.length === 1 ? ' of one launch' : ''}`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
