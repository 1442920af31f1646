import { differenceOf } from '../../shared/base/estimate-arithmetic.ts';
import type { Estimate } from '../../shared/base/units.ts';
import { metricOf } from '../../shared/kinds/comparison/metric.ts';
import { printLength } from '../../shared/kinds/comparison/options.ts';
import { nameSizeArm } from '../../shared/kinds/sizes/size-words.ts';
import type {
  ArmResult,
  Crossover,
  SizeFit,
  SizeLine,
  SizesDocument,
} from '../../shared/kinds/sizes/sizes.ts';
import type { MeasurementSummary, RunSummary } from '../../shared/results/summary.ts';
import { type Look, lookOfOutcome, lookOfState } from './looks.ts';
import { printAgo } from './printed-figures.ts';
import { sidesOf } from './sides.ts';

/** Changes between two sweeps over sizes: the terms of each arm’s line, and the sizes from which on HTTPS adds little. */

export type LineChange = {
  arm: string;
  term: 'offset' | 'rate' | 'record' | 'crossover';
  /** Overhead below which HTTPS stays, of a crossover. */
  percent: number | null;
  /** Null where it was not measured; in a crossover, where there is none within the sizes. */
  earlier: Estimate | null;
  later: Estimate | null;
  /** later less earlier; null unless both have an interval. */
  change: Estimate | null;
};

type Findings = Pick<SizesDocument, 'arms' | 'comparisons'>;
type What = 'latency' | 'cpu';

/** Arms that both have, by suite. */
export function lineChanges(later: Findings, earlier: Findings, what: What): LineChange[] {
  const [now, then] = [namedArms(later, what), namedArms(earlier, what)];
  return now.flatMap(({ arm, fit, crossovers }) => {
    const before = then.find((each) => each.arm === arm);
    if (before === undefined) return [];
    const [one, other] = linesOfOneForm(before.fit, fit);
    const terms = [
      changeOf({ arm, term: 'offset', percent: null }, one.offsetUs, other.offsetUs),
      changeOf({ arm, term: 'rate', percent: null }, one.bytesPerMs, other.bytesPerMs),
      ...(one.recordUs === null || other.recordUs === null
        ? []
        : [changeOf({ arm, term: 'record', percent: null }, one.recordUs, other.recordUs)]),
    ];
    const sizes = crossovers.flatMap((crossover) => {
      const { percent } = crossover;
      const found = before.crossovers.find((each) => each.percent === percent);
      if (found === undefined || (found.bytes === null && crossover.bytes === null)) return [];
      return [changeOf({ arm, term: 'crossover', percent }, bytesOf(found), bytesOf(crossover))];
    });
    return [...terms, ...sizes];
  });
}

export function isBeyondNoise({ change }: Pick<LineChange, 'change'>): boolean {
  return change !== null && (change.lo > 0 || change.hi < 0);
}

type NamedArm = { arm: string; fit: SizeFit; crossovers: readonly Crossover[] };

function namedArms({ arms, comparisons }: Findings, what: What): NamedArm[] {
  return arms.flatMap((result: ArmResult) => {
    const fit = result[what];
    const own = comparisons.find(({ arm }) => arm === result.arm);
    return fit === null ? [] : [{ arm: nameSizeArm(result), fit, crossovers: own?.[what]?.crossovers ?? [] }];
  });
}

/** The same terms mean the same in both: lines with records are compared only with their like. */
function linesOfOneForm(one: SizeFit, other: SizeFit): [SizeLine, SizeLine] {
  return one.chosen === 'records' &&
    other.chosen === 'records' &&
    one.records !== null &&
    other.records !== null
    ? [one.records, other.records]
    : [one.straight, other.straight];
}

/** Without an interval its ends are not numbers. */
function bytesOf({ bytes, interval }: Crossover): Estimate | null {
  if (bytes === null) return null;
  return { center: bytes, lo: interval?.lo ?? Number.NaN, hi: interval?.hi ?? Number.NaN };
}

function changeOf(
  which: Pick<LineChange, 'arm' | 'term' | 'percent'>,
  earlier: Estimate | null,
  later: Estimate | null,
): LineChange {
  const known = earlier !== null && later !== null ? differenceOf(later, earlier) : null;
  return {
    ...which,
    earlier,
    later,
    change: known !== null && Number.isFinite(known.lo) && Number.isFinite(known.hi) ? known : null,
  };
}

/** Line of a list: the finding of a measurement, or its state. */
type Line = { title: string; details: string[]; look: Look };

export function describeMeasurements(summaries: readonly MeasurementSummary[], nowMs = Date.now()) {
  return summaries.map((summary) => {
    const { title, details, look } = describeMeasurement(summary);
    const detail = [...details, printAgo(summary.createdAt, nowMs)].join(' · ');
    return { href: summary.url, title, detail, look };
  });
}

/** One that somebody gave a title is called by it, and then by what it would be called without. */
export function describeMeasurement(summary: MeasurementSummary): Line {
  const { generatedTitle } = summary;
  const titled = { ...summary, title: generatedTitle };
  const described = titled.kind === 'comparison' ? runLine(titled) : plainLine(titled);
  const { scheduleId } = summary;
  const line =
    scheduleId === undefined ? described : { ...described, details: [...described.details, 'repeated'] };
  if (!hasOwnTitle(summary)) return line;
  return { ...line, title: summary.title, details: [line.title, ...line.details] };
}

export function hasOwnTitle({ title, generatedTitle }: MeasurementSummary): boolean {
  return title !== generatedTitle;
}

function plainLine(summary: MeasurementSummary): Line {
  const { title, headline, state, problem, queuePosition } = summary;
  const look = lookOfState(state);
  if (headline !== undefined) return { title: headline.title, details: [...secondOf(summary), title], look };
  const standing = problem?.title ?? (queuePosition === null ? null : `number ${queuePosition} in the queue`);
  return { title, details: standing === null ? [] : [standing], look };
}

function runLine(run: RunSummary) {
  const { baseline, comparison } = sidesOf(run.sides);
  return {
    title: titleOf(run),
    details: [
      ...secondOf(run),
      `${run.scenario} on ${run.target}`,
      `${baseline.label} and ${comparison.label}`,
      ...(run.tls === undefined ? [] : [run.tls]),
      printLength(run.length),
    ],
    look: lookOfRun(run),
  };
}

function secondOf({ headline }: MeasurementSummary): string[] {
  return headline === undefined ? [] : [headline.second];
}

function titleOf({ headline, problem, state, queuePosition, earlier }: RunSummary): string {
  if (earlier === true) return 'Made by an earlier version';
  if (headline !== undefined) return headline.title;
  if (problem !== null) return problem.title;
  if (state === 'queued')
    return queuePosition === null ? 'Waiting' : `Waiting, number ${queuePosition} in the queue`;
  return state === 'running' ? 'Measuring now' : lookOfState(state).word;
}

function lookOfRun({ found, verdict, state }: RunSummary): Look {
  if (verdict === null || state !== 'finished') return lookOfState(state);
  const { better } = metricOf(found?.metric ?? verdict.metric);
  const usual = better === 'lower' ? 1 : -1;
  const shift = found === undefined ? usual : found.ratio.center - 1;
  return lookOfOutcome(found?.outcome ?? verdict.outcome, shift, better);
}
