import { differenceOf, excludes, mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import { problem } from '../../../shared/base/problem.ts';
import { bySide, knownSide, sideNames } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type { MetricComparison, VerdictOutcome } from '../../../shared/kinds/comparison/comparison.ts';
import type { OperatingPoint } from '../../../shared/kinds/comparison/load-profile.ts';
import { type Metric, metricOf, metrics, primaryMetrics } from '../../../shared/kinds/comparison/metric.ts';
import { printLength } from '../../../shared/kinds/comparison/options.ts';
import type {
  ChangeOutcome,
  ComparedMetric,
  ComparedRun,
  MetricChange,
  RunChanges,
  SetupDifference,
} from '../../../shared/kinds/comparison/result-changes.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { askedSidesOf } from '../../../shared/kinds/comparison/run-request.ts';
import { headlineInOneLine } from '../../../shared/measurement/measurement.ts';
import { figures, leadOf, list, type Report, table, texts } from '../../../shared/report/report.ts';
import { printMetricChange, wordOfChange } from '../../../shared/words/change-words.ts';
import { listed } from '../../../shared/words/example-words.ts';
import { headlineOfChange, headlineOfQuestions, headlineOfRun } from '../../../shared/words/headline.ts';
import { differencesOfSides, pointInWords, titleOfDocument } from '../../../shared/words/side-words.ts';
import { setupSection } from '../../base/text/report.ts';
import { decideOutcomes, type UntestedEvidence } from '../../method/statistics/outcome-decision.ts';
import { compareIndependent, type Known } from '../../method/statistics/paired.ts';
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
    const isBeyond = shift !== null && excludes(shift, 0);
    return {
      ...row,
      outcome,
      reasons: outcome === 'inconclusive' && isBeyond ? (decisions[index]?.reasons ?? []) : refusals,
    };
  });
  const tolerance = Math.max(from.plan.tolerance, to.plan.tolerance);
  const setup = setupDifferences(from, to);
  return {
    kind: 'comparison',
    from: one,
    to: other,
    ...(apart.length > 0
      ? { headline: headlineOfQuestions(apart, from, to), ...nothing }
      : concludeChanges(rows, from, to, { setup, tolerance })),
    ...{ apart, tolerance, setup },
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

const outcomes: Record<VerdictOutcome, ChangeOutcome> = {
  overhead: 'changed',
  no_overhead: 'no_change',
  inconclusive: 'inconclusive',
  not_tested: 'inconclusive',
  refused: 'unknown',
};

function describe(run: RunDocument, which: 'first' | 'second'): ComparedRun {
  const { pool: _, ...alone } = run;
  const { id, state, createdAt, plan, sides, launches } = run;
  const headline = headlineOfRun(alone);
  if (state !== 'finished' || headline === null) {
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
      headline,
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
    `${whose} measured one set of processes, so its interval applies to those only. Another start of the server may differ by more.`,
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
    return [`Not available in the ${which} run.`, ...row.reasons.slice(0, 1)].join(' ');
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

type Conclusion = Pick<RunChanges, 'headline' | 'outcome' | 'metric'>;

/** The headline, from the first metric of CPU per transaction, throughput and median latency that both runs know. */
function concludeChanges(
  rows: readonly MetricChange[],
  from: RunDocument,
  to: RunDocument,
  of: { setup: readonly SetupDifference[]; tolerance: number },
): Conclusion {
  const row = primaryMetrics
    .flatMap((id) => rows.filter((each) => each.id === id))
    .find(({ outcome, ratio }) => outcome !== 'unknown' && ratio !== null);
  if (row === undefined) {
    const second = 'One of the runs has no figure for server CPU, throughput, and median latency';
    return { headline: { title: 'No verdict: no primary metric can be compared', second }, ...nothing };
  }
  const headline = headlineOfChange(row, { run: from, row: row.from }, { run: to, row: row.to }, of);
  return { headline, outcome: row.outcome, metric: row.id };
}

const nothing = { outcome: 'unknown', metric: null } as const;

/** Report on the changes between two runs: the sentence, both results, the set-up, and a row for each metric. */
export function reportRunChanges(changes: RunChanges): Report {
  const { headline, tolerance, cautions, setup, from, to, metrics } = changes;
  const rows = metrics.map((row) => {
    const { halves, amount, points } = printMetricChange(row);
    return [
      metricOf(row.id).title,
      ...halves.map((half) => (half?.change == null ? half?.amount : `${half.amount} (${half.change})`)),
      ...[amount?.signed, amount?.ends],
      ...[points?.signed.replace(' points', ''), points?.ends],
      wordOfChange(row, tolerance),
    ].map((cell) => cell ?? null);
  });
  const columns = [
    ...texts('Metric'),
    ...figures('First', 'Second', 'Change', '95 % CI', 'In points', '95 % CI in points'),
    ...texts('Outcome'),
  ];
  const reasons = metrics.flatMap(({ id, reasons }) =>
    reasons.map((reason) => `${metricOf(id).title}: ${reason}`),
  );
  return {
    title: headline.title,
    lead: leadOf(headline),
    about: [],
    notes: cautions,
    sections: [
      { heading: null, parts: [list([`First: ${lineOf(from)}`, `Second: ${lineOf(to)}`])] },
      setupSection(setup),
      { heading: 'Metrics', parts: [table(columns, rows), list(reasons)] },
    ],
  };
}

/** A result in one line, with its ID and its day in UTC. */
function lineOf({ id, title, length, createdAt, headline }: RunChanges['from']): string {
  return `${id} of ${new Date(createdAt).toISOString()}, ${title}, ${printLength(length)}: ${headlineInOneLine(headline)}`;
}
