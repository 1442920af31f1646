import { printNumber, printQuantity, type Scale, scaleFor } from '../../../../shared/quantity.ts';
import type { Distribution, RunDocument } from '../../../../shared/run.ts';

/** The pooled latency of both sides, up to the percentile that its sample carries. */
export type DistributionView = {
  http: readonly Point[];
  https: readonly Point[];
  /** Highest percentile shown, from the smaller sample. */
  highest: number;
  scale: Scale;
};
export type Point = { percentile: number; us: number };

export function distributionView({
  distributions,
}: Pick<RunDocument, 'distributions'>): DistributionView | null {
  if (distributions === null) return null;
  const highest = highestPercentile(Math.min(distributions.http.count, distributions.https.count));
  const keep = ({ points }: Distribution) => points.filter(({ percentile }) => percentile <= highest);
  const http = keep(distributions.http);
  const https = keep(distributions.https);
  if (http.length === 0 || https.length === 0) return null;
  return {
    http,
    https,
    highest,
    scale: scaleFor(
      'us',
      [...http, ...https].map(({ us }) => us).filter((us) => us > 0),
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
export function distributionInWords(view: DistributionView, labels: { http: string; https: string }): string {
  const [http, https] = [latencyAt(view.http, 50), latencyAt(view.https, 50)];
  const fine = scaleFor('us', [http, https], [https - http]);
  const number = (us: number) => printNumber(us / fine.divisor, fine.decimals);
  const tail = latencyAt(view.https, view.highest) - latencyAt(view.http, view.highest);
  return (
    `At the median ${labels.https} takes ${longer(https - http)} than ${labels.http} ` +
    `(${number(https)} against ${number(http)} ${fine.symbol}); at the ${view.highest}th percentile ${longer(tail)}`
  );
}

function longer(us: number): string {
  if (us === 0) return 'no longer';
  return `${printQuantity(Math.abs(us), scaleFor('us', [us]))} ${us > 0 ? 'longer' : 'less'}`;
}
