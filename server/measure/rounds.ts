import { setTimeout as pause } from 'node:timers/promises';
import { byArm, namesOf } from '../../shared/base/arms.ts';
import type { AtLoad } from '../../shared/kinds/comparison/at-load.ts';
import type { WindowOf } from '../../shared/kinds/comparison/block.ts';
import { discardedShare } from '../base/addresses/burst-length.ts';
import type { Burst, SlotOptions } from '../drive/load/load-messages.ts';
import { sumOf } from '../method/statistics/mean.ts';
import { drawsOf, shuffle } from '../method/statistics/random.ts';
import { lagOf, type TurnUse } from '../method/statistics/relative-fit.ts';
import type { OtherClocks } from '../targets/sampling/every-process.ts';
import { watchMachine } from '../targets/sampling/machine.ts';
import { gainOf } from '../targets/sampling/readings.ts';
import type { Bench } from './bench.ts';

/**
 * The loop of every measurement at load: all users on one arm for 10 to 20 ms, then on the next, in a new random order each round.
 * Turns are this short because the cost of neighbors differs least at 10 ms (Allan deviation). A turn ends with nothing in flight.
 * Rounds are summed to samples of about a second.
 */

/** All users of one arm for a while. */
export type Turn<Name extends string> = { arm: Name; users: number; burstMs: number };

type Cpu<Part extends string> = Record<Part, number> | null;

type TurnTaken<Name extends string, Part extends string> = Turn<Name> & {
  burst: Burst;
  /** CPU between the readings before and after the turn, µs, with that of the programs that work for the target. */
  cpuUs: Cpu<Part>;
  others: Others;
};

/** CPU of other processes from before a turn until after it: µs by process or program, over `ms`. */
type Others = {
  ms: number;
  us: ReadonlyMap<number, number>;
  kernelUs: number;
  /** Transactions of the previous turn. */
  transactionsBefore: number;
};

export type Round<Name extends string, Part extends string = Name> = {
  turns: TurnTaken<Name, Part>[];
  startedAtMs: number;
  elapsedMs: number;
  /** Transactions of all arms that did not succeed. */
  failed: number;
  /**
   * Each part's CPU, µs. A separate process tree is billed for all CPU since the previous round, because the aftermath of a turn
   * (garbage, logs) is also its cost. A tree that arms share is read at every switch, once it sleeps.
   */
  cpuUs: Cpu<Part>;
  /** CPU of the whole target and of the generator, µs. */
  targetUs: number | null;
  generatorUs: number;
  /** Time waited until shared processes slept, µs. */
  settledUs: number;
  /** A turn in which nobody asked for anything, with the target's own CPU; null without one. */
  nobody: (Others & { cpuUs: Cpu<Part> }) | null;
};

type Extent = {
  seed: number;
  /** Ends when less than half a round is left, after at least one round. */
  ms?: number;
  rounds?: number;
  signal: AbortSignal;
  /** In every so many rounds, one turn in which nobody asks; absent for none. */
  nobodyEvery?: number | undefined;
  /** The row of the scenario's data for all transactions; if absent, each takes the next one. */
  row?: number;
};

/**
 * Rounds of turns, with nothing in flight in between. The caller keeps the data of its kind and breaks when it has enough.
 * @param turnsOf the turns of the nth round, in any order
 */
export async function* rounds<Name extends string, Part extends string = Name>(
  bench: Bench<Name, Part>,
  turnsOf: (nth: number) => readonly Turn<Name>[],
  {
    seed,
    ms = Number.POSITIVE_INFINITY,
    rounds: most = Number.POSITIVE_INFINITY,
    signal,
    row,
    nobodyEvery,
  }: Extent,
): AsyncGenerator<Round<Name, Part>> {
  const draw = drawsOf(seed);
  const untilMs = performance.now() + ms;
  let state: State<Part> = { cpu: await bench.readings.readCpu(), transactions: 0 };
  for (let nth = 0; nth < most; nth++) {
    const turns = turnsOf(nth);
    const halfMs = sumOf(turns.map(({ burstMs }) => burstMs)) / 2;
    if (nth > 0 && performance.now() >= untilMs - halfMs) return;
    await bench.beforeRound?.();
    const rows = { firstRow: row ?? firstRowOf(seed, nth), sameRow: row !== undefined };
    const hasNobody = nobodyEvery !== undefined && nth % nobodyEvery === 0;
    const order = shuffle<Turn<Name> | null>(hasNobody ? [...turns, null] : turns, draw);
    const taken = await takeRound(bench, order, state, rows, signal);
    state = taken.state;
    yield taken.round;
  }
}

