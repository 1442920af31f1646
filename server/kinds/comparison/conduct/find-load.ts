import { byArm, namesOf, sidesOfArms } from '../../../../shared/base/arms.ts';
import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import { usualUsers } from '../../../../shared/measurement/load-options.ts';
import { discardedShare } from '../../../base/addresses/burst-length.ts';
import { gainOf } from '../../../targets/sampling/readings.ts';
import { watchMachine } from '../../../targets/sampling/watch-machine.ts';
import type { StoredLoad } from '../../house.ts';
import { burstLengthMs } from '../plan/burst-length.ts';
import { bringsMuch, chooseLoad, type LoadChoice, stillFits } from '../plan/choose-load.ts';
import { burstsOfLook } from '../plan/plan-duration.ts';
import {
  isSlow,
  joinLooks,
  slowerPerS,
  type Trial,
  type TriedBurst,
  undisturbedPerS,
} from '../plan/trial.ts';
import { firstRowOf } from './first-row.ts';
import type { LoadInstruments, LoadPlan } from './instruments.ts';

/** A look that takes longer ends with the round under way: of a slow target, and on a starved machine. */
const longestLookMs = 1500;
/** A server that takes more is one whose limit lies elsewhere. */
const mostDoublings = 4;
const mostUsers = 512;
/** After this long nothing more is tried: of bursts of 50 ms it is three doublings, with half a second to spare. */
const longestMs = 3000;
/** What an earlier run was measured at is left when it does not fit as often in a row. */
const mostMisfits = 2;

/** Looks at numbers of users in turn, so that a target that is still getting faster is so for all of them. */
type Look = (...numbers: [number, ...number[]]) => Promise<[Trial, ...Trial[]]>;

/**
 * The load that this target is measured at, found with the first launch while it is warmed up: users are doubled from the number
 * that was asked for until they bring no more. Where an earlier run of the same question found one, that is it, unless it certainly
 * no longer fits: another load would be another question.
 * @param usual of that run; null without one
 */
export async function findLoad<Name extends string>(
  plan: LoadPlan,
  instruments: LoadInstruments<Name>,
  seed: number,
  signal: AbortSignal,
  usual: StoredLoad | null,
): Promise<AtLoad> {
  const { cores } = instruments;
  let looks = 0;
  const look: Look = (...numbers) => tryUsers(numbers, plan, instruments, seed + looks++, signal);
  if (usual !== null && plan.permit === undefined && plan.users === null) {
    const trial = await lookAgain(usual, look, cores);
    const { users, sides } = usual;
    if (trial !== null)
      return { ...loadOf(plan, { users, ratePerS: null }, trial, cores), chosen: 'known', sides };
  }
  return searchLoad(plan, look, cores);
}

/** What the load of an earlier run comes to; null where it no longer fits, which was seen twice. */
async function lookAgain(usual: StoredLoad, look: Look, cores: number | null): Promise<Trial | null> {
  const { users } = usual;
  for (let misfits = 0; misfits < mostMisfits; misfits++) {
    const [trial] = await look(users);
    let fits = stillFits({ ratePerS: null }, trial, cores);
    if (fits === null) {
      const [same, twice = same] = await look(users, 2 * users);
      fits = !bringsMuch(same, twice);
    }
    if (fits) return trial;
    if (isSlow(trial)) return null;
  }
  return null;
}

