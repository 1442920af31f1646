import { capitalized } from '../base/cut.ts';
import { addedTo, exactly, excludes, mapEstimate } from '../base/estimate-arithmetic.ts';
import { printNumber } from '../base/quantity.ts';
import { type BySide, type KnownSide, labelsOf, transportFacts } from '../base/transport.ts';
import type { Estimate } from '../base/units.ts';
import { loadInWords } from '../kinds/comparison/at-load.ts';
import type { MetricComparison } from '../kinds/comparison/comparison.ts';
import { type MetricId, metricOf, quantityOf } from '../kinds/comparison/metric.ts';
import type { Pool } from '../kinds/comparison/past.ts';
import type { ComparedMetric, MetricChange, SetupDifference } from '../kinds/comparison/result-changes.ts';
import type { RunDocument } from '../kinds/comparison/run.ts';
import {
  differenceInWords,
  guessInWords,
  isCertain,
  type PrintedDifference,
  printDifferenceOf,
} from '../kinds/comparison/shift.ts';
import type { Headline } from '../measurement/measurement.ts';
import { isServerTitle } from '../target/target-words.ts';
import { printMetricChange } from './change-words.ts';
import { listed } from './example-words.ts';
import { namedByChain } from './negotiated-words.ts';

/** The headline of a run, pooled with earlier runs of its question if there are some. Every medium prints these lines. */

type Judged = Pick<
  RunDocument,
  'verdict' | 'metrics' | 'pool' | 'sides' | 'atLoad' | 'connectionsPerTransaction' | 'cpuOf'
> & {
  plan: Pick<RunDocument['plan'], 'tolerance'>;
  scenario: { steps: readonly unknown[] };
};

/** Null without a verdict. */
export function headlineOfRun(run: Judged): Headline | null {
  if (run.verdict === null) return null;
  const sides = namedByChain(run.sides, run.cpuOf);
  const subject = subjectOf(sides);
  const found = headlineRowOf(run);
  if (found === null || found.row.baseline === null || found.row.comparison === null) {
    return { title: 'No verdict: nothing could be measured', second: comparedIn(sides, subject) };
  }
  const row = perConnection(found.row, run);
  const printed = row.outcome === 'refused' ? null : printDifferenceOf(row);
  const words = wordsOf(row, run);
  const third = runsInWords(run.pool?.leftOut ?? [], found.runs, printed);
  return {
    title:
      printed === null ? refusalOf(row) : begin(titleOf(row, printed, { ...words, sides, subject, run })),
    second:
      printed !== null && isCertain(row.outcome)
        ? [printed.change?.signed, words.load, `(${printed.values})`].filter((part) => part).join(' ')
        : `${capitalized(words.noun)} ${words.load}, ${comparedIn(sides, subject)}${printed === null ? '' : ` (${printed.values})`}`,
    ...(third === null ? {} : { third }),
  };
}

type HeadlineRow = {
  /** Pooled where runs were pooled in its metric. */
  row: MetricComparison;
  /** Number of runs that it rests on. */
  runs: number;
};

/** The row that the headline is about. Null without a verdict, and where its metric has no row. */
export function headlineRowOf({
  verdict,
  metrics,
  pool,
}: Pick<Judged, 'verdict' | 'metrics' | 'pool'>): HeadlineRow | null {
  const row = metrics.find(({ id }) => id === verdict?.metric);
  if (row === undefined) return null;
  return { row: pooledRow(row, pool), runs: pool?.metrics[row.id]?.runs.length ?? 1 };
}

/** A row over the pooled runs; the row itself where it was not pooled. Its centers come from the first side and the pooled ratio, and the interval of the difference is as wide as that of the pooled differences. */
export function pooledRow(row: MetricComparison, pool: Pool | undefined): MetricComparison {
  const pooled = pool?.metrics[row.id];
  if (pooled === undefined || row.baseline === null) return row;
  const { confidence: _, ...rest } = row;
  const { ratio, outcome, difference, baseline = row.baseline.center } = pooled;
  const delta = addedTo(exactly(baseline), ratio);
  const away = difference === undefined ? 0 : delta.center - difference.center;
  return {
    ...rest,
    ...{ ratio, outcome },
    baseline: exactly(baseline),
    comparison: exactly(baseline * ratio.center),
    delta:
      difference === undefined ? delta : { ...delta, lo: difference.lo + away, hi: difference.hi + away },
  };
}

