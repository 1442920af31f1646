import { excludes } from '../../../shared/base/estimate-arithmetic.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type {
  MetricComparison,
  Verdict,
  VerdictOutcome,
} from '../../../shared/kinds/comparison/comparison.ts';
import { type Metric, type MetricId, primaryMetrics } from '../../../shared/kinds/comparison/metric.ts';

/**
 * The words for all metrics, in the order given.
 *
 * The primary metrics are a fixed sequence, registered before the run: each is tested only if the one before it differs at 4 %,
 * whatever its word. So the first is tested as if alone, and no correction parts the headline
 * from its interval. A false claim needs the first metric without a difference to be claimed, which its 95 % interval allows
 * in 5 % of the runs, so the whole sequence has no more (Maurer, Hothorn and Lehmacher, Biometrie in der
 * chemisch-pharmazeutischen Industrie 6, 1995); going on at 4 % only pays for having looked at the widths while measuring.
 * A metric that this run cannot measure is not in the sequence. One that was measured and is refused stops it: losing data must
 * not make it easier for the others to pass.
 *
 * The other metrics are exploratory. Of the differences that are claimed among them, one in a hundred is false on average.
 * A metric that says a primary one in another unit has that one's word.
 *
 * @param sequence of the primary metrics; any that it lacks follow in the order given
 */
export function decideOutcomes(
  evidence: readonly UntestedEvidence[],
  sequence: readonly MetricId[] = primaryMetrics,
): Decision[] {
  const withheld = new Map([
    ...withheldOfSequence(inSequence(evidence, sequence)),
    ...withheldByChance(evidence),
  ]);
  const decided = evidence.map((one) => decideOutcome({ ...one, withheld: withheld.get(one) ?? null }));
  return evidence.map((one, index) => {
    const own = decided[index] ?? { outcome: 'refused', reasons: [] };
    const restated = primaryOf(one, evidence);
    if (restated === null || own.outcome === 'refused') return own;
    return decided[evidence.indexOf(restated)] ?? own;
  });
}

const goesOnAt = 0.04;
const falseShare = 0.01;

type Verdicts = [UntestedEvidence, Withheld][];

function inSequence(evidence: readonly UntestedEvidence[], sequence: readonly MetricId[]) {
  const place = ({ metric: { id } }: UntestedEvidence) => {
    const found = id === undefined ? -1 : sequence.indexOf(id);
    return found < 0 ? sequence.length : found;
  };
  return evidence.filter(({ metric }) => metric.primary).toSorted((one, other) => place(one) - place(other));
}

function withheldOfSequence(primaries: readonly UntestedEvidence[]): Verdicts {
  const found: Verdicts = [];
  let stop: Withheld | null = null;
  for (const one of primaries) {
    if (stop !== null) found.push([one, stop]);
    stop ??= stopAt(one);
  }
  return found;
}

function stopAt({ shift, refusals, pValue, measured = shift !== null }: UntestedEvidence): Withheld | null {
  if (!measured) return null;
  if (refusals.length > 0 || shift === null) return notTested('is not available');
  return pValue <= goesOnAt ? null : notTested('shows no certain difference');
}

function notTested(why: string): Withheld {
  return { outcome: 'not_tested', reason: `Not tested, because a primary metric before it ${why}.` };
}

function withheldByChance(evidence: readonly UntestedEvidence[]): Verdicts {
  const explored = evidence.filter(
    (one) =>
      !one.metric.primary &&
      primaryOf(one, evidence) === null &&
      one.shift !== null &&
      one.refusals.length === 0,
  );
  const adjusted = benjaminiHochberg(explored.map(({ pValue }) => pValue));
  const byChance: Withheld = {
    outcome: 'inconclusive',
    reason:
      'Not certain enough for an exploratory metric: among so many, one may differ by chance. A longer run would tell.',
  };
  return explored.flatMap(
    (one, index): Verdicts => ((adjusted[index] ?? 1) <= falseShare ? [] : [[one, byChance]]),
  );
}

