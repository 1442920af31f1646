import { printNumber, printQuantity, type Scale, scaleFor } from '../../../../shared/quantity.ts';
import type { Distribution, RunDocument } from '../../../../shared/run.ts';
import type { BySide } from '../../../../shared/transport.ts';

/** The pooled latency of both sides, up to the percentile that its sample carries. */
export type DistributionView = {
  baseline: readonly Point[];
  comparison: readonly Point[];
  /** Highest percentile shown, from the smaller sample. */
  highest: number;
  scale: Scale;
};
export type Point = { percentile: number; us: number };

export function distributionView({
  distributions,
}: Pick<RunDocument, 'distributions'>): DistributionView | null {
  if (distributions === null) return null;
  const highest = highestPercentile(Math.min(distributions.baseline.count, distributions.comparison.count));
  const keep = ({ points }: Distribution) => points.filter(({ percentile }) => percentile <= highest);
  const baseline = keep(distributions.baseline);
  const comparison = keep(distributions.comparison);
  if (baseline.length === 0 || comparison.length === 0) return null;
  return {
    baseline,
    comparison,
    highest,
    scale: scaleFor(
      'us',
      [...baseline, ...comparison].map(({ us }) => us).filter((us) => us > 0),
    ),
  };
}

/** A percentile is shown from about a hundred observations beyond it. */
export function highestPercentile(count: number): number {
  if (count >= 100_000) return 99.9;
  if (count >= 10_000) return 99;
  return count >= 2000 ? 95 : 90;
}

/** Latency at a percentile of the ladder, linear between its rungs. In µs. */
export function latencyAt(points: readonly Point[], percentile: number): number {
  const after = points.findIndex((point) => point.percentile >= percentile);
  const right = points[after] ?? points.at(-1);
  const left = points[Math.max(0, after - 1)] ?? right;
  if (right === undefined || left === undefined) return Number.NaN;
  const span = right.percentile - left.percentile;
  if (after === -1 || span === 0) return right.us;
  return left.us + ((right.us - left.us) * (percentile - left.percentile)) / span;
}

/** "At the median HTTPS takes 0.12 ms longer than HTTP (1.32 against 1.20 ms); at the 99th percentile 0.40 ms longer." */
export function distributionInWords(view: DistributionView, labels: BySide<string>): string {
  const [baseline, comparison] = [latencyAt(view.baseline, 50), latencyAt(view.comparison, 50)];
  const fine = scaleFor('us', [baseline, comparison], [comparison - baseline]);
  const number = (us: number) => printNumber(us / fine.divisor, fine.decimals);
  const tail = latencyAt(view.comparison, view.highest) - latencyAt(view.baseline, view.highest);
  return (
    `At the median ${labels.comparison} takes ${longer(comparison - baseline)} than ${labels.baseline} ` +
    `(${number(comparison)} against ${number(baseline)} ${fine.symbol}); at the ${view.highest}th percentile ${longer(tail)}`
  );
}

function longer(us: number): string {
  if (us === 0) return 'no longer';
  return `${printQuantity(Math.abs(us), scaleFor('us', [us]))} ${us > 0 ? 'longer' : 'less'}`;
}
