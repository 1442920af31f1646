import type { Estimate } from '../../shared/comparison.ts';
import { differenceOf } from '../../shared/independent-estimates.ts';
import type { UntestedEvidence } from './decide-outcomes.ts';
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
    pValue: levels.find((level) => excludesZero(at(1 - level))) ?? 1,
  };
}

/** Holm's method over three metrics asks for no other levels, so a p-value need not be known any better. */
const levels = [0.05 / 3, 0.05 / 2, 0.05];

function atConfidence({ center, lo, hi, degrees }: Known, confidence: number): Estimate {
  const factor = studentQuantile(confidence, degrees) / studentQuantile(0.95, degrees);
  return { center, lo: center - (center - lo) * factor, hi: center + (hi - center) * factor };
}

function excludesZero({ lo, hi }: Estimate): boolean {
  return lo > 0 || hi < 0;
}
