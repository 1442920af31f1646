import { type Decision, decideOutcome, type Evidence } from './decide-outcome.ts';
import { holm } from './holm.ts';

export type UntestedEvidence = Omit<Evidence, 'adjustedP'> & {
  /** That there is no difference. */
  pValue: number;
};

/**
 * The words for all metrics, in the order given. The primary metrics are a family that is registered before the run, and
 * tested together by Holm's method. One that is refused, or that nothing holds, stays in it with p = 1: losing data must
 * not make it easier for the others to pass. A metric that says a primary one in another unit has that one's test.
 */
export function decideOutcomes(evidence: readonly UntestedEvidence[]): Decision[] {
  const family = evidence.filter(({ metric }) => metric.primary);
  const adjusted = holm(
    family.map(({ shift, refusals, pValue }) => (shift === null || refusals.length > 0 ? 1 : pValue)),
  );
  return evidence.map((one) => {
    const { restates } = one.metric;
    const place = family.findIndex((each) =>
      restates === undefined ? each === one : each.metric.id === restates,
    );
    return decideOutcome({ ...one, adjustedP: adjusted[place] ?? null });
  });
}
