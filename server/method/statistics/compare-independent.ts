import { differenceOf } from '../../../shared/base/independent-estimates.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import type { UntestedEvidence } from './decide-outcome.ts';
import { excludesZero } from './excludes-zero.ts';
import { studentQuantile } from './student-t.ts';

/** An estimate on an additive scale whose 95 % interval is Student's with so many degrees of freedom. */
export type Known = Estimate & { degrees: number };

/** `to` less `from`, of separate measurements: what a word about the difference is chosen from. */
export function compareIndependent(
  to: Known,
  from: Known,
): Pick<UntestedEvidence, 'pValue'> & { shift: Estimate; narrowShift: Estimate } {
  const at = (confidence: number) =>
    differenceOf(atConfidence(to, confidence), atConfidence(from, confidence));
  return {
    shift: at(0.95),
    narrowShift: at(0.9),
    pValue: pValueBy((level) => excludesZero(at(1 - level))),
  };
}

/** Falling. What decides is 5 and 4 %, and for exploratory metrics parts of 1 %; between them a p-value is rounded up. */
const levels = [
  ...[0.05, 0.04, 0.03, 0.02, 0.01],
  ...[9, 8, 7, 6, 5, 4, 3, 2, 1, 0.5, 0.2, 0.1, 0.01].map((thousandths) => thousandths / 1000),
];

/** The lowest level at which no difference is excluded; 1 where it is at none. */
function pValueBy(isExcludedAt: (level: number) => boolean): number {
  const failed = levels.findIndex((level) => !isExcludedAt(level));
  return (failed < 0 ? levels.at(-1) : levels[failed - 1]) ?? 1;
}

function atConfidence({ center, lo, hi, degrees }: Known, confidence: number): Estimate {
  const factor = studentQuantile(confidence, degrees) / studentQuantile(0.95, degrees);
  return { center, lo: center - (center - lo) * factor, hi: center + (hi - center) * factor };
}
