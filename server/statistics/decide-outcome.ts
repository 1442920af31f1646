import type { Estimate, VerdictOutcome } from '../../shared/comparison.ts';
import type { Metric } from '../../shared/metric.ts';
import { printShare } from '../../shared/quantity.ts';
import type { PairedComparison } from './compare-paired.ts';
import { fewestDifferences } from './wilcoxon.ts';

/**
 * The word for one metric. With F the noise floor (see `noiseFloor`):
 *
 * - overhead: the interval excludes no difference, the centre is beyond ±F, and Holm's p-value, if any, is ≤ 0.05.
 * - no_overhead: the centre lies within ±F, the interval is no wider than 4 F, and F is at most 10 %. What is claimed
 *   is "no overhead above the far end of the interval", which is false no more often than the interval is. With a
 *   larger F the claim would be true and say nothing.
 * - inconclusive: everything else. refused: there is a reason not to print a comparison at all.
 *
 * Why the whole interval need not lie within ±F: when there is no difference, this interval and the twin's are alike,
 * so one lies within the other's reach half of the time only. In 1,500 simulated runs a cell (slots with 3 % noise,
 * F from the same blocks' twin), normal noise, and in brackets the worse of t(3) and one slot in ten five times as noisy:
 *
 *   blocks                                 6          7          12         18
 *   no difference: no_overhead            98 (95) %  98 (97) %  99 (98) %  99 (99) %
 *     if the interval had to be in ±F     50 %       49 %       50 %       49 %
 *     if a 90 % interval had to be (TOST) 80 %       72 %       70 %       71 %
 *   no difference: overhead               0.1 %      0.3 %      0.3 %      0.3 %
 *   +20 %: overhead                       100 %      100 %      100 %      100 %
 *   +3 %, slots with 1 % noise: overhead  95 (86) %  99 (97) %  100 %      100 %
 *     no_overhead                         4 (11) %   1 (2) %    0 %        0 %
 *
 * F is itself as wide as noise, so three primary metrics together said overhead without cause in 1 % of the runs at most.
 */
export function decideOutcome(evidence: Evidence): Decision {
  if (evidence.refusals.length > 0) return { outcome: 'refused', reasons: evidence.refusals };
  const shift = shiftOf(evidence.comparison);
  if (shift === null) return { outcome: 'refused', reasons: [tooFew(evidence.comparison)] };

  const outcome = wordFor(shift, evidence);
  return { outcome, reasons: doubtsOf(outcome, shift, evidence) };
}

export type Evidence = {
  metric: Pick<Metric, 'better' | 'primary'>;
  comparison: PairedComparison;
  /** As `noiseFloor` gives it: a share for ratios, in the metric's unit for differences. */
  floor: number;
  /** A floor above this makes "no overhead" say nothing; 10 % for ratios and none for differences when left out. */
  usefulFloor?: number;
  /** Adjusted for its family; null for a metric that is not tested. */
  adjustedP: number | null;
  /** Sentences; any of them forbids a verdict. */
  refusals: string[];
};

export type Decision = { outcome: VerdictOutcome; reasons: string[] };

const significance = 0.05;

/** The estimate measured from no difference: a share for ratios, in the metric's unit for differences. */
function shiftOf({ ratio, delta }: PairedComparison): Estimate | null {
  if (ratio === null) return delta;
  return { center: ratio.center - 1, lo: ratio.lo - 1, hi: ratio.hi - 1 };
}

const largestUsefulShare = 0.1;

function isUseful({ comparison, floor, usefulFloor }: Evidence): boolean {
  return (
    floor <= (usefulFloor ?? (comparison.ratio === null ? Number.POSITIVE_INFINITY : largestUsefulShare))
  );
}

function wordFor(shift: Estimate, evidence: Evidence): VerdictOutcome {
  const { floor, adjustedP } = evidence;
  if (Math.abs(shift.center) <= floor) {
    const told = shift.hi - shift.lo <= 4 * floor && isUseful(evidence);
    return told ? 'no_overhead' : 'inconclusive';
  }
  const significant = adjustedP === null || adjustedP <= significance;
  return excludesZero(shift) && significant ? 'overhead' : 'inconclusive';
}

function excludesZero({ lo, hi }: Estimate): boolean {
  return lo > 0 || hi < 0;
}

function doubtsOf(outcome: VerdictOutcome, shift: Estimate, evidence: Evidence): string[] {
  const { metric, comparison, floor } = evidence;
  const improved = metric.better === 'lower' ? shift.center < 0 : shift.center > 0;
  if (outcome === 'overhead' && improved) {
    return [
      'The side that should cost more came out better. Before believing it, check that both sides use the same HTTP version, compression, caches and number of processes.',
    ];
  }
  if (outcome !== 'inconclusive') return [];
  const noise = comparison.ratio === null ? '' : ` of ${printShare(floor)}`;
  if (Math.abs(shift.center) <= floor && !isUseful(evidence)) {
    const reach = comparison.ratio === null ? 'as much as is asked about' : `up to ${printShare(floor)}`;
    return [
      `Two identical listeners differed by ${reach} here, so less than that cannot be told. More blocks or a quieter machine would tell.`,
    ];
  }
  if (!excludesZero(shift))
    return [
      `The interval is too wide beside the noise floor${noise}. More blocks or a quieter machine narrow it.`,
    ];
  if (Math.abs(shift.center) <= floor)
    return [`The change is within the noise floor${noise}, but its interval is not.`];
  return [
    'The change did not hold when it was tested together with the other primary metrics. More blocks would tell.',
  ];
}

function tooFew({ perBlock }: PairedComparison): string {
  return `Only ${perBlock.length} of the blocks kept hold this metric; an interval needs ${fewestDifferences}.`;
}
