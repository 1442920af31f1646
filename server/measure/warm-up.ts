import { byArm, namesOf, sidesOfArms } from '../../shared/base/arms.ts';
import { type BySide, sideNames } from '../../shared/base/transport.ts';
import type { AtLoad } from '../../shared/kinds/comparison/at-load.ts';
import type { Launch } from '../../shared/kinds/comparison/run.ts';
import { usualUsers } from '../../shared/measurement/load-options.ts';
import type { Scenario } from '../../shared/scenario/scenario.ts';
import { meanOf, sumOf } from '../method/statistics/mean.ts';
import { problemOfSide } from '../targets/preflight/target-parts.ts';
import type { LoadBench, LoadPlan } from './bench.ts';
import { seekPrograms, startSeeking } from './found-programs.ts';
import { lockstep } from './lockstep.ts';
import { firstRowOf, perSOf, type Round, rounds, seedOf, slotOf, type Turn } from './rounds.ts';
import { fitTurns, turnLength } from './turn-length.ts';

/** The load that an earlier run of the same question found. */
export type KnownLoad = Pick<AtLoad, 'users' | 'sides'> & { at: number };

type WarmingUp<Name extends string> = {
  scenario: Scenario;
  plan: LoadPlan;
  labels: Record<Name, string>;
  startedAtMs: number;
  /** Null until the first launch is warm. */
  load: AtLoad | null;
  known: KnownLoad | null;
  /** Progress of the launch's warm-up; null outside it. */
  warmUp: { requests: number } | null;
  /** Time after the end of a turn until its last transaction has ended, ms. */
  transactionMs: number;
  enter(phase: 'finding the load'): Promise<void>;
  setLoad(load: AtLoad): Promise<void>;
};

/** Time in lockstep, if turns must be fitted to the readings of the target. */
const fittingMs = 800;

/**
 * Warms up the target's just-in-time compilers, caches and pools, and keeps no data. A server that compiles is warm after a fixed number
 * of transactions on every arm, any other once its last second is no cheaper than the one before. The first launch also finds the load.
 */
export async function warmUp<Name extends string>(
  run: WarmingUp<Name>,
  bench: LoadBench<Name>,
  seed: number,
  signal: AbortSignal,
): Promise<Launch['warmUp']> {
  const { plan, scenario } = run;
  const [arms, sides] = [namesOf(bench.arms), sidesOfArms(bench.arms)];
  const fromMs = performance.now();
  const users = run.load?.users ?? run.known?.users ?? plan.users ?? usualUsers;
  for (const arm of arms) await bench.generator.prepare(arm, false, users);
  const burstMs = run.load?.burstMs ?? turnLength(plan, bench, users).burstMs;
  const turns = arms.map((arm): Turn<Name> => ({ arm, users, burstMs }));
  const seen: Round<Name>[] = [];
  const { transactions, longestMs } = plan.warmUp;
  const isParallel = transactions !== null && bench.hosts === undefined;
  const compiled = isParallel ? await compile(run, bench, { users, seed, transactions }, signal) : 0;
  const served = () => Math.min(...arms.map((arm) => transactionsOf(seen, arm)));
  const isWarm = () => (transactions === null ? noLongerFalls(seen, sides) : served() >= transactions);
  const ms = isParallel ? turnsOnceCompiledMs : longestMs;
  const nobodyEvery = (await startSeeking(bench)) ? 1 : undefined;
  for await (const round of rounds(bench, () => turns, { seed, ms, signal, nobodyEvery })) {
    seen.push(round);
    run.warmUp = { requests: (compiled + transactionsOf(seen, sides[0] as Name)) * scenario.steps.length };
    const shortestMs = Math.min(...seen.map(({ elapsedMs, nobody }) => elapsedMs - (nobody?.ms ?? 0)));
    run.transactionMs = Math.max(0, shortestMs / arms.length - burstMs);
    if (!isParallel && isWarm()) break;
  }
  for (const arm of arms) {
    if (transactionsOf(seen, arm) > 0) continue;
    const { errors } = await bench.generator.collect(arm);
    if (errors.length > 0) throw problemOfSide(run.labels[arm], errors, 'the warm-up');
  }
  const requests = run.warmUp?.requests ?? 0;
  run.warmUp = null;
  const extent = { seed, signal, isWarm: (all: Round<Name>[]) => noLongerFalls(all, sides) };
  const warm = await seekPrograms(bench, seen, () => turns, extent);
  if (run.load === null) {
    await run.enter('finding the load');
    await run.setLoad(await chooseLoad(plan, bench, warm, run.known, seed, signal));
  }
  if (bench.readings.remote !== null && bench.readings.shared) {
    const windows = [];
    const fitting = { seed, ms: fittingMs, signal };
    for await (const window of lockstep(bench, plan, fitting, run.startedAtMs)) windows.push(window);
    fitTurns(plan, scenario, bench, windows, run.transactionMs);
  }
  return { requests, ms: Math.round(performance.now() - fromMs) };
}