/** Length of a turn without requests, that of a usual turn; with the kernel's ticks, it is as long as the others. */
const usualNobodyMs = 15;

/** After a turn: CPU so far, and the transactions of the turn. */
type State<Part extends string> = { cpu: Cpu<Part>; transactions: number };

/** @param order null where nobody asks */
async function takeRound<Name extends string, Part extends string>(
  bench: Bench<Name, Part>,
  order: readonly (Turn<Name> | null)[],
  before: State<Part>,
  rows: Pick<SlotOptions, 'firstRow' | 'sameRow'>,
  signal: AbortSignal,
): Promise<{ round: Round<Name, Part>; state: State<Part> }> {
  const { generator, readings } = bench;
  const startedAtMs = performance.now();
  const turns: TurnTaken<Name, Part>[] = [];
  const othersSince = watchOthers(bench);
  const isInstead = bench.others?.counts === 'instead';
  const longestMs = Math.max(...order.map((turn) => turn?.burstMs ?? 0));
  const nobodyMs = bench.others?.stepUs == null ? usualNobodyMs : Math.max(usualNobodyMs, longestMs);
  let nobody: Round<Name, Part>['nobody'] = null;
  let { cpu, transactions } = before;
  let settledUs = 0;
  for (const turn of order) {
    signal.throwIfAborted();
    const burst = turn === null ? null : await generator.burst(turn.arm, slotOf(turn, rows));
    if (burst === null) await pause(nobodyMs);
    if (readings.shared && turn !== null)
      for (const part of partsOf(bench, turn.arm)) settledUs += (await readings.awaitAsleep(part)).waitedUs;
    settledUs += (await bench.others?.awaitAsleep())?.waitedUs ?? 0;
    const after = await readings.readCpu();
    const others = { ...othersSince(), transactionsBefore: transactions };
    const ownUs = gainOf(cpu, after);
    if (turn === null || burst === null) nobody = { ...others, cpuUs: ownUs };
    else
      turns.push({
        ...{ ...turn, burst, others },
        cpuUs: addTo(isInstead ? noneOf(ownUs) : ownUs, usedForTarget(bench, others)),
      });
    cpu = after;
    transactions = burst?.succeeded ?? 0;
  }
  const whole = gainOf(before.cpu, cpu);
  const usedBeside = (arm: string | null) =>
    sumOf(turns.map((turn) => (arm === null || turn.arm === arm ? usedForTarget(bench, turn.others) : 0)));
  const round: Round<Name, Part> = {
    turns,
    startedAtMs,
    elapsedMs: performance.now() - startedAtMs,
    failed: sumOf(turns.map(({ burst }) => burst.started - burst.succeeded)),
    cpuUs: readings.shared || isInstead ? ofOwnTurns(bench, turns) : addTo(whole, usedBeside),
    targetUs: whole === null ? null : (isInstead ? 0 : readings.sum(whole)) + usedBeside(null),
    generatorUs: sumOf(turns.map(({ burst }) => burst.cpuUs)),
    settledUs,
    nobody,
  };
  return { round, state: { cpu, transactions } };
}

/** CPU of other processes since the previous call. */
function watchOthers({ others }: Pick<Bench<string>, 'others'>): () => Omit<Others, 'transactionsBefore'> {
  const read = () => ({ ms: performance.now(), us: others?.readUs(), kernelUs: others?.readKernelUs() ?? 0 });
  let before = read();
  return () => {
    const now = read();
    const [from, ms, kernelUs] = [before.us, now.ms - before.ms, now.kernelUs - before.kernelUs];
    const us = new Map([...(now.us ?? [])].map(([key, value]) => [key, value - (from?.get(key) ?? 0)]));
    before = now;
    return { ms, us, kernelUs };
  };
}

