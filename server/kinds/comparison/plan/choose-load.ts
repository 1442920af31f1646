import type { RateReason } from '../../../../shared/at-load.ts';
import { type BySide, sideNames } from '../../../../shared/transport.ts';
import { meanOf, sumOf } from '../../../statistics/mean.ts';

/** What a number of users came to, each as fast as it could. */
export type Trial = {
  users: number;
  /** Transactions per second, over all bursts and of each. */
  perS: BySide<number>;
  bursts: BySide<readonly number[]>;
  /** Cores that the target used; null where its CPU is not known. */
  busyCores: BySide<number | null>;
  /** Of a core, by the busiest process of the generator. */
  generatorShare: number;
};

/** `double`: try twice the users. Else the load to measure at. */
export type LoadChoice =
  | { double: true }
  | { double: false; users: number; ratePerS: number | null; reason: RateReason | null };

/** Of its cores: a server that uses as much is the limit itself. */
const saturated = 0.9;
const busiestGenerator = 0.8;
/** Twice the users that bring less are no longer what is missing. */
const leastRise = 0.05;
/** Standard errors. */
const certain = 2.5;
/** Busy shares of both sides may differ by this much and still be one load. */
const likeBusy = 0.1;
/** Of what the slower side manages: near its maximum the length of a queue is chance. */
const shareOfSlower = 0.75;

/**
 * The load at which both sides are compared: as fast as they can where the server is the limit on both and about as busy, else
 * one arrival rate that both reach.
 * @param trials with doubling numbers of users, oldest first; those before the last one measured again beside it
 * @param cores that the target may run on; null where that is not known
 * @param mostUsers that there may be
 */
export function chooseLoad(
  trials: readonly [Trial, ...Trial[]],
  cores: number | null,
  mostUsers: number,
): LoadChoice {
  const last = trials.at(-1) ?? trials[0];
  const before = trials.at(-2);
  const full = (of: Trial): LoadChoice =>
    isLike(of, cores)
      ? { double: false, users: of.users, ratePerS: null, reason: null }
      : atRate(of, 'server');
  if (sharesOf(last, cores).every((share) => share !== null && share >= saturated)) return full(last);
  if (before !== undefined && !rises(before, last)) return full(before);
  if (last.generatorShare > busiestGenerator) return atRate(last, 'generator');
  if (2 * last.users > mostUsers) return atRate(last, 'server');
  return { double: true };
}

function atRate({ users, perS }: Trial, reason: RateReason): LoadChoice {
  const rate = shareOfSlower * Math.min(perS.baseline, perS.comparison);
  return { double: false, users, ratePerS: Math.max(1, Number(rate.toPrecision(2))), reason };
}

/**
 * Over the bursts of both sides together, which were measured in turn with those before: by enough, and by more than chance. On a busy
 * machine a rise of a few percent may be nothing, and other users every time would be another question every time.
 */
function rises(before: Trial, last: Trial): boolean {
  const logs = sideNames
    .flatMap((side) => last.bursts[side].map((perS, nth) => Math.log(perS / (before.bursts[side][nth] ?? perS))))
    .filter(Number.isFinite);
  if (logs.length < 2) return false;
  const mean = meanOf(logs);
  const error = Math.sqrt(sumOf(logs.map((log) => (log - mean) ** 2)) / (logs.length - 1) / logs.length);
  return mean >= Math.log(1 + leastRise) && mean > certain * error;
}

function sharesOf({ busyCores }: Trial, cores: number | null): (number | null)[] {
  return sideNames.map((side) => {
    const busy = busyCores[side];
    return cores === null || busy === null ? null : busy / cores;
  });
}

/** Where nothing is known of the cores, nothing speaks against it. */
function isLike(trial: Trial, cores: number | null): boolean {
  const [baseline = null, comparison = null] = sharesOf(trial, cores);
  return baseline === null || comparison === null || Math.abs(baseline - comparison) <= likeBusy;
}
