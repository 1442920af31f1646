import { capitalized } from '../../../shared/base/capitalized.ts';
import { mapEstimate } from '../../../shared/base/map-estimate.ts';
import {
  intervalDecimals,
  printChangeInterval,
  printDifference,
  printNumber,
  printQuantity,
  printSigned,
  scaleFor,
} from '../../../shared/base/quantity.ts';
import { type BySide, type KnownSide, labelsOf, transportFacts } from '../../../shared/base/transport.ts';
import { type AtLoad, loadInWords } from '../../../shared/kinds/comparison/at-load.ts';
import type { Estimate, MetricComparison, Verdict } from '../../../shared/kinds/comparison/comparison.ts';
import { metricOf, type PrimaryMetricId, primaryMetrics } from '../../../shared/kinds/comparison/metric.ts';
import { isServerTitle } from '../../../shared/words/target-words.ts';
import { reachOf } from './reach-of.ts';

/** What is known of a run beside its figures. */
type Run = {
  sides: BySide<KnownSide>;
  /** What is too little to matter, as a share. */
  tolerance: number;
  /** At which cost was read; left out where that was not noted. */
  atLoad?: AtLoad | undefined;
  /** New ones of each transaction at load; left out where connections stay open. */
  connectionsPerTransaction?: number | undefined;
};

/**
 * What a run says in one short sentence, from the first primary metric that was measured and not refused. What it rests on is in `shared/words/verdict-evidence.ts`.
 */
export function verdictSentence(rows: readonly MetricComparison[], run: Run): Verdict {
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
    sentence: sentenceOf(row, run),
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

function sentenceOf(row: Row, run: Run): string {
  const noun = nounOf(row.id, run);
  if (row.outcome === 'refused' || row.delta === null)
    return `No verdict: ${row.reasons[0] ?? 'the metric was refused'}`;
  if (row.outcome === 'no_overhead')
    return `No overhead above ${boundInWords(row.ratio, run.tolerance)} in ${noun}`;
  if (row.outcome === 'not_tested') return `Not tested: between ${rangeOf(row, run)} ${noun}`;
  if (row.outcome === 'inconclusive') return `Inconclusive: between ${rangeOf(row, run)} ${noun}`;
  return begin(claimOf(row, row.delta, run, noun));
}

type HeadlineId = PrimaryMetricId;
type Row = MetricComparison & { id: HeadlineId };

/** What a metric is of, in a sentence: `server CPU at load`, `server CPU per new connection`. */
function nounOf(id: HeadlineId, { atLoad, connectionsPerTransaction }: Run): string {
  if (id === 'throughput') return 'throughput';
  if (id !== 'cpu_at_load') return 'median latency';
  const load = loadInWords(atLoad ?? null);
  if (connectionsPerTransaction === undefined) return `server CPU ${load}`;
  return `server CPU per new connection${atLoad?.ratePerS == null ? '' : ` ${load}`}`;
}

/** `HTTPS costs 21 % more server CPU at load`, `X25519MLKEM768 costs 31 µs more server CPU per new connection than X25519`. */
function claimOf(row: Row, delta: Estimate, run: Run, noun: string): string {
  const subject = subjectOf(run.sides);
  const [more, raises] = delta.center > 0 ? ['more', 'raises'] : ['less', 'lowers'];
  const perConnection = perConnectionOf(row, run);
  const amount =
    perConnection !== null
      ? printAmountWithin(perConnection)
      : row.ratio === null
        ? printQuantity(Math.abs(delta.center), scaleFor(metricOf(row.id).unit, [delta.center]))
        : printChangeWithin(row.ratio);
  if (row.id !== 'cpu_at_load') return `${subject} ${raises} ${noun} by ${amount}`;
  return withBaseline(`${subject} costs ${amount} ${more} ${noun}`, run, perConnection !== null);
}

/** Beyond, what a side is compared with is left to the line below. */
const longestClaim = 90;

/** `… than X25519`, where the sides have names of their own, or an amount would not say of what it is more. */
function withBaseline(claim: string, { sides }: Run, isAmount: boolean): string {
  const isNamed = (sides.baseline.name ?? sides.comparison.name) !== undefined;
  const whole = `${claim} than ${labelsOf(sides).baseline}`;
  return (isNamed || isAmount) && whole.length <= longestClaim ? whole : claim;
}

/** The difference of what a new connection costs; null where connections stay open. */
function perConnectionOf({ id, delta }: Row, { connectionsPerTransaction }: Run): Estimate | null {
  if (id !== 'cpu_at_load' || delta === null || connectionsPerTransaction === undefined) return null;
  return mapEstimate(delta, (each) => each / connectionsPerTransaction);
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

/** `31 µs`, with two digits, or as many more as keep what is printed within the interval. */
function printAmountWithin({ lo, center, hi }: Estimate): string {
  const scale = scaleFor('us', [center]);
  const fits = (decimals: number) => {
    const rounded = Number((center / scale.divisor).toFixed(decimals)) * scale.divisor;
    return lo - rounding <= rounded && rounded <= hi + rounding;
  };
  const few = scale.decimals;
  const decimals = [few, few + 1, few + 2].find(fits) ?? few + 3;
  return printQuantity(Math.abs(center), { ...scale, decimals });
}

/** To a tenth of a percent, which is left out where it is zero. */
function ceilShare(share: number): string {
  const tenths = Math.ceil(share * 1000 - 1e-9);
  return `${printNumber(tenths / 10, tenths % 10 === 0 ? 0 : 1)} %`;
}

/** `−1.0 and +3.2 %`, `−3 and +12 µs`. */
function rangeOf(row: Row, run: Run): string {
  const { id, ratio } = row;
  const perConnection = perConnectionOf(row, run);
  const delta = perConnection ?? row.delta;
  if (ratio !== null && perConnection === null) return printChangeInterval(ratio).replace(' to ', ' and ');
  if (delta === null) return 'unknown bounds of';
  const scale = scaleFor(metricOf(id).unit, [delta.lo, delta.hi]);
  return `${printSigned(delta.lo, scale)} and ${printDifference(delta.hi, scale)}`;
}

/** A sentence begins with a capital, but for what has none in its own name. */
function begin(text: string): string {
  const [first = ''] = text.split(' ');
  if (!/^[a-z]+$/.test(first) || isServerTitle(first)) return text;
  return capitalized(text);
}
