import { problem } from '../../../../shared/base/problem.ts';
import { printNumber } from '../../../../shared/base/quantity.ts';

/**
 * Transactions per second offered to all arms in open load: half of what the slowest one managed, so that
 * neither queues, in two significant digits.
 */
export function steadyRate(capacities: readonly number[]): number {
  const half = Math.min(...capacities) / 2;
  return Math.max(1, Number(half.toPrecision(2)));
}

/** A rate near the maximum makes queues, whose length is chance. */
const highestUtilisation = 0.9;

/** The rate that was asked for, where all arms can bear it; else the steady one. Throws rate_too_high. */
/** @param capacities of the sides */
export function rateFor(asked: number | null, capacities: readonly number[]): number {
  if (asked === null) return steadyRate(capacities);
  const slower = Math.min(...capacities);
  if (asked <= highestUtilisation * slower) return asked;
  throw problem(
    'rate_too_high',
    `A rate of ${printNumber(asked, 0)} transactions per second is above 90 % of the ${printNumber(slower, 0)} that the slower side can handle.`,
  );
}
