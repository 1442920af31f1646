import { capitalized } from '../base/capitalized.ts';
import { printDayOfYear } from '../base/moment.ts';
import { printNumber } from '../base/quantity.ts';
import { labelsOf } from '../base/transport.ts';
import {
  type AtLoad,
  type LoadChoice,
  type LongerTurnReason,
  loadInWords,
} from '../kinds/comparison/at-load.ts';
import type { OperatingPoint } from '../kinds/comparison/load-profile.ts';
import type { RunDocument } from '../kinds/comparison/run.ts';

/** The load that cost was read at, in words: on the page, in reports, and in Markdown. */

type Measured = Pick<RunDocument, 'sides' | 'fairness'>;

/** Sentences about the users, how their number was chosen, their turns, and how busy they kept each side. */
export function describeLoad(load: AtLoad, run?: Measured): string[] {
  const { users, ratePerS, burstMs, longerFor, chosen } = load;
  const turn = `${users === 1 ? 'It loads' : 'They load'} one side for ${printNumber(burstMs, 0)} ms, then the next, in random order.`;
  const busy = run === undefined ? null : busyCoresInWords(run);
  return [
    `${printUsers(users)}: ${choices[chosen]}.`,
    ...(longerFor === undefined
      ? [turn]
      : [turn, `Turns are longer than 20 ms because ${longer[longerFor]}.`]),
    ratePerS === null
      ? 'Each user starts its next transaction as soon as the last one ends.'
      : `Each side gets ${printNumber(ratePerS, 0)} transactions/s.`,
    ...(busy === null ? [] : [`Busy cores of the server: ${busy}.`]),
  ];
}

const choices: Record<LoadChoice, string> = {
  asked: 'the number that was asked for',
  fixed: 'a fixed number, because none is searched for on a permitted host, over a link, or with think times',
  known: 'the number that an earlier run of this question found on this machine',
  found: 'doubled until adding users no longer helped, then doubled once more',
  most_served: 'the largest number whose connections the server answers at the same time',
  last_tried: 'the largest number tried; more users would still have helped',
};

const longer: Record<LongerTurnReason, string> = {
  transactions: 'each user completes at least three transactions per turn',
  think_times: 'each user pauses between requests',
  generator_hosts: 'the hosts that generate the load answer late',
  readings: 'reading the CPU of the target takes long',
  ticks: 'the CPU of the target is known only in steps of 10 ms',
  settling: 'both sides share processes, which must be idle before the other side’s turn',
  quota: 'the target has a CPU quota, which counts in periods',
  programs: 'several programs work for a request, and each has to be woken for the first ones of a turn',
};

/** `The load changed: 16 users instead of the 8 in use since 24 Nov.`; empty where it did not. */
export function changesOfLoad({ users, instead }: Pick<AtLoad, 'users' | 'instead'>): string[] {
  if (instead === undefined) return [];
  const since = printDayOfYear(instead.at);
  return [
    users === instead.users
      ? `The load changed: still ${printUsers(users)}, but the server uses a different number of cores than on ${since}.`
      : `The load changed: ${printUsers(users)} instead of the ${printNumber(instead.users, 0)} in use since ${since}.`,
  ];
}

/** `8 users`. */
export function printUsers(users: number): string {
  return users === 1 ? '1 user' : `${printNumber(users, 0)} users`;
}

/** `HTTP 0.97 cores, HTTPS 0.98`; null where the CPU of a side is not known. */
export function busyCoresInWords({ sides, fairness }: Measured): string | null {
  const labels = labelsOf(sides);
  const [baseline, comparison] = [fairness?.baseline, fairness?.comparison].map(
    (side) => side?.targetCpuPercent.maximum ?? null,
  );
  if (baseline == null || comparison == null) return null;
  const cores = (percent: number) => printNumber(percent / 100, 2);
  return `${labels.baseline} ${cores(baseline)} cores, ${labels.comparison} ${cores(comparison)}`;
}

/** The load at which a block was measured. */
export const pointInWords: Record<OperatingPoint, string> = {
  lockstep: 'for a lone user',
  maximum: 'at load',
  steady: 'in open load',
};

/** `0.97 of 1 core`; `0.97 cores` where their number is not known. */
export function printCores(percentOfCore: number, cores: number | null): string {
  const used = printNumber(percentOfCore / 100, 2);
  if (cores === null) return `${used} cores`;
  return `${used} of ${printNumber(cores, 0)} ${cores === 1 ? 'core' : 'cores'}`;
}

/** `At load, 8 users`; `At 2,000 transactions/s, 8 users` where a permitted host allows no more. */
export function titleOfLoad(load: AtLoad | null): string {
  const title = capitalized(loadInWords(load));
  return load === null ? title : `${title}, ${printUsers(load.users)}`;
}