async function searchLoad(plan: LoadPlan, look: Look, cores: number | null): Promise<AtLoad> {
  const least = plan.users ?? usualUsers;
  const most = plan.users ?? Math.min(mostUsers, least * 2 ** mostDoublings);
  const untilMs = performance.now() + longestMs;
  const [first] = await look(least);
  const trials: [Trial, ...Trial[]] = [first];
  let isLate = performance.now() > untilMs;
  let choice = chosen(plan, trials, cores, most, isLate);
  while (choice.double) {
    const { users } = trials.at(-1) ?? first;
    trials.splice(-1, 1, ...(await look(users, 2 * users)));
    isLate = performance.now() > untilMs;
    choice = chosen(plan, trials, cores, most, isLate);
  }
  const { users } = choice;
  const tried = trials.find((trial) => trial.users === users) ?? first;
  const isSure = choice.ratePerS === null || plan.permit !== undefined || 2 * users > most || isSlow(tried);
  if (isSure) return loadOf(plan, choice, tried, cores);
  // One rate is another question than the server's limit: not for one disturbed moment.
  const [other] = await look(users);
  const joined = joinLooks(tried, other);
  const again = chosen(plan, [joined], cores, users, isLate);
  return loadOf(plan, again.double ? choice : again, joined, cores);
}

function loadOf(
  plan: LoadPlan,
  { users, ...choice }: Pick<AtLoad, 'users' | 'ratePerS'>,
  tried: Trial,
  cores: number | null,
): AtLoad {
  const ratePerS = plan.permit === undefined ? null : choice.ratePerS;
  const burstMs = burstLengthMs(plan, { users, ratePerS, perS: undisturbedPerS(tried) });
  const chosen = plan.permit !== undefined ? 'fixed' : plan.users === null ? 'found' : 'asked';
  const side = { busyCores: null, cpuUs: null };
  return { users, ratePerS, burstMs, cores, chosen, sides: { baseline: side, comparison: side } };
}

/** Another host’s requests are paced, whatever its users would do: where they are, that is its rate. */
function chosen(
  plan: LoadPlan,
  trials: readonly [Trial, ...Trial[]],
  cores: number | null,
  most: number,
  isLate = false,
): LoadChoice {
  if (plan.permit === undefined) return chooseLoad(trials, cores, most, isLate);
  const ratePerS = Number(slowerPerS(trials[0]).toPrecision(2));
  return { double: false, users: trials[0].users, ratePerS, reason: null };
}

async function tryUsers<Name extends string>(
  numbers: readonly number[],
  plan: LoadPlan,
  instruments: LoadInstruments<Name>,
  seed: number,
  signal: AbortSignal,
): Promise<[Trial, ...Trial[]]> {
  const { generator, readings } = instruments;
  const [arms, sides] = [namesOf(instruments.arms), sidesOfArms(instruments.arms)];
  const spent = numbers.map(() => byArm(sides, nothing));
  let generatorUs = 0;
  for (const users of numbers) {
    for (const arm of arms) await generator.prepare(arm, false, users);
  }
  const machineSince = watchMachine(instruments);
  const first = await readings.readCpu();
  let last = first;
  const untilMs = performance.now() + longestLookMs;
  for (let nth = 0; nth === 0 || (nth < burstsOfLook && performance.now() < untilMs); nth++) {
    for (const [place, users] of numbers.entries()) {
      // A twin as well: a process that had fewer requests would be the colder one.
      for (const arm of arms) {
        signal.throwIfAborted();
        const before = last;
        const burst = await generator.burst(arm, {
          ...{ durationMs: plan.burstMs, discardMs: plan.burstMs * discardedShare, ratePerS: null, users },
          firstRow: firstRowOf(seed, nth),
        });
        last = await readings.readCpu();
        generatorUs += burst.cpuUs;
        const used = gainOf(before, last)?.[arm] ?? null;
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
  const all = gainOf(first, last);
  const { stealRatio, foreignRatio } = machineSince(all === null ? null : readings.sum(all), generatorUs);
  const othersShare = stealRatio === null || foreignRatio === null ? null : stealRatio + foreignRatio;
  const trials = numbers.map(
    (users, place): Trial => ({
      ...{ users, othersShare },
      bursts: Object.values<TriedBurst[]>(spent[place] ?? {}),
    }),
  );
  return trials as [Trial, ...Trial[]];
}

const nothing = (): TriedBurst[] => [];
