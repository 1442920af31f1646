import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { burstLength } from '../../../base/addresses/burst-length.ts';

/** A pause of a user in a transaction leaves it idle: a burst has to hold several. */
const thinkTimes = 5;

/** Share of the time that generator hosts may wait for orders and answers. */
export const mostIdleShare = 0.1;
/** Longer bursts would leave too few rounds. A warning gives the share then. */
const longestOverHostsMs = 6000;

/**
 * Makes bursts long enough that generator hosts wait at most a tenth of the time.
 * @param idleUs that they wait per burst
 */
export function burstOverHosts(burstMs: number, idleUs: number): number {
  const neededMs = Math.ceil((idleUs / 1000) * ((1 - mostIdleShare) / mostIdleShare));
  return Math.max(burstMs, Math.min(longestOverHostsMs, neededMs));
}

/**
 * How long all users stay on one arm, ms: the plan's time, or as long as four transactions of each take, but never so long that a
 * block would not hold a round. Transactions that are longer than that end after the burst, and count with their part inside it.
 * @param perS transactions per second of all users, on the slower side; 0 where none ended
 */
export function burstLengthMs(
  {
    arms,
    burstMs,
    maximumMs,
    thinkMs,
  }: Pick<Plan, 'burstMs' | 'maximumMs' | 'thinkMs'> & { arms: readonly unknown[] },
  { users, ratePerS, perS }: Pick<AtLoad, 'users' | 'ratePerS'> & { perS: number },
): number {
  const longest = Math.max(burstMs, maximumMs / arms.length);
  return burstLength({ users, perS: ratePerS ?? perS }, Math.max(burstMs, thinkTimes * thinkMs), longest);
}
