import { capitalized } from '../../../shared/base/cut.ts';
import { mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
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
import type { Estimate, Unit } from '../../../shared/base/units.ts';
import { type AtLoad, loadInWords } from '../../../shared/kinds/comparison/at-load.ts';
import type { MetricComparison, Verdict } from '../../../shared/kinds/comparison/comparison.ts';
import { metricOf, type PrimaryMetricId, primaryMetrics } from '../../../shared/kinds/comparison/metric.ts';
import { isServerTitle } from '../../../shared/target/target-words.ts';
import { excludesZero } from './intervals.ts';

/** Run metadata. */
type Run = {
  sides: BySide<KnownSide>;
  /** Largest difference that is too small to matter, as a share. */
  tolerance: number;
  /** Steps of the scenario: a transaction with one step is a request. */
  steps: number;
  /** At which cost was read; left out where that was not noted. */
  atLoad?: AtLoad | undefined;
  /** New ones of each transaction at load; left out where connections stay open. */
  connectionsPerTransaction?: number | undefined;
};

/**
 * Verdict on a run in one short sentence, from the first primary metric that was measured and not refused. The evidence for it is in
 * `shared/words/verdict-evidence.ts`.
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

/** Subject of the verdict: the second side. */
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
  if (row.outcome === 'inconclusive')
    return `Inconclusive: best guess ${guessOf(row, row.delta, run)}, between ${rangeOf(row, run)}`;
  return begin(claimOf(row, row.delta, run));
}

type HeadlineId = PrimaryMetricId;
type Row = MetricComparison & { id: HeadlineId };

/** Noun for a metric in a sentence: `server CPU at load`, `server CPU per new connection`. */
function nounOf(id: HeadlineId, run: Run): string {
  if (id === 'throughput') return 'throughput';
  if (id !== 'cpu_at_load') return 'median latency';
  const load = loadOf(run);
  return run.connectionsPerTransaction === undefined
    ? `server CPU ${load}`
    : `server CPU per new connection${load === '' ? '' : ` ${load}`}`;
}

/** `at load`; empty for new connections, unless at a rate. */
function loadOf({ atLoad, connectionsPerTransaction }: Run): string {
  if (connectionsPerTransaction !== undefined && atLoad?.ratePerS == null) return '';
  return loadInWords(atLoad ?? null);
}

/** Unit to which the difference of a row refers: `request`, `transaction`, `new connection`. */
function unitOf({ steps, connectionsPerTransaction }: Run): string {
  if (connectionsPerTransaction !== undefined) return 'new connection';
  return steps === 1 ? 'request' : 'transaction';
}

/** `HTTPS costs 31 µs more server CPU per request, +21 % at load`, `HTTPS lowers throughput by 140 transactions/s, −16 %`. */
function claimOf(row: Row, delta: Estimate, run: Run): string {
  const subject = subjectOf(run.sides);
  const [more, raises] = delta.center > 0 ? ['more', 'raises'] : ['less', 'lowers'];
  const own = perConnectionOf(row, run) ?? delta;
  const amount = `${excludesZero(own) ? '' : 'about '}${printAmountWithin(own, metricOf(row.id).unit)}`;
  const change = row.ratio === null ? null : `${sign(delta)}${printChangeWithin(row.ratio)}`;
  const end = [change, row.id === 'cpu_at_load' ? loadOf(run) : ''].filter((part) => part);
  const rest = end.length === 0 ? '' : `, ${end.join(' ')}`;
  if (row.id !== 'cpu_at_load') return `${subject} ${raises} ${nounOf(row.id, run)} by ${amount}${rest}`;
  return withBaseline(`${subject} costs ${amount} ${more} server CPU per ${unitOf(run)}`, rest, run);
}

/** The best guess of an uncertain difference: `+2.6 µs of server CPU per request (+1.0 %) at load`. */
function guessOf(row: Row, delta: Estimate, run: Run): string {
  const own = perConnectionOf(row, run) ?? delta;
  const amount = `${sign(own)}${printAmountWithin(own, metricOf(row.id).unit)}`;
  const isCpu = row.id === 'cpu_at_load';
  const noun = isCpu ? `of server CPU per ${unitOf(run)}` : nounOf(row.id, run);
  const change = row.ratio === null ? null : `(${sign(delta)}${printChangeWithin(row.ratio)})`;
  return [amount, noun, change, isCpu ? loadOf(run) : ''].filter((part) => part).join(' ');
}

function sign({ center }: Estimate): string {
  return center < 0 ? '−' : '+';
}

/** Beyond, what a side is compared with is left to the line below. */
const longestClaim = 100;

/** `… than X25519, +12 % at load`: the baseline only if that is not too long. */
function withBaseline(claim: string, rest: string, { sides }: Run): string {
  const whole = `${claim} than ${labelsOf(sides).baseline}${rest}`;
  const isNamed = (sides.baseline.name ?? sides.comparison.name) !== undefined;
  return isNamed && whole.length <= longestClaim ? whole : `${claim}${rest}`;
}

/** The difference of what a new connection costs; null where connections stay open. */
function perConnectionOf({ id, delta }: Row, { connectionsPerTransaction }: Run): Estimate | null {
  if (id !== 'cpu_at_load' || delta === null || connectionsPerTransaction === undefined) return null;
  return mapEstimate(delta, (each) => each / connectionsPerTransaction);
}

/** Rounding error of arithmetic, far below what is printed. */
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
function printAmountWithin({ lo, center, hi }: Estimate, unit: Unit): string {
  const scale = scaleFor(unit, [center]);
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

/** How far from no difference an interval goes; 0 for none. */
export function reachOf(interval: { lo: number; hi: number } | null, noDifference: number): number {
  if (interval === null) return 0;
  return Math.max(Math.abs(interval.lo - noDifference), Math.abs(interval.hi - noDifference));
}