const compilingBurstMs = 250;
const turnsOnceCompiledMs = 500;

/**
 * Loads all arms at the same time until each has served its transactions: on two cores in half the time that turns take. Hosts that
 * generate load take turns only. An arm that gets ahead is no warmer for it, because a process that has compiled its code gets no faster.
 * @returns transactions of the arm that served the fewest
 */
async function compile<Name extends string>(
  run: Pick<WarmingUp<Name>, 'plan' | 'scenario' | 'warmUp' | 'transactionMs'>,
  bench: LoadBench<Name>,
  { users, seed, transactions }: { users: number; seed: number; transactions: number },
  signal: AbortSignal,
): Promise<number> {
  const arms = namesOf(bench.arms);
  const served = byArm(arms, () => 0);
  const fewest = () => Math.min(...Object.values<number>(served));
  const untilMs = performance.now() + run.plan.warmUp.longestMs;
  for (let nth = 0; fewest() < transactions && performance.now() < untilMs; nth++) {
    signal.throwIfAborted();
    await bench.beforeRound?.();
    const slot = slotOf(
      { users, burstMs: compilingBurstMs },
      { firstRow: firstRowOf(seed, nth), sameRow: false },
    );
    const bursts = await Promise.all(arms.map((arm) => bench.generator.burst(arm, slot)));
    for (const [place, arm] of arms.entries()) served[arm] += bursts[place]?.succeeded ?? 0;
    run.warmUp = { requests: fewest() * run.scenario.steps.length };
    const longestUs = Math.max(...bursts.map(({ elapsedUs }) => elapsedUs));
    run.transactionMs = Math.max(1, longestUs / 1000 - compilingBurstMs);
    // The turns that follow tell why.
    if (fewest() === 0) break;
  }
  return fewest();
}

function transactionsOf<Name extends string>(seen: readonly Round<Name>[], arm: Name): number {
  return sumOf(
    seen.map(({ turns }) => sumOf(turns.map((turn) => (turn.arm === arm ? turn.burst.succeeded : 0)))),
  );
}

const secondMs = 1000;
/** Standard errors by which a fall is clear. */
const clearly = 2;

/**
 * Whether the last second was no cheaper than the one before, on any side: in CPU per transaction, or in time if CPU cannot be read.
 * The samples show any remaining drift.
 */
export function noLongerFalls<Name extends string>(
  seen: readonly Round<Name>[],
  sides: readonly Name[],
): boolean {
  const nowMs = endOf(seen.at(-1));
  const first = seen[0]?.startedAtMs ?? nowMs;
  if (nowMs - first < 2 * secondMs) return false;
  const last = seen.filter((round) => endOf(round) > nowMs - secondMs);
  const before = seen.filter(
    (round) => endOf(round) <= nowMs - secondMs && endOf(round) > nowMs - 2 * secondMs,
  );
  if (Math.min(last.length, before.length) < 2) return true;
  return sides.every((side) => {
    const [now, then] = [last, before].map((of) => of.flatMap((round) => costOf(round, side)));
    if (now === undefined || then === undefined || Math.min(now.length, then.length) < 2) return true;
    return meanOf(now) - meanOf(then) >= -clearly * Math.hypot(errorOf(now), errorOf(then));
  });
}

function endOf(round: Pick<Round<string>, 'startedAtMs' | 'elapsedMs'> | undefined): number {
  return round === undefined ? 0 : round.startedAtMs + round.elapsedMs;
}

/** Logarithm of the cost per transaction; empty if none ended. */
function costOf<Name extends string>({ turns, cpuUs }: Round<Name>, side: Name): number[] {
  const own = turns.filter(({ arm }) => arm === side).map(({ burst }) => burst);
  const transactions = sumOf(own.map(({ succeeded }) => succeeded));
  const usedUs = cpuUs === null ? 1e6 / perSOf(own) : cpuUs[side] / transactions;
  return transactions > 0 && Number.isFinite(usedUs) && usedUs > 0 ? [Math.log(usedUs)] : [];
}

/** Standard error of the mean. */
function errorOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(sumOf(values.map((value) => (value - mean) ** 2)) / (values.length - 1) / values.length);
}

