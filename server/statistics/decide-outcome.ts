import type { Estimate, VerdictOutcome } from '../../shared/comparison.ts';
import type { Metric } from '../../shared/metric.ts';

/**
 * The word for one metric:
 *
 * - overhead: the 95 % interval excludes no difference, and so does the test of the family that the metric belongs to.
 * - no_overhead: the 90 % interval lies within ±tolerance (two one-sided tests at 5 %; Schuirmann, Journal of
 *   Pharmacokinetics and Biopharmaceutics 15, 1987), and the 95 % interval holds no difference.
 * - inconclusive: everything else. refused: there is a reason not to print a comparison at all.
 *
 * So no word contradicts the interval that is printed beside it.
 */
export function decideOutcome(evidence: Evidence): Decision {
  const { shift, refusals } = evidence;
  if (refusals.length > 0 || shift === null) return { outcome: 'refused', reasons: refusals };
  const outcome = wordFor(shift, evidence);
  return { outcome, reasons: doubtsOf(outcome, shift, evidence) };
}

export type Evidence = {
  metric: Pick<Metric, 'better' | 'primary'> & Partial<Pick<Metric, 'id' | 'restates'>>;
  /** comparison against baseline: a ratio less one, or a difference, with its 95 % interval. Null where there is none. */
  shift: Estimate | null;
  /** The same at 90 %. */
  narrowShift: Estimate | null;
  /** What is too little to matter, as a share or in the metric's unit. */
  tolerance: number;
  /** Adjusted for its family; null for a metric that is not tested. */
  adjustedP: number | null;
  /** Sentences; any of them forbids a verdict. One at least where there is no interval. */
  refusals: string[];
};

export type Decision = { outcome: VerdictOutcome; reasons: string[] };

const significance = 0.05;

function wordFor(shift: Estimate, { narrowShift, tolerance, adjustedP }: Evidence): VerdictOutcome {
  if (excludesZero(shift)) {
    return adjustedP === null || adjustedP <= significance ? 'overhead' : 'inconclusive';
  }
  const isSmall = narrowShift !== null && narrowShift.lo >= -tolerance && narrowShift.hi <= tolerance;
  return isSmall ? 'no_overhead' : 'inconclusive';
}

function excludesZero({ lo, hi }: Estimate): boolean {
  return lo > 0 || hi < 0;
}

function doubtsOf(outcome: VerdictOutcome, shift: Estimate, { metric }: Evidence): string[] {
  const improved = metric.better === 'lower' ? shift.center < 0 : shift.center > 0;
  if (outcome === 'overhead' && improved) {
    return [
      'The side that should cost more came out better. Before you believe it, check that both sides use the same HTTP version, compression, caches and number of processes.',
    ];
  }
  if (outcome !== 'inconclusive') return [];
  return excludesZero(shift)
    ? [
        'The change does not hold when it is tested together with the other primary metrics. A longer run would tell.',
      ]
    : ['The interval is too wide to tell a cost from none. A longer run or a quieter machine narrows it.'];
}
