import { capitalized } from '../base/capitalized.ts';
import { printNumber } from '../base/quantity.ts';
import { type AtLoad, loadInWords, type RateReason } from '../kinds/comparison/at-load.ts';
import type { OperatingPoint } from '../kinds/comparison/load-profile.ts';

/** How the load that cost was read at is said, on the page and in Markdown. */

/** In sentences: how it was produced, and where it is a rate, why. */
export function describeLoad({ users, ratePerS, reason, burstMs }: AtLoad): string[] {
  const who = users === 1 ? 'One user loads' : `All ${printNumber(users, 0)} users load`;
  const bursts = `${who} one side for ${printNumber(burstMs, 0)} ms, then the next, in random order.`;
  if (ratePerS === null) {
    return [bursts, 'Each user starts its next transaction as soon as the last one ends.'];
  }
  const rate = `Both sides get ${printNumber(ratePerS, 0)} transactions/s`;
  return [bursts, `${rate}${reason === null ? '' : `, because ${reasons[reason]}`}.`];
}

const reasons: Record<RateReason, string> = {
  generator: 'the load generator cannot keep the server busy',
  server: 'the server was not the limit on both sides to the same degree',
  permit: 'the owner of the host allows no more',
};

/** Where a block was measured. */
export const pointInWords: Record<OperatingPoint, string> = {
  lockstep: 'for a lone user',
  maximum: 'at load',
  steady: 'in open load',
};

/** `0.97 of 1 core`; of how many is left out where that is not known. */
export function printCores(percentOfCore: number, cores: number | null): string {
  const used = printNumber(percentOfCore / 100, 2);
  if (cores === null) return `${used} cores`;
  return `${used} of ${printNumber(cores, 0)} ${cores === 1 ? 'core' : 'cores'}`;
}

/** `server 31 % busy`. */
export function busyInWords(percentOfCore: number, cores: number): string {
  return `server ${printNumber(percentOfCore / cores, 0)} % busy`;
}

/** `At load`; `At 2,000 transactions/s, server 31 % busy` where it was a rate. */
export function titleOfLoad(load: AtLoad | null, percentOfCore: number | null): string {
  const words = loadInWords(load);
  const title = capitalized(words);
  if (load === null || load.ratePerS === null || load.cores === null || percentOfCore === null) return title;
  return `${title}, ${busyInWords(percentOfCore, load.cores)}`;
}