/** Key of the figures that a table of pooled rows prints. */
export function quantityOfRow(id: MetricId, { pool }: Pick<Judged, 'pool'>): string {
  return quantityOf(id, pool?.metrics[id] === undefined ? 'run' : 'pool');
}

/** Key of the figures that the headline of a run prints, or the line of this run alone. */
export function quantityOfVerdict(
  {
    verdict,
    connectionsPerTransaction = 1,
    ...run
  }: Pick<Judged, 'verdict' | 'pool' | 'connectionsPerTransaction'>,
  scope: 'run' | 'all' = 'all',
): string | undefined {
  if (verdict === null) return undefined;
  const quantity = scope === 'run' ? quantityOf(verdict.metric) : quantityOfRow(verdict.metric, run);
  const isPart = verdict.metric === 'cpu_at_load' && connectionsPerTransaction > 1;
  return isPart ? `${quantity}/per-connection` : quantity;
}

/** CPU at load per new connection, if transactions open some. */
export function perConnection<Row extends Pick<MetricComparison, 'id' | 'baseline' | 'comparison' | 'delta'>>(
  row: Row,
  { connectionsPerTransaction }: Pick<RunDocument, 'connectionsPerTransaction'>,
): Row {
  if (row.id !== 'cpu_at_load' || connectionsPerTransaction === undefined) return row;
  const part = (whole: Estimate | null) => mapEstimate(whole, (each) => each / connectionsPerTransaction);
  return { ...row, baseline: part(row.baseline), comparison: part(row.comparison), delta: part(row.delta) };
}

/** Name of the second side, which the verdict is about. */
function subjectOf({ baseline, comparison }: BySide<KnownSide>): string {
  const { name } = transportFacts[comparison.transport];
  return comparison.name ?? (baseline.transport === comparison.transport ? `the second ${name} side` : name);
}

function firstOf(sides: BySide<KnownSide>): string {
  const { baseline, comparison } = sides;
  const isSecond = comparison.name === undefined && baseline.transport === comparison.transport;
  return isSecond ? 'the first' : labelsOf(sides).baseline;
}

function comparedIn(sides: BySide<KnownSide>, subject: string): string {
  return `${subject} compared with ${firstOf(sides)}`;
}

function refusalOf({ reasons: [reason = 'the metric is not available'] }: MetricComparison): string {
  return `No verdict: ${reason.replace(/\.$/, '')}`;
}

type Words = { noun: string; load: string };

/** `server CPU per request` and `at full load`. */
function wordsOf(
  { id }: Pick<MetricComparison, 'id'>,
  run: Pick<Judged, 'atLoad' | 'scenario' | 'connectionsPerTransaction'>,
): Words {
  if (id === 'cpu_at_load')
    return { noun: `server CPU per ${unitOf(run)}`, load: loadInWords(run.atLoad ?? null) };
  if (id === 'throughput') return { noun: 'throughput', load: loadInWords(run.atLoad ?? null) };
  return { noun: 'median latency', load: 'with one user' };
}

/** Unit that server CPU is counted per: `request`, `transaction`, `new connection`. */
function unitOf({
  scenario,
  connectionsPerTransaction,
}: Pick<Judged, 'scenario' | 'connectionsPerTransaction'>): string {
  return connectionsPerTransaction === undefined ? stepsUnitOf({ scenario }) : 'new connection';
}

/** All steps of a scenario are one transaction. */
export function stepsUnitOf({ scenario: { steps } }: Pick<Judged, 'scenario'>): 'request' | 'transaction' {
  return steps.length === 1 ? 'request' : 'transaction';
}

type Said = Words & { sides: BySide<KnownSide>; subject: string; run: Judged };

