import {
  intervalDecimals,
  printChangeInterval,
  printDifference,
  printNumber,
  printQuantity,
  printSigned,
  scaleFor,
} from '../../../shared/base/quantity.ts';
import { type BySide, type KnownSide, transportFacts } from '../../../shared/base/transport.ts';
import { type AtLoad, loadInWords } from '../../../shared/kinds/comparison/at-load.ts';
import type { Estimate, MetricComparison, Verdict } from '../../../shared/kinds/comparison/comparison.ts';
import { metricOf, type PrimaryMetricId, primaryMetrics } from '../../../shared/kinds/comparison/metric.ts';
import { reachOf } from './reach-of.ts';

/**
 * What a run says in one short sentence, from the first primary metric that was measured and not refused. What it rests on is in `shared/words/verdict-evidence.ts`.
 * @param tolerance what is too little to matter, as a share
 * @param load at which cost was read; null where that was not noted
 */
export function verdictSentence(
  rows: readonly MetricComparison[],
  sides: BySide<KnownSide>,
  tolerance: number,
  load: AtLoad | null = null,
): Verdict {
  const headlines = primaryMetrics.flatMap((id) =>
    rows.filter((row): row is Row => row.id === id && isMeasured(row)),
  );
  const row = headlines.find(({ outcome }) => outcome !== 'refused') ?? headlines[0];
  if (row === undefined) {
    return {
      sentence: 'No verdict: nothing could be measured',
      metric: 'cpu_at_load',
      outcome: 'refused',
    };
  }
  return {
    sentence: sentenceOf(row, subjectOf(sides), tolerance, load),
    metric: row.id,
    outcome: row.outcome,
  };
}

function isMeasured({ baseline, comparison }: MetricComparison): boolean {
  return baseline !== null && comparison !== null;
}

/** What the verdict is about: the second side. */
export function subjectOf({ baseline, comparison }: BySide<KnownSide>): string {
  const { name } = transportFacts[comparison.transport];
  return (
    comparison.name ?? (baseline.transport === comparison.transport ? `the second ${name} listener` : name)
  );
}

function sentenceOf(row: Row, subject: string, tolerance: number, load: AtLoad | null): string {
  const noun = nounOf(row.id, load);
  if (row.outcome === 'refused' || row.delta === null)
    return `No verdict: ${row.reasons[0] ?? 'the metric was refused'}`;
  if (row.outcome === 'no_overhead')
    return `No overhead above ${boundInWords(row.ratio, tolerance)} in ${noun}`;
  if (row.outcome === 'not_tested') return `Not tested: between ${rangeOf(row)} ${noun}`;
  if (row.outcome === 'inconclusive') return `Inconclusive: between ${rangeOf(row)} ${noun}`;
  return capitalise(claimOf(row, row.delta.center, subject, noun));
}

type HeadlineId = PrimaryMetricId;
type Row = MetricComparison & { id: HeadlineId };

/** What a metric is of, in a sentence: `server CPU at load`. */
function nounOf(id: HeadlineId, load: AtLoad | null): string {
  if (id === 'cpu_at_load') return `server CPU ${loadInWords(load)}`;
  return id === 'throughput' ? 'throughput' : 'median latency';
}

/** `HTTPS costs 21 % more server CPU at load`. */
function claimOf({ id, ratio }: Row, delta: number, subject: string, noun: string): string {
  const amount =
    ratio === null
      ? printQuantity(Math.abs(delta), scaleFor(metricOf(id).unit, [delta]))
      : printChangeWithin(ratio);
  const isMore = delta > 0;
  return id === 'cpu_at_load'
    ? `${subject} costs ${amount} ${isMore ? 'more' : 'less'} ${noun}`
    : `${subject} ${isMore ? 'raises' : 'lowers'} ${noun} by ${amount}`;
}

/** Of arithmetic, far below what is printed. */
const rounding = 1e-9;

/** `21 %`, with two digits, or as many more as keep what is printed within the interval. */
function printChangeWithin({ lo, center, hi }: Estimate): string {
  const change = Math.abs(center - 1) * 100;
  const few = change >= 10 ? 0 : change >= 1 ? 1 : 2;
  const fits = (decimals: number) => {
    const rounded = 1 + (Math.sign(center - 1) * Number(change.toFixed(decimals))) / 100;
    return lo - rounding <= rounded && rounded <= hi + rounding;
  };
  const decimals = [few, few + 1, few + 2].find(fits) ?? intervalDecimals({ lo, center, hi });
  return `${printNumber(change, decimals)} %`;
}

/** The tolerance, or what the printed interval reaches where that is more, rounded up. */
export function boundInWords(ratio: Estimate | null, tolerance: number): string {
  return ceilShare(Math.max(tolerance, reachOf(ratio, 1)));
}

/** To a tenth of a percent, which is left out where it is zero. */
function ceilShare(share: number): string {
  const tenths = Math.ceil(share * 1000 - 1e-9);
  return `${printNumber(tenths / 10, tenths % 10 === 0 ? 0 : 1)} %`;
}

/** `−1.0 and +3.2 %`. */
function rangeOf({ id, ratio, delta }: Row): string {
  if (ratio !== null) return printChangeInterval(ratio).replace(' to ', ' and ');
  if (delta === null) return 'unknown bounds of';
  const scale = scaleFor(metricOf(id).unit, [delta.lo, delta.hi]);
  return `${printSigned(delta.lo, scale)} and ${printDifference(delta.hi, scale)}`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
