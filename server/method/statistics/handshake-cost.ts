import { mapEstimate } from '../../../shared/base/map-estimate.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import type { HandshakesDocument, MeasuredCell } from '../../../shared/kinds/handshakes/handshakes.ts';
import { atLeastZero, exactly, product, scaled, shareOf, sum } from './estimates.ts';

type Grid = Pick<HandshakesDocument, 'baseline' | 'plain'>;

/**
 * Server CPU of one connection of a cell, in microseconds: the lab's cost of both ends, less the runtime's own share, times
 * the server's part of it as measured with the ends in two processes. Null where a piece was not measured.
 */
export function serverCost(grid: Grid, cell: MeasuredCell): Estimate | null {
  const both = tlsCost(grid, cell);
  return both === null ? null : product(both, serverShare(grid, cell));
}

/** Of both ends, without the runtime's share. The interval is that of the ratio to the baseline. */
function tlsCost({ baseline, plain }: Grid, { cell, ratio }: MeasuredCell): Estimate | null {
  const runtime = plain.find(({ bytes }) => bytes === cell.bytes);
  if (baseline === null || ratio === null || runtime === undefined) return null;
  return mapEstimate(ratio, (times) => Math.max(0, times * baseline.cpuUs.median - runtime.cpuUs.median));
}

/** Between 0 and 1. One half where the ends were not measured apart. */
function serverShare({ plain }: Grid, { cell, ends }: MeasuredCell): Estimate {
  const runtime = plain.find(({ bytes }) => bytes === cell.bytes)?.ends ?? null;
  if (ends === null || runtime === null) return exactly(0.5);
  const of = (end: 'serverCpuUs' | 'clientCpuUs') => atLeastZero(sum([ends[end], scaled(runtime[end], -1)]));
  return shareOf(of('serverCpuUs'), of('clientCpuUs'));
}

/**
 * Microseconds of the server for one byte in either direction, from two cells that differ in their payload alone. Each byte
 * is encrypted by one end and decrypted by the other, so half of what it costs in the lab is the server's.
 */
export function byteCost(grid: Grid, few: MeasuredCell, many: MeasuredCell): Estimate | null {
  const [least, most] = [tlsCost(grid, few), tlsCost(grid, many)];
  if (least === null || most === null) return null;
  // So many bytes each way, each handled by both ends.
  const handled = 2 * (many.cell.bytes - few.cell.bytes) * 2;
  const spread = Math.hypot(most.hi - most.center, least.center - least.lo);
  const center = Math.max(0, most.center - least.center);
  return scaled({ center, lo: Math.max(0, center - spread), hi: center + spread }, 1 / handled);
}
