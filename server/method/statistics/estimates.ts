import { exactly, mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type { AddedDelay } from '../../../shared/kinds/comparison/link.ts';
import type { HandshakesDocument, MeasuredCell } from '../../../shared/kinds/handshakes/handshakes.ts';
import { median, quantileOfSorted, toSorted } from './intervals.ts';

export function scaled({ center, lo, hi }: Estimate, factor: number): Estimate {
  const [a, b] = [lo * factor, hi * factor];
  return { center: center * factor, lo: Math.min(a, b), hi: Math.max(a, b) };
}

/** Each side of the interval by itself, as intervals need not be symmetric. */
export function sum(parts: readonly Estimate[]): Estimate {
  const center = parts.reduce((total, part) => total + part.center, 0);
  const below = Math.hypot(...parts.map((part) => part.center - part.lo));
  const above = Math.hypot(...parts.map((part) => part.hi - part.center));
  return { center, lo: center - below, hi: center + above };
}

/** Product of two independent factors, neither negative, to the first order. */
function product(one: Estimate, other: Estimate): Estimate {
  const center = one.center * other.center;
  const below = Math.hypot((one.center - one.lo) * other.center, (other.center - other.lo) * one.center);
  const above = Math.hypot((one.hi - one.center) * other.center, (other.hi - other.center) * one.center);
  return { center, lo: Math.max(0, center - below), hi: center + above };
}

/**
 * Share of one in the sum of two, neither negative, to the first order: d share = (other · d one − one · d other) ÷ (one + other)².
 * One half if both are zero.
 */
function shareOf(one: Estimate, other: Estimate): Estimate {
  const both = one.center + other.center;
  if (both === 0) return exactly(0.5);
  const center = one.center / both;
  const below = Math.hypot((one.center - one.lo) * other.center, (other.hi - other.center) * one.center);
  const above = Math.hypot((one.hi - one.center) * other.center, (other.center - other.lo) * one.center);
  return {
    center,
    lo: Math.max(0, center - below / both ** 2),
    hi: Math.min(1, center + above / both ** 2),
  };
}

/** The time of one from how many there are in a second, or the other way round: `unit` divided by the estimate. */
export function inverse({ center, lo, hi }: Estimate, unit: number): Estimate {
  return { center: unit / center, lo: unit / hi, hi: unit / lo };
}

/** Cuts off the negative part of a quantity that cannot be negative. */
export function atLeastZero({ center, lo, hi }: Estimate): Estimate {
  return { center: Math.max(0, center), lo: Math.max(0, lo), hi: Math.max(0, hi) };
}

type Grid = Pick<HandshakesDocument, 'baseline' | 'plain'>;

/**
 * Server CPU of one connection of a cell, in microseconds: the lab's cost of both ends, less the runtime's own share, times
 * the server's part of it as measured with the ends in two processes. Null where a piece was not measured.
 */
export function serverCost(grid: Grid, cell: MeasuredCell): Estimate | null {
  const both = tlsCost(grid, cell);
  return both === null ? null : product(both, serverShare(grid, cell));
}

/** TLS cost of both ends, without the runtime's share. The interval is that of the ratio to the baseline. */
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
  // The difference in bytes goes each way, and both ends handle it.
  const handled = 2 * (many.cell.bytes - few.cell.bytes) * 2;
  const spread = Math.hypot(most.hi - most.center, least.center - least.lo);
  const center = Math.max(0, most.center - least.center);
  return scaled({ center, lo: Math.max(0, center - spread), hi: center + spread }, 1 / handled);
}

/**
 * Delay that a relay added to each ping through it: its round trip less the median of those past it, which is the machine's own.
 * @param straight round trips past the relay, ms
 * @param relayed round trips through it, ms
 */
export function addedMs(straight: readonly number[], relayed: readonly number[]): number[] {
  if (straight.length === 0) return [];
  const own = median(straight);
  return relayed.map((ms) => ms - own);
}

/** Null without a ping. */
export function summariseAdded(added: readonly number[]): AddedDelay | null {
  if (added.length === 0) return null;
  const sorted = toSorted(added);
  const of = (share: number) => quantileOfSorted(sorted, share);
  return { pings: added.length, median: of(0.5), p5: of(0.05), p95: of(0.95) };
}