const mostUsers = 512;
const mostUsersPerCore = 64;
/** Longest search. After that, the last number tried is used. */
const longestSearchMs = 4000;
const roundsOfLook = 8;
/** Longest turn of a search, even for slow transactions, because the ends of turns also count. */
const longestTurnOfLookMs = 200;
/** Length of a turn with several programs: at full length, the search would end before it has tried eight users. */
const turnOfProgramsMs = 20;
/** If twice the users gain less than this on every side, the load is past the knee. */
const leastGain = 0.1;
const leastSaving = 0.05;

/** Effect of twice as many users, as logarithms: how much busier the cores are, and how much cheaper a transaction is. */
type Look = { gain: number; saving: number };

/**
 * The load at which the cost is read: one step more users than the knee, because at the knee noise decides. Users are doubled until both
 * sides gain under 10 % of busy cores and save under 5 % of CPU per transaction. An earlier run's load or a requested number is used
 * unchanged.
 */
async function chooseLoad<Name extends string>(
  plan: LoadPlan,
  bench: LoadBench<Name>,
  warm: readonly Round<Name>[],
  known: KnownLoad | null,
  seed: number,
  signal: AbortSignal,
): Promise<AtLoad> {
  const sides = sidesOfArms(bench.arms);
  const perS = slowerPerS(warm, sides);
  const settledUs = meanOf(warm.map((round) => round.settledUs / round.turns.length));
  const loadOf: LoadOf = (users, chosen, of, seenPerS, ratePerS = null) => {
    const length = turnLength(plan, bench, users, { perS: seenPerS, settledUs, busyCores: busiest(of) });
    return { users, ratePerS, ...length, cores: bench.cores, chosen, sides: of };
  };
  const seen = sidesSeen(warm, sides);
  const rate = permittedRate(plan, perS);
  if (plan.users !== null) return loadOf(plan.users, 'asked', seen, perS, rate);
  if (plan.permit !== undefined || plan.link !== undefined || plan.thinkMs > 0)
    return loadOf(roundedUp(usualUsers, plan.generators), 'fixed', seen, perS, rate);
  if (known !== null) return loadOf(known.users, 'known', known.sides, perS);
  return findLoad(plan, bench, loadOf, perS, seed, signal);
}

/** @param perS transactions per second of that many users, on the slower side */
type LoadOf = (
  users: number,
  chosen: AtLoad['chosen'],
  sides: AtLoad['sides'],
  perS: number,
  ratePerS?: number | null,
) => AtLoad;

/** Rounds up so that all processes of the generator have the same number of users. */
function roundedUp(users: number, processes: number): number {
  return Math.ceil(users / processes) * processes;
}

/** Requests to a permitted host are paced, so the throughput is the rate. */
function permittedRate({ permit }: LoadPlan, perS: number): number | null {
  return permit === undefined || !(perS > 0) ? null : Number(perS.toPrecision(2));
}

/** @param warmPerS transactions per second of the warm-up, on the slower side */
async function findLoad<Name extends string>(
  plan: LoadPlan,
  bench: LoadBench<Name>,
  loadOf: LoadOf,
  warmPerS: number,
  seed: number,
  signal: AbortSignal,
): Promise<AtLoad> {
  const [arms, sides] = [namesOf(bench.arms), sidesOfArms(bench.arms)];
  const first = 2 * plan.generators;
  const most = Math.max(first, Math.min(mostUsers, mostUsersPerCore * (bench.cores ?? mostUsers)));
  const untilMs = performance.now() + longestSearchMs;
  let perS = warmPerS;
  let latest: AtLoad | null = null;
  for (let users = first; ; users *= 2) {
    if (latest !== null && bench.serves !== undefined && !(await bench.serves(2 * users)))
      return { ...latest, chosen: 'most_served' };
    for (const arm of arms) await bench.generator.prepare(arm, false, 2 * users);
    const turn = loadOf(users, 'found', unknownSides, perS);
    // The first requests of a turn also cost more with twice the users.
    const burstMs =
      turn.longerFor === 'programs' ? turnOfProgramsMs : Math.min(longestTurnOfLookMs, turn.burstMs);
    const turns = arms.flatMap((arm): Turn<Name>[] => [
      { arm, users, burstMs },
      { arm, users: 2 * users, burstMs },
    ]);
    const extent = { seed: seedOf(seed, users), rounds: roundsOfLook, signal };
    const looked: Round<Name>[] = [];
    for await (const round of rounds(bench, () => turns, extent)) {
      looked.push(round);
      if (performance.now() > untilMs) break;
    }
    perS = slowerPerS(looked, sides, 2 * users);
    const looks = sides.map((side) => lookAt(looked, side, users));
    const isPastKnee = looks.every(({ gain, saving }) => gain < leastGain && saving < leastSaving);
    latest = loadOf(
      2 * users,
      isPastKnee ? 'found' : 'last_tried',
      sidesSeen(looked, sides, 2 * users),
      perS,
    );
    if (isPastKnee || 4 * users > most || performance.now() > untilMs) return latest;
  }
}