function titleOf(row: MetricComparison, printed: PrintedDifference, said: Said): string {
  const { sides, subject, noun, run } = said;
  if (row.outcome === 'no_overhead') {
    const bound = boundInWords(row.ratio, run.plan.tolerance);
    const verb = row.id === 'cpu_at_load' ? 'costs' : 'has';
    return fitting(`${subject} ${verb} the same ${noun}`, ` as ${firstOf(sides)}`, `, within ±${bound}`);
  }
  if (row.outcome !== 'overhead') return guessInWords(printed, row.outcome);
  const center = row.delta?.center ?? 0;
  const amount = `${row.delta === null || excludes(row.delta, 0) ? '' : 'about '}${printed.amount}`;
  if (row.id === 'throughput')
    return `${subject} ${center > 0 ? 'raises' : 'lowers'} throughput by ${amount}`;
  const more = center > 0 ? 'more' : 'less';
  if (row.id !== 'cpu_at_load')
    return `${subject} takes ${amount} ${center > 0 ? 'longer' : 'less'} per ${stepsUnitOf(run)} in the median`;
  const isNamed = (sides.baseline.name ?? sides.comparison.name) !== undefined;
  return fitting(`${subject} costs ${amount} ${more} ${noun}`, isNamed ? ` than ${firstOf(sides)}` : '', '');
}

/** Beyond, what a side is compared with is left to the line below. */
const longestClaim = 100;

function fitting(claim: string, beside: string, end: string): string {
  const whole = `${claim}${beside}${end}`;
  return whole.length <= longestClaim ? whole : `${claim}${end}`;
}

/** A sentence begins with a capital, but for what has none in its own name. */
function begin(text: string): string {
  const [first = ''] = text.split(' ');
  if (!/^[a-z]+$/.test(first) || isServerTitle(first)) return text;
  return capitalized(text);
}

/** `5 of 6 runs of this question: +18.0 µs (17.2 to 18.8), +75 % (72 to 78); 1 left out: another kernel.` Null for a single run. */
function runsInWords(
  leftOut: readonly { reason: string }[],
  runs: number,
  printed: PrintedDifference | null,
): string | null {
  const all = runs + leftOut.length;
  if (all === 1) return null;
  const figures = printed === null ? '' : `: ${differenceInWords(printed)}`;
  const out =
    leftOut.length === 0 ? '' : `; ${printNumber(leftOut.length, 0)} left out: ${reasonsOf(leftOut)}`;
  return `${printNumber(runs, 0)} of ${printNumber(all, 0)} runs of this question${figures}${out}.`;
}

/** Each reason once, with a count if there are several reasons. */
function reasonsOf(leftOut: readonly { reason: string }[]): string {
  const counted = [...Map.groupBy(leftOut, ({ reason }) => reason)];
  return counted
    .map(([reason, of]) => (counted.length === 1 ? reason : `${reason} (${printNumber(of.length, 0)})`))
    .join(', ');
}

/** The tolerance, or the farther end of the printed interval if that is more, rounded up: `5 %`, `5.4 %`. */
function boundInWords(ratio: Estimate | null, tolerance: number): string {
  const reach = ratio === null ? 0 : Math.max(Math.abs(ratio.lo - 1), Math.abs(ratio.hi - 1));
  const tenths = Math.ceil(Math.max(tolerance, reach) * 1000 - 1e-9);
  return `${printNumber(tenths / 10, tenths % 10 === 0 ? 0 : 1)} %`;
}

/** How the difference of the sides changed from one run to another. */

/** A run, and its row of the metric. */
type Half = { run: Judged; row: ComparedMetric | null };

type Change = Pick<MetricChange, 'id' | 'unit' | 'ratio' | 'delta' | 'outcome'>;

/**
 * `HTTPS costs 3.6 µs less per request on nginx 1.28 than on nginx 1.22`, `−15 points at full load: from +18.0 µs (+75 %) to +14.4 µs (+60 %)`.
 * @param setup what differs between the runs
 * @param tolerance what is too little to matter, as a share
 */