/** The primary metric that this one says in another unit; null where there is none. */
function primaryOf({ metric }: UntestedEvidence, evidence: readonly UntestedEvidence[]) {
  const { restates } = metric;
  if (restates === undefined) return null;
  return evidence.find((each) => each.metric.primary && each.metric.id === restates) ?? null;
}

/**
 * p-values adjusted for looking at many, in the order given: of those at or below a level, at most that share are false alarms
 * on average. For tests that are independent or depend on each other positively.
 * Source: Benjamini and Hochberg, Controlling the False Discovery Rate, Journal of the Royal Statistical Society B 57 (1995).
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const descending = pValues.map((p, index) => ({ p, index })).sort((a, b) => b.p - a.p);
  const adjusted = new Array<number>(pValues.length);
  let smallest = 1;
  for (const [above, { p, index }] of descending.entries()) {
    smallest = Math.min(smallest, (p * pValues.length) / (pValues.length - above));
    adjusted[index] = smallest;
  }
  return adjusted;
}

/**
 * The word for one metric:
 *
 * - refused: there is a reason not to print a comparison at all.
 * - no_overhead: the 90 % interval lies within ±tolerance (two one-sided tests at 5 %; Schuirmann, Journal of
 *   Pharmacokinetics and Biopharmaceutics 15, 1987), whether or not the 95 % interval contains no difference: a
 *   difference that is certain but too small to matter does not matter.
 * - not_tested: the primary metric before it showed nothing.
 * - overhead: the 95 % interval excludes no difference, and nothing withholds the claim.
 * - inconclusive: everything else.
 *
 * No word therefore contradicts the interval that is printed beside it.
 */
export function decideOutcome(evidence: Evidence): Decision {
  const { shift, refusals, withheld } = evidence;
  if (refusals.length > 0 || shift === null) return { outcome: 'refused', reasons: refusals };
  if (isWithinTolerance(evidence)) return { outcome: 'no_overhead', reasons: [] };
  if (withheld?.outcome === 'not_tested') return { outcome: 'not_tested', reasons: [withheld.reason] };
  if (!excludes(shift, 0)) return { outcome: 'inconclusive', reasons: [tooWide] };
  if (withheld !== null) return { outcome: 'inconclusive', reasons: [withheld.reason] };
  return {
    outcome: 'overhead',
    reasons: evidence.mustCost === true && hasImproved(shift, evidence) ? [tooGood] : [],
  };
}

/** Evidence for a word, without its place among the other metrics. */
export type UntestedEvidence = {
  metric: Pick<Metric, 'better' | 'primary'> & Partial<Pick<Metric, 'id' | 'restates'>>;
  /** comparison against baseline: a ratio less one, or a difference, with its 95 % interval. Null where there is none. */
  shift: Estimate | null;
  /** The same at 90 %. */
  narrowShift: Estimate | null;
  /** Largest difference that is too small to matter, as a share or in the metric's unit. */
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

type Decision = { outcome: VerdictOutcome; reasons: string[] };

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

/**
 * p-values adjusted for being tested together, in the order given: Holm's step-down method keeps the chance of any
 * false alarm in the family at the level, whatever the dependence between the tests.
 * Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6 (1979).
 */
export function holm(pValues: readonly number[]): number[] {
  const ascending = pValues
    .map((_, index) => index)
    .sort((a, b) => (pValues[a] as number) - (pValues[b] as number));
  const adjusted = new Array<number>(pValues.length);
  let largest = 0;
  for (const [step, index] of ascending.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues[index] as number) * (pValues.length - step)));
    adjusted[index] = largest;
  }
  return adjusted;
}

/** The verdict of a run: the first primary metric that was measured and not refused. */
export function verdictOf(rows: readonly MetricComparison[]): Verdict {
  const measured = primaryMetrics.flatMap((id) =>
    rows.filter((row) => row.id === id && row.baseline !== null && row.comparison !== null),
  );
  const row = measured.find(({ outcome }) => outcome !== 'refused') ?? measured[0];
  return row === undefined
    ? { metric: primaryMetrics[0], outcome: 'refused' }
    : { metric: row.id, outcome: row.outcome };
}
