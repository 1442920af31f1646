import { type Decision, decideOutcome, type Evidence } from './decide-outcome.ts';
import { holm } from './holm.ts';

export type UntestedEvidence = Omit<Evidence, 'adjustedP'>;

/**
 * The words for all metrics, in the order given. The primary metrics are a family and tested together by Holm's
 * method, when the blocks let any of them pass: n blocks have no p-value below 2/2ⁿ, so six blocks (0.031) could never
 * pass a family of three (0.017), seven can. Below that the noise floor stands alone; in simulated runs of six blocks
 * without any difference the family said overhead in under 1 % (see `decideOutcome`).
 */
export function decideOutcomes(evidence: readonly UntestedEvidence[]): Decision[] {
  const family = evidence.filter(isTested);
  const canPass = family.every(
    ({ comparison }) => 2 ** (1 - comparison.perBlock.length) * family.length <= 0.05,
  );
  const adjusted = holm(family.map(({ comparison }) => comparison.pValue));
  return evidence.map((one) => {
    const place = family.indexOf(one);
    return decideOutcome({ ...one, adjustedP: canPass ? (adjusted[place] ?? null) : null });
  });
}

function isTested({ metric, comparison, refusals }: UntestedEvidence): boolean {
  return metric.primary && refusals.length === 0 && comparison.perBlock.length > 0;
}