/** Part of the other processes' CPU that belongs to the target's cost, µs. */
function usedForTarget({ others }: Pick<Bench<string>, 'others'>, { us }: Others): number {
  return others === undefined || others === null || others.counts === 'not' ? 0 : sumOf([...us.values()]);
}

function noneOf<Part extends string>(cpuUs: Cpu<Part>): Cpu<Part> {
  return cpuUs === null ? null : byArm(Object.keys(cpuUs) as Part[], () => 0);
}

function addTo<Part extends string>(
  cpuUs: Cpu<Part>,
  added: number | ((part: Part & string) => number),
): Cpu<Part> {
  if (cpuUs === null) return null;
  return byArm(
    Object.keys(cpuUs) as Part[],
    (part) => cpuUs[part] + (typeof added === 'number' ? added : added(part)),
  );
}

function partsOf<Name extends string, Part extends string>(
  bench: Pick<Bench<Name, Part>, 'partsOf'>,
  arm: Name,
): readonly Part[] {
  return bench.partsOf?.(arm) ?? [arm as string as Part];
}

/** A turn as the generator is asked for it. */
export function slotOf(
  { users, burstMs }: Pick<Turn<string>, 'users' | 'burstMs'>,
  rows: Pick<SlotOptions, 'firstRow' | 'sameRow'>,
): SlotOptions {
  return { durationMs: burstMs, discardMs: burstMs * discardedShare, ratePerS: null, users, ...rows };
}

function ofOwnTurns<Name extends string, Part extends string>(
  bench: Pick<Bench<Name, Part>, 'partsOf'>,
  turns: readonly TurnTaken<Name, Part>[],
): Cpu<Part> {
  const sums: Partial<Record<Part, number>> = {};
  for (const { arm, cpuUs } of turns) {
    if (cpuUs === null) return null;
    for (const part of partsOf(bench, arm)) sums[part] = (sums[part] ?? 0) + cpuUs[part];
  }
  return sums as Record<Part, number>;
}

/** About a second of rounds: sums, and details that only single rounds show. */
export type Sample<Name extends string> = {
  window: WindowOf<Name>;
  /** Cores that each arm's processes used during the arm's turns; null if they cannot be read. */
  busyCores: Record<Name, number | null>;
  rounds: {
    /** The arm whose turn came just before the first; null where there was a pause. */
    before: Name | null;
    order: readonly Name[];
    /** An arm's CPU and time per transaction, as logarithms. */
    cost: { cpu: Partial<Record<Name, number>>; time: Partial<Record<Name, number>> };
  }[];
};

/** Samples of all arms at one load for the given time. They have equal lengths, at least that of a round. */
export async function* samples<Name extends string>(
  bench: Bench<Name>,
  { users, burstMs }: Pick<AtLoad, 'users' | 'burstMs'>,
  { ms, sampleMs, ...extent }: Omit<Extent, 'rounds'> & { ms: number; sampleMs: number },
  runStartedAtMs: number,
): AsyncGenerator<Sample<Name>> {
  const arms = namesOf(bench.arms);
  const lengthMs = ms / Math.max(1, Math.round(ms / Math.max(sampleMs, arms.length * burstMs)));
  const turns = arms.map((arm): Turn<Name> => ({ arm, users, burstMs }));
  const fromMs = performance.now();
  let gathered: Round<Name>[] = [];
  let before: Name | null = null;
  const machineSince = watchMachine(bench);
  const sample = () => {
    const made = sampleOf(bench, gathered, before, machineSince, runStartedAtMs);
    before = gathered.at(-1)?.turns.at(-1)?.arm ?? null;
    gathered = [];
    return made;
  };
  let nextMs = lengthMs;
  const halfRoundMs = (arms.length * burstMs) / 2;
  const nobodyEvery =
    (bench.others?.counts ?? 'not') !== 'not' ? nobodyEveryOf(lengthMs / (arms.length * burstMs)) : undefined;
  for await (const round of rounds(bench, () => turns, { ...extent, ms, nobodyEvery })) {
    gathered.push(round);
    if (performance.now() - fromMs < nextMs - halfRoundMs) continue;
    nextMs += lengthMs;
    yield sample();
  }
  if (gathered.length > 0) yield sample();
}

