import type { Estimate } from '../../shared/comparison.ts';
import { differenceOf, quotientOf } from '../../shared/independent-estimates.ts';
import { metricOf } from '../../shared/metric.ts';
import { printChange, printChangeInterval, printDifference, scaleFor } from '../../shared/quantity.ts';
import type { RunDocument } from '../../shared/run.ts';
import type { Condition } from './condition.ts';

export type Judgment = {
  condition: Condition;
  /** `unknown`: there is no interval to judge by. */
  outcome: 'passed' | 'failed' | 'unknown';
  sentence: string;
};

type Judged = Pick<RunDocument, 'metrics'>;

export type Judging = {
  /** An earlier run whose figures the limit is counted from; null for no difference between the sides. */
  against: Judged | null;
  /** By the centre of the estimate; otherwise the whole interval has to be beyond the limit. */
  strict: boolean;
};

/** Whether a run meets a condition that fails a build. Doubt passes: a noisy machine breaks nobody's build. */
export function judge(document: Judged, condition: Condition, { against, strict }: Judging): Judgment {
  const { metric, of, operator, limit, text } = condition;
  const estimate = estimateOf(document, condition);
  const earlier = against === null ? null : estimateOf(against, condition);
  if (estimate === null || (against !== null && earlier === null)) {
    const where = estimate === null ? 'this run' : 'the earlier run';
    return { condition, outcome: 'unknown', sentence: `${text}: ${where} has no ${metric} to judge by.` };
  }
  const shift =
    earlier === null
      ? estimate
      : of === 'change'
        ? quotientOf(estimate, earlier)
        : differenceOf(estimate, earlier);
  const { center, lo, hi } =
    of === 'change' ? { center: shift.center - 1, lo: shift.lo - 1, hi: shift.hi - 1 } : shift;
  const decisive = strict ? center : operator === '>' ? lo : hi;
  const failed = operator === '>' ? decisive > limit : decisive < limit;
  const found = of === 'change' ? printedChange(shift) : printedDifference(shift, condition);
  const than = earlier === null ? '' : ' compared with the earlier run';
  return {
    condition,
    outcome: failed ? 'failed' : 'passed',
    sentence: `${text}: ${metricOf(metric).title} ${found}${than}. ${failed ? 'Failed' : 'Passed'}.`,
  };
}

function estimateOf({ metrics }: Judged, { metric, of }: Condition): Estimate | null {
  const row = metrics.find(({ id }) => id === metric);
  if (row === undefined || row.outcome === 'refused') return null;
  return of === 'change' ? row.ratio : row.delta;
}

function printedChange(ratio: Estimate): string {
  return `${printChange(ratio.center)} (95 % CI ${printChangeInterval(ratio)})`;
}

function printedDifference({ center, lo, hi }: Estimate, { metric }: Condition): string {
  const scale = scaleFor(metricOf(metric).unit, [center, lo, hi]);
  const print = (value: number) => printDifference(value, scale);
  return `${print(center)} (95 % CI ${print(lo)} to ${print(hi)})`;
}
