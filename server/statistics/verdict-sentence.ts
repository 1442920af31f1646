import type { MetricComparison, Verdict } from '../../shared/comparison.ts';
import { type MetricId, metricOf } from '../../shared/metric.ts';
import {
  printChange,
  printChangeInterval,
  printDifference,
  printQuantity,
  printShare,
  scaleFor,
} from '../../shared/quantity.ts';
import { type TransportPair, transportFacts } from '../../shared/transport.ts';
import { reachOf, smallestFloor } from './noise-floor.ts';

type Floors = Partial<Record<MetricId, number>>;

/**
 * What a run says in one sentence, from the first metric of CPU per transaction, throughput and median latency that
 * was measured and not refused.
 * @param floors noise floors as shares, by metric
 */
export function verdictSentence(
  rows: readonly MetricComparison[],
  transports: TransportPair,
  floors: Floors,
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
    sentence: sentenceOf(row, subjectOf(transports), floors[row.id]),
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

function sentenceOf(row: Row, subject: string, floor: number = smallestFloor): string {
  if (row.outcome === 'refused' || row.delta === null)
    return `No verdict: ${row.reasons[0] ?? 'the metric was refused'}`;
  if (row.outcome === 'no_overhead') return noOverhead(row, floor);
  if (row.outcome === 'inconclusive') {
    return `Inconclusive: ${subject} changes ${nouns[row.id]} by ${rangeOf(row)} (95 % interval, ${blocksOf(row)})`;
  }
  const change = row.ratio === null ? '' : `${printChange(row.ratio.center)}, `;
  const sentence = claimOf(row.id, row.delta.center, subject);
  return `${capitalise(sentence)} (${change}95 % interval ${rangeOf(row)}, ${blocksOf(row)})`;
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

/** The bound is what the interval reaches, so that the claim is as sure as the interval; it is rounded up. */
function noOverhead(row: Row, floor: number): string {
  const bound = row.ratio === null ? floor : reachOf(row.ratio, 1);
  const is =
    bound <= floor
      ? 'the noise floor of this machine'
      : `the noise floor of this machine is ${ceilShare(floor)}`;
  return `No overhead above ${ceilShare(Math.max(bound, floor))} in ${nouns[row.id]} (${is}, ${blocksOf(row)})`;
}

function ceilShare(share: number): string {
  const finest = share < 0.1 ? 1000 : 100;
  return printShare(Math.ceil(share * finest - 1e-9) / finest);
}

function rangeOf({ id, ratio, delta }: Row): string {
  if (ratio !== null) return printChangeInterval(ratio);
  if (delta === null) return 'an unknown amount';
  const scale = scaleFor(metricOf(id).unit, [delta.lo, delta.hi]);
  return `${printDifference(delta.lo, scale)} to ${printDifference(delta.hi, scale)}`;
}

function blocksOf({ pairs }: Row): string {
  return `${pairs.length} blocks`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
