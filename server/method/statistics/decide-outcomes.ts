import { type MetricId, primaryMetrics } from '../../../shared/kinds/comparison/metric.ts';
import { benjaminiHochberg } from './benjamini-hochberg.ts';
import { type Decision, decideOutcome, type UntestedEvidence, type Withheld } from './decide-outcome.ts';

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
  if (refusals.length > 0 || shift === null) return notTested('was refused');
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
