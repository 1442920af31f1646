import type { Estimate, VerdictOutcome } from '../../../shared/kinds/comparison/comparison.ts';
import type { Metric } from '../../../shared/kinds/comparison/metric.ts';
import { excludesZero } from './excludes-zero.ts';

/**
 * The word for one metric:
 *
 * - refused: there is a reason not to print a comparison at all.
 * - no_overhead: the 90 % interval lies within ±tolerance (two one-sided tests at 5 %; Schuirmann, Journal of
 *   Pharmacokinetics and Biopharmaceutics 15, 1987), whether or not the 95 % interval holds no difference: what is certain and
 *   too little to matter is too little to matter.
 * - not_tested: the primary metric before it showed nothing.
 * - overhead: the 95 % interval excludes no difference, and nothing withholds the claim.
 * - inconclusive: everything else.
 *
 * So no word contradicts the interval that is printed beside it.
 */
export function decideOutcome(evidence: Evidence): Decision {
  const { shift, refusals, withheld } = evidence;
  if (refusals.length > 0 || shift === null) return { outcome: 'refused', reasons: refusals };
  if (isWithinTolerance(evidence)) return { outcome: 'no_overhead', reasons: [] };
  if (withheld?.outcome === 'not_tested') return { outcome: 'not_tested', reasons: [withheld.reason] };
  if (!excludesZero(shift)) return { outcome: 'inconclusive', reasons: [tooWide] };
  if (withheld !== null) return { outcome: 'inconclusive', reasons: [withheld.reason] };
  return {
    outcome: 'overhead',
    reasons: evidence.mustCost === true && hasImproved(shift, evidence) ? [tooGood] : [],
  };
}

/** What a word rests on, without its place among the other metrics. */
export type UntestedEvidence = {
  metric: Pick<Metric, 'better' | 'primary'> & Partial<Pick<Metric, 'id' | 'restates'>>;
  /** comparison against baseline: a ratio less one, or a difference, with its 95 % interval. Null where there is none. */
  shift: Estimate | null;
  /** The same at 90 %. */
  narrowShift: Estimate | null;
  /** What is too little to matter, as a share or in the metric's unit. */
  tolerance: number;
  /** That there is no difference, by the same interval. */
  pValue: number;
  /** Sentences; any of them forbids a verdict. One at least where there is no interval. */
  refusals: string[];
  /** The comparison does all that the baseline does and more, so it cannot be better. */
  mustCost?: boolean;
  /** There is data of it, be it refused. Where it is left out, what has an interval was measured. */
  measured?: boolean;
};

type Evidence = UntestedEvidence & {
  /** Why a difference may not be claimed; null: it may. */
  withheld: Withheld | null;
};

export type Withheld = { outcome: 'not_tested' | 'inconclusive'; reason: string };

export type Decision = { outcome: VerdictOutcome; reasons: string[] };

const tooGood =
  'The side that should cost more came out better. Before you believe it, check that both sides use the same HTTP version, compression, caches and number of processes.';
const tooWideForCost = 'The interval is too wide to tell a cost from none.';
/** Advice on an interval for whose width no other cause is known. */
export const adviceOnWidth = 'A longer run narrows it.';
const tooWide = `${tooWideForCost} ${adviceOnWidth}`;

function isWithinTolerance({ narrowShift, tolerance }: Evidence): boolean {
  return narrowShift !== null && narrowShift.lo >= -tolerance && narrowShift.hi <= tolerance;
}

function hasImproved(shift: Estimate, { metric }: Evidence): boolean {
  return metric.better === 'lower' ? shift.center < 0 : shift.center > 0;
}
