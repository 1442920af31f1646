import { printShare } from '../base/quantity.ts';

const runsToPool = 3;

/** @param between half-width of one run's interval by what moves between runs alone, as a share of the ratio */
export function runsDiffer(between: number): string {
  const pooled = between / Math.sqrt(runsToPool);
  return `Runs differ by about ±${printShare(between)}. A longer run does not narrow that; three runs do, to about ±${printShare(pooled)}.`;
}
