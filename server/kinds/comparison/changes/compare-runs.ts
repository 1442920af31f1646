import { problem } from '../../../../shared/base/problem.ts';
import { bySide, knownSide, sideNames } from '../../../../shared/base/transport.ts';
import type { VerdictOutcome } from '../../../../shared/kinds/comparison/comparison.ts';
import { metrics } from '../../../../shared/kinds/comparison/metric.ts';
import type {
  ChangeOutcome,
  ComparedRun,
  MetricChange,
  RunChanges,
} from '../../../../shared/kinds/comparison/result-changes.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { askedSidesOf } from '../../../../shared/kinds/comparison/side.ts';
import { listed } from '../../../../shared/words/listed.ts';
import { differencesOfSides } from '../../../../shared/words/side-words.ts';
import { titleOfDocument } from '../../../../shared/words/targets-of-sides.ts';
import { decideOutcomes } from '../../../method/statistics/decide-outcomes.ts';
import { changeOfMetric } from './change-of-metric.ts';
import { concludeChanges } from './change-sentence.ts';
import { contentOf } from './scenario-differences.ts';
import { setupDifferences } from './setup-differences.ts';

/**
 * What changed from one finished run to another. The primary metrics are tested in sequence, as in a verdict, and no word
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