const usualNobodyEvery = 8;

/** Each sample has two such rounds. */
function nobodyEveryOf(roundsPerSample: number): number {
  return Math.max(1, Math.min(usualNobodyEvery, Math.floor(roundsPerSample / 2)));
}

function sampleOf<Name extends string>(
  { arms: declared, readings, others }: Pick<Bench<Name>, 'arms' | 'readings' | 'others'>,
  gathered: readonly Round<Name>[],
  beforeFirst: Name | null,
  machineSince: ReturnType<typeof watchMachine>,
  runStartedAtMs: number,
): Sample<Name> {
  const arms = namesOf(declared);
  const targetUs = addUp(gathered.map((round) => round.targetUs));
  const failed = sumOf(gathered.map((round) => round.failed));
  const startedAtMs = gathered[0]?.startedAtMs ?? runStartedAtMs;
  const last = gathered.at(-1);
  const endedAtMs = last === undefined ? startedAtMs : last.startedAtMs + last.elapsedMs;
  const turnsOf = byArm(arms, (arm) =>
    gathered.flatMap(({ turns }) => turns.filter((turn) => turn.arm === arm)),
  );
  const counts = others?.counts ?? 'not';
  const idle = gathered.flatMap(({ nobody }) => nobody ?? []);
  const cpuOf = byArm(arms, (arm) => {
    const usedUs = addUp(gathered.map(({ cpuUs }) => cpuUs?.[arm] ?? null));
    return usedUs === null ? null : partsOfCost(usedUs, turnsOf[arm], idle, counts);
  });
  const lag = counts === 'not' ? null : lagOfSample(gathered, idle, counts);
  const kernelOf = (of: readonly Others[]) => netOfIdle(of, idle, ({ kernelUs }) => kernelUs);
  return {
    window: {
      startedAtMs: Math.round(startedAtMs - runStartedAtMs),
      elapsedMs: Math.round(endedAtMs - startedAtMs),
      ...machineSince(targetUs, sumOf(gathered.map((round) => round.generatorUs))),
      aside: false,
      ...(failed > 0 ? { failed } : {}),
      rounds: gathered.length,
      ...(readings.shared
        ? { settledMs: Math.round(sumOf(gathered.map((round) => round.settledUs)) / 100) / 10 }
        : {}),
      arms: byArm(arms, (arm) => ({
        transactions: sumOf(turnsOf[arm].map(({ burst }) => burst.succeeded)),
        cpuUs: cpuOf[arm] === null ? null : Math.max(0, sumOf(cpuOf[arm])),
        medianUs: null,
        perS: Number(perSOf(turnsOf[arm].map(({ burst }) => burst)).toPrecision(6)),
        ...(cpuOf[arm] === null || cpuOf[arm].length === 1
          ? {}
          : {
              programsUs: cpuOf[arm],
              kernelUs: Math.round(kernelOf(turnsOf[arm].map((turn) => turn.others))),
            }),
      })),
      ...(lag === null ? {} : { lag }),
    },
    busyCores: byArm(arms, (arm) => {
      const activeUs = sumOf(turnsOf[arm].map(({ burst }) => burst.elapsedUs));
      const usedUs = addUp(turnsOf[arm].map(({ cpuUs }) => cpuUs?.[arm] ?? null));
      return usedUs === null ? null : usedUs / Math.max(1, activeUs);
    }),
    rounds: gathered.map(({ turns }, index) => ({
      before: index === 0 ? beforeFirst : (gathered[index - 1]?.turns.at(-1)?.arm ?? null),
      order: turns.map(({ arm }) => arm),
      cost: {
        cpu: costsOf(turns, ({ arm, burst, cpuUs }) => (cpuUs?.[arm] ?? Number.NaN) / burst.succeeded),
        time: costsOf(turns, ({ burst }) => 1 / perSOf([burst])),
      },
    })),
  };
}

/**
 * CPU that an arm's requests used, µs: the target's, unless it is read as one of the programs, then each program's, less its idle use in the
 * same time, known from the sample's turns without requests.
 * @param usedUs CPU of all of them, including idle use
 */