const unknownSides: AtLoad['sides'] = {
  baseline: { busyCores: null, cpuUs: null },
  comparison: { busyCores: null, cpuUs: null },
};

type Played = { busyCores: number | null; cpuUs: number | null; perS: number };

/** If the target's CPU cannot be read, throughput replaces its busy cores. */
function lookAt<Name extends string>(looked: readonly Round<Name>[], side: Name, users: number): Look {
  const pairs = looked.flatMap((round) => {
    const [few, many] = [playedIn(round, side, users), playedIn(round, side, 2 * users)];
    return few === null || many === null ? [] : [{ few, many }];
  });
  const meanLog = (of: (pair: { few: Played; many: Played }) => number) => {
    const logs = pairs.map(of).map(Math.log).filter(Number.isFinite);
    return logs.length === 0 ? 0 : meanOf(logs);
  };
  return {
    gain: meanLog(({ few, many }) =>
      few.busyCores === null || many.busyCores === null
        ? many.perS / few.perS
        : many.busyCores / few.busyCores,
    ),
    saving: meanLog(({ few, many }) =>
      few.cpuUs === null || many.cpuUs === null ? 1 : few.cpuUs / many.cpuUs,
    ),
  };
}

function playedIn<Name extends string>({ turns }: Round<Name>, side: Name, users: number): Played | null {
  const turn = turns.find((each) => each.arm === side && each.users === users);
  if (turn === undefined || turn.burst.succeeded === 0) return null;
  const usedUs = turn.cpuUs?.[side] ?? null;
  return {
    busyCores: usedUs === null ? null : usedUs / Math.max(1, turn.burst.elapsedUs),
    cpuUs: usedUs === null ? null : usedUs / turn.burst.succeeded,
    perS: perSOf([turn.burst]),
  };
}

/** Each side's figures in the turns with `users`; in all turns if null. */
function sidesSeen<Name extends string>(
  seen: readonly Round<Name>[],
  sides: readonly Name[],
  users: number | null = null,
): AtLoad['sides'] {
  const seenOf = (side: Name | undefined) => {
    const turns = seen.flatMap((round) => round.turns.filter((turn) => isOf(turn, side, users)));
    const used = turns.map(({ cpuUs }) => (side === undefined ? null : (cpuUs?.[side] ?? null)));
    if (turns.length === 0 || used.includes(null)) return { busyCores: null, cpuUs: null };
    const usedUs = sumOf(used.map((each) => each ?? 0));
    const transactions = sumOf(turns.map(({ burst }) => burst.succeeded));
    const activeUs = sumOf(turns.map(({ burst }) => burst.elapsedUs));
    return {
      busyCores: rounded(usedUs / Math.max(1, activeUs)),
      cpuUs: transactions === 0 ? null : rounded(usedUs / transactions),
    };
  };
  return byArm(sideNames, (name) => seenOf(sides[sideNames.indexOf(name)]));
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

function busiest(sides: AtLoad['sides']): number | null {
  const busy = sideNames.flatMap((side) => sides[side].busyCores ?? []);
  return busy.length === 0 ? null : Math.max(...busy);
}

/** Transactions per second of the slower side in the turns with `users`; in all turns if null. */
function slowerPerS<Name extends string>(
  seen: readonly Round<Name>[],
  sides: readonly Name[],
  users: number | null = null,
): number {
  const rates = sides.map((side) => {
    const turns = seen.flatMap((round) => round.turns.filter((turn) => isOf(turn, side, users)));
    return turns.length === 0 ? 0 : perSOf(turns.map(({ burst }) => burst));
  });
  return Math.min(...rates);
}

function isOf<Name extends string>(turn: Turn<Name>, side: Name | undefined, users: number | null): boolean {
  return turn.arm === side && (users === null || turn.users === users);
}

/** Limits of busy cores ÷ those of the stored load. */
const leastFit = 0.67;
const mostFit = 1.5;

/**
 * Whether a sample shows that a known load still fits: each side keeps about as many cores busy as when the load was found.
 * @param othersShare share of the machine that the hypervisor and other programs took meanwhile
 */
export function stillFits(
  known: Pick<KnownLoad, 'sides'>,
  busyCores: BySide<number | null>,
  othersShare: number,
): boolean {
  return sideNames.every((side) => {
    const [then, now] = [known.sides[side].busyCores, busyCores[side]];
    if (then === null || now === null || then === 0) return true;
    const fit = now / (1 - Math.min(0.9, othersShare)) / then;
    return fit >= leastFit && fit <= mostFit;
  });
}
