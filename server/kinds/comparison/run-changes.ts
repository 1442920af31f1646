import { differenceOf, mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import { problem } from '../../../shared/base/problem.ts';
import { printChangeInterval, printNumber } from '../../../shared/base/quantity.ts';
import {
  bySide,
  isSameSides,
  type KnownSide,
  knownSide,
  sideNames,
  transportFacts,
} from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type { MetricComparison, VerdictOutcome } from '../../../shared/kinds/comparison/comparison.ts';
import type { OperatingPoint } from '../../../shared/kinds/comparison/load-profile.ts';
import {
  type Metric,
  metrics,
  type PrimaryMetricId,
  primaryMetrics,
} from '../../../shared/kinds/comparison/metric.ts';
import type {
  ChangeOutcome,
  ComparedMetric,
  ComparedRun,
  MetricChange,
  RunChanges,
} from '../../../shared/kinds/comparison/result-changes.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { askedSidesOf } from '../../../shared/kinds/comparison/run-request.ts';
import { shiftOf } from '../../../shared/kinds/comparison/shift.ts';
import { changeShiftOf } from '../../../shared/words/change-words.ts';
import { listed } from '../../../shared/words/example-words.ts';
import { differencesOfSides, pointInWords, titleOfDocument } from '../../../shared/words/side-words.ts';
import { decideOutcomes, type UntestedEvidence } from '../../method/statistics/outcome-decision.ts';
import { compareIndependent, type Known } from '../../method/statistics/paired.ts';
import { boundInWords, subjectOf } from '../../method/statistics/verdict-sentence.ts';
import { toleranceFor } from './analysis.ts';
import { blocksAtPointOf } from './compared-metric.ts';
import { contentOf, setupDifferences } from './setup-differences.ts';

/**
 * Changes from one finished run to another. The primary metrics are tested in sequence, as in a verdict, and no word
 * contradicts the interval beside it. Throws results_not_comparable.
 */
export function compareRuns(from: RunDocument, to: RunDocument): RunChanges {
  if (from.id === to.id) throw problem('results_not_comparable', 'Both are the same result.');
  const [one, other] = [describe(from, 'first'), describe(to, 'second')];
  const compared = metrics.map((metric) => changeOfMetric(metric, from, to));
  const decisions = decideOutcomes(compared.map(({ evidence }) => evidence));
  const apart = questionsApart(from, to);
  const rows = compared.map(({ row, evidence: { shift, refusals } }, index): MetricChange => {
    if (apart.length > 0)
      return { ...row, outcome: 'unknown', reasons: [`The runs compare different ${listed(apart)}.`] };
    const outcome = outcomes[decisions[index]?.outcome ?? 'refused'];
    const isBeyond = shift !== null && (shift.lo > 0 || shift.hi < 0);
    return {
      ...row,
      outcome,
      reasons: outcome === 'inconclusive' && isBeyond ? (decisions[index]?.reasons ?? []) : refusals,
    };
  });
  const tolerance = Math.max(from.plan.tolerance, to.plan.tolerance);
  return {
    kind: 'comparison',
    from: one,
    to: other,
    ...(apart.length > 0 ? noVerdictOver(apart) : concludeChanges(rows, one, other, tolerance)),
    setup: setupDifferences(from, to),
    cautions: cautionsOf(from, to),
    metrics: rows.filter((row) => isMeasured(row.from) || isMeasured(row.to)),
  };
}

/** Parts of the question that differ. An own server may move to another address, and settings are what is compared. */
function questionsApart(from: RunDocument, to: RunDocument): string[] {
  const kindOf = ({ target }: RunDocument) => (target.kind === 'managed' ? target.server : target.kind);
  const sidesOf = (run: RunDocument) =>
    JSON.stringify([
      sideNames.map((side) => run.sides[side].transport),
      differencesOfSides(askedSidesOf(run)).map(({ id }) => id),
    ]);
  return [
    ...(sidesOf(from) === sidesOf(to) ? [] : ['sides']),
    ...(kindOf(from) === kindOf(to) ? [] : ['targets']),
    ...(contentOf(from.scenario) === contentOf(to.scenario) ? [] : ['scenarios']),
  ];
}

function noVerdictOver(
  apart: readonly string[],
): Pick<RunChanges, 'sentence' | 'evidence' | 'outcome' | 'metric'> {
  const sentence = `No verdict: the runs answer different questions, because their ${listed(apart)} differ`;
  return { sentence, evidence: null, outcome: 'unknown', metric: null };
}

const outcomes: Record<VerdictOutcome, ChangeOutcome> = {
  overhead: 'changed',
  no_overhead: 'no_change',
  inconclusive: 'inconclusive',
  not_tested: 'inconclusive',
  refused: 'unknown',
};

function describe(run: RunDocument, which: 'first' | 'second'): ComparedRun {
  const { id, state, createdAt, plan, sides, launches, verdict } = run;
  if (state !== 'finished' || verdict === null) {
    throw problem(
      'results_not_comparable',
      `The ${which} run, ${id}, is ${state} and has no verdict. Only finished runs can be compared.`,
    );
  }
  return {
    ...{ id, url: `/r/${id}`, title: titleOfDocument(run), createdAt },
    ...{
      length: plan.length,
      sides: bySide((side) => knownSide(sides[side])),
      launches: launches.length,
      verdict,
    },
  };
}

function isMeasured(row: MetricChange['from']): boolean {
  return row !== null && (row.baseline !== null || row.comparison !== null);
}

function cautionsOf(from: RunDocument, to: RunDocument): string[] {
  const few = [from, to].filter(({ launches }) => launches.length === 1);
  if (few.length === 0) return [];
  const whose = few.length === 2 ? 'Each run' : few[0] === from ? 'The first run' : 'The second run';
  return [
    `${whose} had one launch, so its interval applies to those processes only. Another launch may differ by more.`,
  ];
}

type Run = Pick<RunDocument, 'metrics' | 'blocks' | 'plan'>;

/** A row without its outcome, and the evidence that decides the outcome. */
type ChangeOfMetric = {
  row: Omit<MetricChange, 'outcome' | 'reasons'>;
  evidence: UntestedEvidence;
};

/** How a metric's ratio, or its difference, changed from one run to the other: a difference of differences. */
export function changeOfMetric(metric: Metric, from: Run, to: Run): ChangeOfMetric {
  const [before, after] = [halfOf(metric, from), halfOf(metric, to)];
  const refusals = refusalsOf(metric, before, after);
  const isKnown = refusals.length === 0;
  const [one, other] = isKnown ? [knownOf(metric, before), knownOf(metric, after)] : [null, null];
  const found = one === null || other === null ? null : compareIndependent(other, one);
  const [delta, otherDelta] = [before.row?.delta ?? null, after.row?.delta ?? null];
  const isRatio = metric.scale === 'ratio';
  const shiftOf = (change: Estimate | undefined) =>
    change === undefined ? null : isRatio ? mapEstimate(change, Math.expm1) : change;
  return {
    row: {
      ...{ id: metric.id, unit: metric.unit, from: shown(before), to: shown(after) },
      ratio: isRatio && found !== null ? mapEstimate(found.shift, Math.exp) : null,
      delta: isKnown && delta !== null && otherDelta !== null ? differenceOf(otherDelta, delta) : null,
    },
    evidence: {
      ...{ metric, refusals, pValue: found?.pValue ?? 1 },
      ...{ shift: shiftOf(found?.shift), narrowShift: shiftOf(found?.narrowShift) },
      tolerance: Math.max(toleranceIn(metric, before), toleranceIn(metric, after)),
    },
  };
}

/** A metric in one of the runs. */
type Half = { run: Run; row: MetricComparison | null; point: OperatingPoint | null };

function halfOf(metric: Metric, run: Run): Half {
  const row = run.metrics.find(({ id }) => id === metric.id) ?? null;
  return { run, row, point: blocksAtPointOf(metric, run.blocks)[0]?.kind ?? null };
}

/** On the scale on which two runs are subtracted: logarithms for ratios. */
function knownOf({ scale }: Metric, { run, row }: Half): Known | null {
  if (row === null) return null;
  const degrees = degreesOf(row, run);
  if (scale === 'difference') return row.delta === null ? null : { ...row.delta, degrees };
  return row.ratio === null ? null : { ...mapEstimate(row.ratio, Math.log), degrees };
}

/** Degrees of freedom behind the interval of a row; where they were not noted, from its launches, or from the blocks of its only launch. */
function degreesOf({ pairs, precision }: MetricComparison, { blocks }: Run): number {
  if (precision !== undefined) return Math.max(1, precision.degrees);
  const launchOf = new Map(blocks.map(({ index, launch }) => [index, launch]));
  const launches = new Set(pairs.map(({ block }) => launchOf.get(block)));
  return Math.max(1, (launches.size > 1 ? launches.size : pairs.length) - 1);
}

/** Why the two figures of a metric cannot be compared. */
function refusalsOf({ scale }: Metric, before: Half, after: Half): string[] {
  const missing = [missingIn(before, scale, 'first'), missingIn(after, scale, 'second')].filter(
    (reason) => reason !== null,
  );
  const [point, other] = [before.point, after.point];
  if (missing.length > 0 || point === null || other === null || point === other) return missing;
  return [`The first run measured it ${pointInWords[point]}, the second ${pointInWords[other]}.`];
}

function missingIn({ row }: Half, scale: Metric['scale'], which: 'first' | 'second'): string | null {
  if (row === null || row.baseline === null || row.comparison === null) {
    return `The ${which} run did not measure it.`;
  }
  if (row.outcome === 'refused') {
    return [`Refused in the ${which} run.`, ...row.reasons.slice(0, 1)].join(' ');
  }
  const estimate = scale === 'ratio' ? row.ratio : row.delta;
  return estimate === null ? `The ${which} run has no interval for it.` : null;
}

function toleranceIn(metric: Metric, { run, row }: Half): number {
  return row === null ? 0 : toleranceFor(metric, row, run.plan);
}

function shown({ row }: Half): ComparedMetric | null {
  if (row === null) return null;
  const { pairs, ...rest } = row;
  return rest;
}

type Conclusion = Pick<RunChanges, 'sentence' | 'evidence' | 'outcome' | 'metric'>;

/**
 * The comparison in one short sentence and one line, from the first metric of CPU per transaction, throughput and median
 * latency that both runs know.
 * @param tolerance what is too little to matter, as a share
 */
export function concludeChanges(
  rows: readonly MetricChange[],
  from: ComparedRun,
  to: ComparedRun,
  tolerance: number,
): Conclusion {
  const row = primaryMetrics
    .flatMap((id) => rows.filter((each): each is HeadlineRow => each.id === id))
    .find(({ outcome, ratio }) => outcome !== 'unknown' && ratio !== null);
  if (row === undefined) {
    const sentence = 'No verdict: no primary metric can be compared';
    return { sentence, evidence: null, outcome: 'unknown', metric: null };
  }
  return {
    sentence: sentenceOf(row, effects[row.id].name(subjectIn(from, to)), tolerance),
    evidence: evidenceOf(row, from, to),
    outcome: row.outcome,
    metric: row.id,
  };
}

type HeadlineRow = MetricChange & { id: PrimaryMetricId };

/** Names the effect of TLS on a metric, and its changes. */
const effects: Record<HeadlineRow['id'], { name(subject: string): string; up: string; down: string }> = {
  cpu_at_load: {
    name: (subject) => `server CPU overhead of ${subject}`,
    up: 'rose',
    down: 'fell',
  },
  throughput: {
    name: (subject) => `effect of ${subject} on throughput`,
    up: 'went up',
    down: 'went down',
  },
  latency_p50: {
    name: (subject) => `median latency overhead of ${subject}`,
    up: 'rose',
    down: 'fell',
  },
};

function subjectIn(from: ComparedRun, to: ComparedRun): string {
  return isSameSides(from.sides, to.sides) ? subjectOf(to.sides) : 'the second side';
}

function sentenceOf(row: HeadlineRow, effect: string, tolerance: number): string {
  const { ratio, outcome } = row;
  if (ratio === null) return `No verdict: the ${effect} is not known`;
  if (outcome === 'no_change') return `No change above ${boundInWords(ratio, tolerance)} in the ${effect}`;
  if (outcome === 'inconclusive') {
    const range = printChangeInterval(ratio).replace(' to ', ' and ');
    return `Inconclusive: a change between ${range} in the ${effect}`;
  }
  const verb = effects[row.id][ratio.center > 1 ? 'up' : 'down'];
  // No center may be printed for a side whose overhead is not certain.
  const [one, other] = [row.from, row.to].map((each) => (each === null ? null : shiftOf(each)?.center));
  return `The ${effect} ${verb}${one == null || other == null ? '' : ` from ${one} to ${other}`}`;
}

/** `−5.1 % in the ratio of HTTPS to HTTP, 95 % CI −8.0 to −2.1 %, 3 and 4 launches`. */
function evidenceOf(row: HeadlineRow, from: ComparedRun, to: ComparedRun): string | null {
  const shift = changeShiftOf(row);
  if (shift === null) return null;
  const ratio = ratioInWords(from, to);
  const launches = launchesInWords(from, to);
  const amounts =
    shift.center === null
      ? [`95 % CI ${shift.interval} in ${ratio}`]
      : [`${shift.center} in ${ratio}`, `95 % CI ${shift.interval}`];
  return [...amounts, ...(launches === null ? [] : [launches])].join(', ');
}

function ratioInWords(from: ComparedRun, to: ComparedRun): string {
  const { baseline, comparison } = to.sides;
  const name = (side: KnownSide) => side.name ?? transportFacts[side.transport].name;
  return isSameSides(from.sides, to.sides) && name(baseline) !== name(comparison)
    ? `the ratio of ${name(comparison)} to ${name(baseline)}`
    : 'the ratio of the sides';
}

function launchesInWords(from: ComparedRun, to: ComparedRun): string | null {
  if (from.launches < 2 || to.launches < 2) return null;
  const [one, other] = [from, to].map(({ launches }) => printNumber(launches, 0));
  return one === other ? `${one} launches each` : `${one} and ${other} launches`;
}
