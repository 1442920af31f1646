import { quotientOf } from '../../../shared/base/independent-estimates.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import type { ServersCell } from '../../../shared/kinds/servers/servers.ts';
import type { CellResult } from '../../../shared/kinds/servers/servers-result.ts';
import type { LevelMeasure } from './level-measures.ts';

/** One cell in two sweeps. */
export type Overlaid = {
  cell: ServersCell;
  earlier: Estimate;
  later: Estimate;
  /** later divided by earlier; the sweeps are independent. */
  change: Estimate;
};

/** What of a cell is compared: HTTPS, or what it adds. */
const readings: Record<LevelMeasure, (result: CellResult) => Estimate | undefined> = {
  throughput: ({ throughput }) => throughput?.https,
  cpu: ({ cpu }) => cpu?.https,
  overhead: ({ cpu }) => cpu?.ratio,
};

/** Cells that both sweeps have measured, in the order of the later one. */
export function overlayCells(
  later: readonly CellResult[],
  earlier: readonly CellResult[],
  measure: LevelMeasure,
): Overlaid[] {
  const before = new Map(earlier.map((result) => [result.cell.id, result]));
  const read = readings[measure];
  return later.flatMap((result) => {
    const found = before.get(result.cell.id);
    const [one, other] = [found && read(found), read(result)];
    return one === undefined || other === undefined
      ? []
      : [{ cell: result.cell, earlier: one, later: other, change: quotientOf(other, one) }];
  });
}

export function hasChanged({ change: { lo, hi } }: Overlaid): boolean {
  return lo > 1 || hi < 1;
}

/** The most changed first, whichever way. */
export function byChange(one: Overlaid, other: Overlaid): number {
  const size = ({ change }: Overlaid) => Math.abs(Math.log(change.center));
  return size(other) - size(one);
}
