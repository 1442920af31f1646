/** The scheduler counts in ns, so a few are enough where a reading costs next to nothing. */
export const fewestTransactions = 5;
/** With 100 instead of 5, the same time gave intervals five times as wide: the machine changes between two arms. */
const mostTransactions = 200;
/** Of the time, at most. */
const readingShare = 0.2;

/**
 * Transactions of a turn where the target's CPU is read between turns over a network: so many that reading does not cost more
 * than it measures.
 * @param readingUs one reading
 * @param readEveryUs how often the target may be read
 * @param transactionUs one transaction of the fastest arm
 */
export function turnSize(
  { readingUs, readEveryUs }: { readingUs: number; readEveryUs: number },
  transactionUs: number,
): number {
  const turnUs = Math.max((readingUs * (1 - readingShare)) / readingShare, readEveryUs - readingUs);
  const wanted = Math.ceil(turnUs / Math.max(1, transactionUs));
  return Math.min(mostTransactions, Math.max(fewestTransactions, wanted));
}