export function headlineOfChange(
  change: Change,
  from: Half,
  to: Half,
  { setup, tolerance }: { setup: readonly SetupDifference[]; tolerance: number },
): Headline {
  const { subject, tail, noun, load, compared } = wordsOfChange(change, to.run);
  const { amount, points, halves } = printMetricChange(perConnections(change, from, to));
  const beyondZero = change.delta !== null && excludes(change.delta, 0);
  if (points === null || amount === null)
    return { title: 'No verdict: the change is not known', second: compared };
  const [one, other] = halves.map((half) => `${half?.amount} (${half?.change})`);
  const steps = `from ${one} to ${other}`;
  if (change.outcome === 'inconclusive') {
    const guess = beyondZero ? points : { ...amount, change: points };
    return {
      title: guessInWords(guess),
      second: `Change in ${noun} ${load}, ${compared}: ${steps}`,
    };
  }
  const second = `${points.signed} ${load}: ${steps}`;
  if (change.outcome === 'no_change') {
    const bound = boundInWords(change.ratio, tolerance);
    return { title: begin(`${subject} costs the same ${tail} in both runs, within ±${bound}`), second };
  }
  const isSaid = beyondZero && (change.delta?.center ?? 0) > 0 === points.center > 0;
  const [size, center] = isSaid ? [amount.amount, change.delta?.center ?? 0] : [points.amount, points.center];
  const isMore = center > 0 === (metricOf(change.id).better === 'lower');
  return {
    title: begin(`${subject} costs ${size} ${isMore ? 'more' : 'less'} ${tail}${placesOf(setup)}`),
    second,
    third: `95 % CI of the change: ${amount.ends} ${amount.symbol}, ${points.ends} points.`,
  };
}

/** Without a verdict: `Two different questions: +18.0 µs (+75 %) and +0.11 ms (+14 %)`. @param apart what differs, such as `targets` */
export function headlineOfQuestions(apart: readonly string[], from: Judged, to: Judged): Headline {
  const found = [from, to].map((run) => {
    const row = run.metrics.find(({ id }) => id === run.verdict?.metric);
    return row === undefined ? null : printHalf(row, run);
  });
  const both = found.some((each) => each === null) ? '' : `: ${found.join(' and ')}`;
  return {
    title: `Two different questions${both}`,
    second: `${capitalized(listed(apart))} differ, so there is no verdict`,
  };
}

function wordsOfChange({ id }: Change, run: Judged) {
  const { noun, load } = wordsOf({ id }, run);
  const sides = namedByChain(run.sides, run.cpuOf);
  const subject = subjectOf(sides);
  const tail = id === 'cpu_at_load' ? `per ${unitOf(run)}` : noun;
  return { subject, tail, noun, load, compared: comparedIn(sides, subject) };
}

/** `+18.0 µs (+75 %)`; null where it is not known. */
function printHalf(row: ComparedMetric, run: Judged): string | null {
  const printed = row.outcome === 'refused' ? null : printDifferenceOf(perConnection(row, run));
  if (printed === null) return null;
  return printed.change === null ? printed.signed : `${printed.signed} (${printed.change.signed})`;
}

function perConnections(change: Change, from: Half, to: Half) {
  const each = (row: ComparedMetric | null, { run }: Half) => (row === null ? null : perConnection(row, run));
  const { delta } = perConnection({ ...change, baseline: null, comparison: null }, to.run);
  return { ...change, delta, from: each(from.row, from), to: each(to.row, to) };
}

/** Software that alone differs: ` on nginx 1.28.0 than on nginx 1.22.1`. */
function placesOf(setup: readonly SetupDifference[]): string {
  const [only, ...others] = setup.filter(({ name }) => !followed.includes(name));
  const isSoftware = only !== undefined && software.includes(only.name) && others.length === 0;
  if (!isSoftware) return ' in the second run than in the first';
  const word = only.name === 'TLS library' ? 'with' : 'on';
  return ` ${word} ${only.to} than ${word} ${only.from}`;
}

const software = ['Server', 'TLS library', 'Target'];
/** Differences that follow from another one. */
const followed = ['Target options', 'Users'];