function partsOfCost<Name extends string>(
  usedUs: number,
  turns: readonly TurnTaken<Name, Name>[],
  idle: readonly Others[],
  counts: OtherClocks['counts'],
): number[] {
  if (counts === 'not') return [Math.round(usedUs)];
  const others = turns.map((turn) => turn.others);
  const places = [...(others[0]?.us.keys() ?? [])];
  const gross = places.map((place) => sumOf(others.map(({ us }) => us.get(place) ?? 0)));
  const net = places.map((place) => Math.round(netOfIdle(others, idle, ({ us }) => us.get(place) ?? 0)));
  return counts === 'instead' ? net : [Math.round(usedUs - sumOf(gross)), ...net];
}

function netOfIdle(of: readonly Others[], idle: readonly Others[], usedUs: (each: Others) => number): number {
  const idleMs = sumOf(idle.map(({ ms }) => ms));
  const idleUs = idleMs === 0 ? 0 : (sumOf(idle.map(usedUs)) / idleMs) * sumOf(of.map(({ ms }) => ms));
  return sumOf(of.map(usedUs)) - idleUs;
}

/** Null if the sample has too few turns to tell. */
function lagOfSample<Name extends string>(
  gathered: readonly Round<Name>[],
  idle: readonly Others[],
  counts: OtherClocks['counts'],
): WindowOf<Name>['lag'] | null {
  const taken = gathered.flatMap(({ turns }) => turns);
  const places = [...(taken[0]?.others.us.keys() ?? [])];
  const us = places.map((place) => {
    const turnOf = ({ us, ms, transactionsBefore }: Others, arm: Name | null, requests: number): TurnUse => ({
      ...{ usedUs: us.get(place) ?? 0, ms, arm, requests, requestsBefore: transactionsBefore },
    });
    return lagOf([
      ...taken.map(({ others, arm, burst }) => turnOf(others, arm, burst.succeeded)),
      ...idle.map((each) => turnOf(each, null, 0)),
    ]);
  });
  const idleMs = sumOf(idle.map(({ ms }) => ms));
  const known = us.filter((each) => each !== null);
  if (known.length < us.length || idleMs === 0) return null;
  const subtracted =
    (sumOf(idle.map(({ transactionsBefore }) => transactionsBefore)) / idleMs) *
    sumOf(taken.map(({ others }) => others.ms));
  const rounded = known.map((each) => Number(each.toPrecision(4)));
  return { us: counts === 'instead' ? rounded : [0, ...rounded], subtracted: Math.round(subtracted) };
}

function costsOf<Name extends string>(
  turns: readonly TurnTaken<Name, Name>[],
  costOf: (turn: TurnTaken<Name, Name>) => number,
): Partial<Record<Name, number>> {
  return Object.fromEntries(turns.map((turn) => [turn.arm, Math.log(costOf(turn))])) as Partial<
    Record<Name, number>
  >;
}

/** Transactions per second in the windows of some bursts. */
export function perSOf(bursts: readonly Pick<Burst, 'transactionsInWindow' | 'windowUs'>[]): number {
  const seconds = sumOf(bursts.map(({ windowUs }) => windowUs)) / 1e6;
  return sumOf(bursts.map(({ transactionsInWindow }) => transactionsInWindow)) / seconds;
}

/** Null if any value is unknown. */
function addUp(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>(
    (sum, value) => (sum === null || value === null ? null : sum + value),
    0,
  );
}

/** Transactions take successive rows of the scenario's data. The next round, window or slot starts this many rows later. */
const rowsApart = 10_007;

/** The first row of a round, window or slot: the same on all arms, but different in every block. */
export function firstRowOf(seed: number, nth: number): number {
  return ((seed % 1000) + nth) * rowsApart;
}

/** A separate seed for each part of a run, such as a launch or one of its blocks. */
export function seedOf(seed: number, ...path: readonly number[]): number {
  const [one = 0, two = 0, three = 0] = path.map((each) => each + 1);
  return (seed + 104_729 * one + 15_485_863 * two + 7919 * three) % 2 ** 31;
}
