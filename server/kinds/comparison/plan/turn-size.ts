import { printQuantity, scaleFor } from '../../../../shared/base/quantity.ts';

/** The scheduler counts in ns, so a few are enough where a reading costs next to nothing. */
export const usualTransactions = 5;
/** So long that reading at its edges takes little of it, whatever it holds. */
const longEnoughUs = 60_000;
/** With 100 instead of 5, the same time gave intervals five times as wide: the machine changes between two arms. */
const mostTransactions = 200;
/** Of a turn of which a counter needs more work: all arms have to fit into an epoch. */
const longestTurnUs = 2e6;
/** Of the time, at most. */
const readingShare = 0.2;
/** Of the CPU of a turn, at most. */
const stepShare = 0.01;
/** Of it what reading costs the target may be more, as that is known and subtracted. */
const readingCpuShare = 0.1;

/** Transactions of a turn that need not be more, by how long one takes. */
export function fewestTransactions(transactionUs: number): number {
  return Math.max(1, Math.min(usualTransactions, Math.floor(longEnoughUs / Math.max(1, transactionUs))));
}

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
  return Math.min(mostTransactions, Math.max(fewestTransactions(transactionUs), wanted));
}

/** What a counter of CPU can tell. */
type Grain = {
  /** It moves by this at least; null while it has not moved. */
  stepUs: number | null;
  /** A reading costs the target itself so much. */
  readingCpuUs: number;
};

/**
 * Transactions that a turn needs for its CPU to be told from a step of the counter, or the reason why no turn is long enough,
 * in a sentence.
 * @param cpuUs of the target, for a transaction of the cheapest arm
 * @param transactionUs from one to the next, at the rate that is permitted
 */
export function turnForGrain(
  { stepUs, readingCpuUs }: Grain,
  cpuUs: number,
  transactionUs: number,
): { transactions: number } | { refused: string } {
  const most = Math.max(
    1,
    Math.min(mostTransactions, Math.floor(longestTurnUs / Math.max(1, transactionUs))),
  );
  if (stepUs === null || cpuUs <= 0) {
    return {
      refused:
        'Not measured: the exporter’s CPU counter did not move during the warm-up. Either its steps are too coarse for requests that cost so little, or the exporter reads it every few seconds only, as cAdvisor does. Use an agent.',
    };
  }
  const print = (us: number) => printQuantity(us, scaleFor('us', [us]));
  const used = `the longest turn of a side, ${most} transactions, uses ${print(most * cpuUs)}`;
  if (stepUs > most * cpuUs * stepShare) {
    return {
      refused: `Not measured: the exporter’s CPU counter moves in steps of ${print(stepUs)}, and ${used}. A step may be 1 % of that at most. Use an agent, or requests that cost more CPU.`,
    };
  }
  if (readingCpuUs > most * cpuUs * readingCpuShare) {
    return {
      refused: `Not measured: each reading of the exporter costs the target ${print(readingCpuUs)} of CPU itself, and ${used}. Use an agent, or requests that cost more CPU.`,
    };
  }
  const leastUs = Math.max(stepUs / stepShare, readingCpuUs / readingCpuShare);
  return { transactions: Math.max(1, Math.ceil(leastUs / cpuUs)) };
}
