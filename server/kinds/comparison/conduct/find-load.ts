import { byArm, namesOf, sidesOfArms } from '../../../../shared/base/arms.ts';
import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { discardedShare } from '../../../base/addresses/burst-length.ts';
import { meanOf } from '../../../method/statistics/mean.ts';
import { burstLengthMs } from '../plan/burst-length.ts';
import {
  chooseLoad,
  type LoadChoice,
  slowerPerS,
  stillFits,
  type Trial,
  type TriedBurst,
  undisturbedPerS,
} from '../plan/choose-load.ts';
import { firstRowOf } from './first-row.ts';
import type { Instruments } from './instruments.ts';

/** Bursts of each side that a number of users is tried with. */
const bursts = 3;
/** Of a number that is tried alone: only whether it uses the server up. */
const firstBursts = 2;
/** A server that takes more is one whose limit lies elsewhere. */
const mostDoublings = 4;
const mostUsers = 512;
/** After this long nothing more is tried: on a starved machine, and of a slow target, a burst takes many times its length. */
const longestMs = 2500;

/**
 * The load that this target is measured at, found with the first launch while it is warmed up: users are doubled from the number
 * that was asked for until they bring no more. Where an earlier run of the same question found one that still fits, that is it: another
 * load would be another question.
 * @param usual of that run; null without one
 */
export async function findLoad<Name extends string>(
  plan: Plan,
  instruments: Instruments<Name>,
  seed: number,
  signal: AbortSignal,
  usual: AtLoad | null,
): Promise<AtLoad> {
  const { cores } = instruments;
  if (usual !== null && plan.permit === undefined) {
    const [trial] = await tryUsers([usual.users], plan, instruments, seed, signal);
    if (stillFits(usual, trial, cores)) return loadOf(plan, usual, trial, cores);
  }
  const most = Math.max(plan.connections, Math.min(mostUsers, plan.connections * 2 ** mostDoublings));
  const untilMs = performance.now() + longestMs;
  const isLate = () => performance.now() > untilMs;
  const [first] = await tryUsers([plan.connections], plan, instruments, seed, signal);
  const trials: [Trial, ...Trial[]] = [first];
  let choice = chosen(plan, trials, cores, most, isLate());
  while (choice.double) {
    const { users } = trials.at(-1) ?? first;
    const pair = await tryUsers([users, 2 * users], plan, instruments, seed + trials.length, signal);
    trials.splice(-1, 1, ...pair);
    choice = chosen(plan, trials, cores, most, isLate());
  }
  const { double: _, ...load } = choice;
  const tried = trials.find(({ users }) => users === load.users) ?? first;
  return loadOf(plan, load, tried, cores);
}

function loadOf(
  plan: Plan,
  { users, ratePerS, reason }: Pick<AtLoad, 'users' | 'ratePerS' | 'reason'>,
  tried: Trial,
  cores: number | null,
): AtLoad {
  const burstMs = burstLengthMs(plan, { users, ratePerS, perS: undisturbedPerS(tried) });
  return { users, ratePerS, reason, burstMs, cores };
}

/** Another host’s requests are paced, whatever its users would do: where they are, that is its rate. */
function chosen(
  plan: Plan,
  trials: readonly [Trial, ...Trial[]],
  cores: number | null,
  most: number,
  isLate: boolean,
): LoadChoice {
  if (plan.permit === undefined) return chooseLoad(trials, cores, most, isLate);
  const ratePerS = Number(slowerPerS(trials[0]).toPrecision(2));
  return { double: false, users: trials[0].users, ratePerS, reason: 'permit' };
}

/** Numbers of users in turn, so that a target that is still getting faster is so for all of them. */
async function tryUsers<Name extends string>(
  numbers: readonly number[],
  plan: Plan,
  instruments: Instruments<Name>,
  seed: number,
  signal: AbortSignal,
): Promise<[Trial, ...Trial[]]> {
  const { generator, readings } = instruments;
  const [arms, sides] = [namesOf(instruments.arms), sidesOfArms(instruments.arms)];
  const spent = numbers.map(() => byArm(sides, nothing));
  for (const users of numbers) {
    for (const arm of arms) await generator.prepare(arm, false, users);
  }
  for (let nth = 0; nth < (numbers.length > 1 ? bursts : firstBursts); nth++) {
    for (const [place, users] of numbers.entries()) {
      // A twin as well: a process that had fewer requests would be the colder one.
      for (const arm of arms) {
        signal.throwIfAborted();
        const before = await readings.readCpu();
        const burst = await generator.burst(arm, {
          ...{ durationMs: plan.burstMs, discardMs: plan.burstMs * discardedShare, ratePerS: null, users },
          firstRow: firstRowOf(seed, nth),
        });
        const after = await readings.readCpu();
        const used = before === null || after === null ? null : after[arm] - before[arm];
        if (!sides.includes(arm)) continue;
        const elapsedUs = Math.max(1, burst.elapsedUs);
        spent[place]?.[arm].push({
          perS: (burst.transactionsInWindow / burst.windowUs) * 1e6,
          busyCores: used === null ? null : used / elapsedUs,
          generatorShare: burst.busiestUs / elapsedUs,
        });
      }
    }
  }
  return numbers.map((users, place) => trialOf(users, Object.values<Spent>(spent[place] ?? {}))) as [
    Trial,
    ...Trial[],
  ];
}

type Spent = (TriedBurst & { generatorShare: number })[];

const nothing = (): Spent => [];

function trialOf(users: number, spent: Spent[]): Trial {
  return {
    users,
    bursts: spent,
    generatorShare: Math.max(
      ...spent.map((side) => meanOf(side.map(({ generatorShare }) => generatorShare))),
    ),
  };
}
