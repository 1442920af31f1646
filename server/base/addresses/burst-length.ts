/** Transactions per user in a burst. With fewer, its edges dominate the result. */
const transactionsOfUser = 4;

/** Transactions of each user in a turn at load. Fewer leave the edges of the turn in charge. */
export const transactionsOfTurn = 3;

/** Largest share of the time that generator hosts may wait for orders and answers. */
export const mostIdleShare = 0.1;

/** Share at the start of a burst that does not count for throughput, because not all users are under way yet. */
export const discardedShare = 0.15;

/**
 * How long all users stay on one arm, ms: as long as four transactions of each take, within limits. Transactions that are longer than
 * that end after the burst, and count with their part inside it.
 * @param perS transactions per second of all users, on the slower side; 0 where none ended
 */
export function burstLength(
  { users, perS }: { users: number; perS: number },
  shortestMs: number,
  longestMs: number,
): number {
  const wanted = perS > 0 ? (transactionsOfUser * users * 1000) / perS : Number.POSITIVE_INFINITY;
  return Math.round(Math.min(longestMs, Math.max(shortestMs, wanted)));
}
