import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { z } from 'zod';
import { byArm } from '../../../shared/base/arms.ts';
import { answerQuestions } from '../../base/process/asked-process.ts';
import { monotonicUs, TreeCpu } from '../../base/process/cpu.ts';
import { readProc } from '../../base/process/proc.ts';
import { Reason } from '../../base/text/foreign-errors.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import { type Draw, drawsOf, shuffle } from '../../method/statistics/random.ts';
import { Connection } from './connection.ts';
import { Lane } from './lane.ts';
import type { LaneOptions } from './lane-count.ts';
import { type AskedWindow, LoadBudget, questions, type WindowResult } from './load-messages.ts';

const watchEveryMs = 100;
/** Longest turn if CPU is read at its edges: with slow transactions, it contains fewer. */
const longestTurnMs = 60;
/** After a failure, so that a target that fails is not hammered. */
const pauseAfterFailureMs = 50;

/**
 * Sends each user from arm to arm, one transaction (or a few: a turn) after the other, in an order drawn anew for every
 * group of a turn on each arm; all of them take the same row of the scenario's data. Resolves when the group that was under way
 * at the window's end is over, so that nothing is in flight at either edge.
 */
async function runWindow<Name extends string>(
  lanes: Record<Name, Lane>,
  options: AskedWindow<Name>,
): Promise<WindowResult<Name>> {
  const window = new LockstepWindow(lanes, options);
  return window.run();
}

type Group = {
  order: number[];
  at: number;
  latenciesUs: Float32Array;
  /** Transactions of each of its turns. */
  turn: number;
  left: number;
  sumMs: number;
  fromMs: number;
  row: number;
};

class LockstepWindow<Name extends string> {
  readonly #lanes: Record<Name, Lane>;
  readonly #options: AskedWindow<Name>;
  /** Also the places of a group's latencies. Every process has as many transactions, and so is as warm, as the others. */
  readonly #arms: readonly Name[];
  readonly #trees: Record<Name, TreeCpu> | null;
  readonly #latenciesUs: number[] = [];
  readonly #spent: Record<Name, { transactions: number; cpuUs: number; elapsedMs: number }>;
  readonly #groupOf: Group[] = [];
  readonly #draw: Draw;
  /** Indexes of the arms, from which each group draws an order. */
  readonly #places: readonly number[];
  #groups = 0;
  #untilMs = 0;
  #turnFromUs = 0;
  #going = 0;
  #over: () => void = () => {};

  constructor(lanes: Record<Name, Lane>, options: AskedWindow<Name>) {
    this.#lanes = lanes;
    this.#options = options;
    this.#arms = options.arms;
    this.#places = [...options.arms.keys()];
    this.#trees = options.trees === null ? null : openTrees(options.arms, options.trees);
    this.#draw = drawsOf(options.seed);
    this.#spent = byArm(options.arms, () => ({ transactions: 0, cpuUs: 0, elapsedMs: 0 }));
  }

  async run(): Promise<WindowResult> {
    const cpuBefore = process.cpuUsage();
    const fromMs = performance.now();
    this.#untilMs = fromMs + this.#options.durationMs;
    const over = new Promise<void>((resolve) => {
      this.#over = resolve;
    });
    const watch = setInterval(() => {
      for (const arm of this.#arms) this.#lanes[arm].endOverdue();
    }, watchEveryMs);
    for (const arm of this.#arms) {
      this.#lanes[arm].lockstep((...turn) => this.#ended(arm, ...turn));
    }
    // If CPU is read at every turn, only one user can go: two turns would be in one reading.
    this.#going = this.#trees === null ? this.#users() : 1;
    for (let user = 0, going = this.#going; user < going; user++) this.#beginGroup(user, fromMs);
    await over;
    clearInterval(watch);
    for (const arm of this.#arms) this.#lanes[arm].lockstep(null);
    const cpu = process.cpuUsage(cpuBefore);
    return this.#summarise(performance.now() - fromMs, cpu.user + cpu.system);
  }

  /** The users asked for, but no more than every arm has: processes of the generator share its connections among them. */
  #users(): number {
    return Math.min(this.#options.users, ...this.#arms.map((arm) => this.#lanes[arm].userCount));
  }

  #beginGroup(user: number, nowMs: number): void {
    if (nowMs >= this.#untilMs) {
      this.#going--;
      if (this.#going === 0) this.#over();
      return;
    }
    const budget = this.#lanes[this.#arms[0] as Name].budget;
    const waitMs = budget?.waitMs(nowMs) ?? 0;
    if (waitMs > 0) {
      // Nothing is in flight meanwhile; the window keeps its time.
      setTimeout(
        () => this.#beginGroup(user, performance.now()),
        Math.min(waitMs, this.#untilMs - nowMs) + 1,
      );
      return;
    }
    const group: Group = {
      order: shuffle(this.#places, this.#draw),
      at: 0,
      latenciesUs: new Float32Array(this.#arms.length),
      turn: this.#options.turnTransactions,
      left: 0,
      sumMs: 0,
      fromMs: nowMs,
      row: this.#options.firstRow + (this.#options.sameRow ? 0 : this.#groups),
    };
    this.#groups++;
    this.#groupOf[user] = group;
    this.#beginTurn(user, group, nowMs);
  }

  #beginTurn(user: number, group: Group, nowMs: number): void {
    const arm = this.#armOf(group);
    group.left = group.turn;
    group.sumMs = 0;
    if (this.#trees === null) {
      this.#lanes[arm].turn(user, group.row, nowMs);
      return;
    }
    this.#turnFromUs = this.#trees[arm].readSettledUs();
    this.#lanes[arm].turn(user, group.row, performance.now());
  }

  #ended(arm: Name, user: number, succeeded: boolean, atMs: number, latencyMs: number): void {
    const group = this.#groupOf[user];
    if (group === undefined) return;
    const spent = this.#spent[arm];
    if (succeeded) {
      spent.transactions++;
      spent.elapsedMs += latencyMs;
      group.sumMs += latencyMs;
      if (group.at === 0 && group.left === group.turn) this.#shorten(group, atMs);
      group.left--;
      if (group.left > 0) {
        this.#lanes[arm].turn(user, group.row, atMs);
        return;
      }
    }
    if (this.#trees !== null) spent.cpuUs += this.#trees[arm].readSettledUs() - this.#turnFromUs;
    if (!succeeded) {
      setTimeout(() => this.#beginGroup(user, performance.now()), pauseAfterFailureMs);
      return;
    }
    const place = group.order[group.at] as number;
    group.latenciesUs[place] = (group.sumMs / group.turn) * 1000;
    group.at++;
    const nowMs = this.#trees === null ? atMs : performance.now();
    if (group.at < this.#arms.length) this.#beginTurn(user, group, nowMs);
    else {
      this.#latenciesUs.push(...group.latenciesUs);
      this.#beginGroup(user, nowMs);
    }
  }

  /** After the first transaction of its first turn: every arm has as many as the others. */
  #shorten(group: Group, nowMs: number): void {
    if (this.#trees === null) return;
    const fitting = Math.floor(longestTurnMs / Math.max(0.001, nowMs - group.fromMs));
    group.turn = Math.max(1, Math.min(group.turn, fitting));
    group.left = group.turn;
  }

  #armOf(group: Group): Name {
    return this.#arms[group.order[group.at] as number] as Name;
  }

  #summarise(elapsedMs: number, generatorCpuUs: number): WindowResult<Name> {
    const wholeMs = this.#arms.reduce((sum, arm) => sum + this.#spent[arm].elapsedMs, 0);
    for (const arm of this.#arms) {
      const { elapsedMs: ownMs } = this.#spent[arm];
      this.#lanes[arm].addTime(ownMs, ownMs, wholeMs === 0 ? 0 : (generatorCpuUs * ownMs) / wholeMs);
    }
    return {
      elapsedUs: Math.round(elapsedMs * 1000),
      arms: byArm(this.#arms, (arm) => ({
        transactions: this.#spent[arm].transactions,
        cpuUs: this.#trees === null ? null : Math.max(0, this.#spent[arm].cpuUs),
      })),
      latenciesUs: Float32Array.from(this.#latenciesUs),
      generatorCpuUs,
      groups: this.#groups,
    };
  }
}

/** Opens the process trees of all arms; a tree that arms share is read once. */
function openTrees<Name extends string>(
  arms: readonly Name[],
  roots: Record<Name, readonly number[]>,
): Record<Name, TreeCpu> {
  const opened = new Map<string, TreeCpu>();
  return byArm(arms, (arm) => {
    const key = roots[arm].join();
    const tree = opened.get(key) ?? new TreeCpu(roots[arm]);
    opened.set(key, tree);
    return tree;
  });
}

const countEveryMs = 100;
/** A timer knows whole milliseconds, and may fire one late: the rest is looked at. */
const lookedAtMs = 2;
/** An order that was on its way while this host was stopped is not followed any more. */
const longestLateMs = 1000;
/** An order goes out ahead of its start by a round trip or two. */
const longestAheadMs = 10_000;

/** Makes this a process of the load generator: it answers with the lanes that `newLane` makes, one for each arm. */
function answerWithLanes(newLane: (options: LaneOptions) => Lane): void {
  const lanes = new Map<string, Lane>();
  let budget: LoadBudget | null = null;
  let watch: NodeJS.Timeout | undefined;
  let leaseUntilMs = Number.POSITIVE_INFINITY;
  let requestsBefore = 0;

  answerQuestions(questions, {
    configure,
    prepare: ({ arm, atRate, users }) => withinBudget(laneOf(arm).prepare(atRate, users)),
    async run({ arm, slot }) {
      await awaitStart(slot.startAtUs);
      return withinBudget(laneOf(arm).run(slot));
    },
    clear: ({ arm }) => laneOf(arm).clear(),
    async burst({ arm, slot }) {
      const lateUs = await awaitStart(slot.startAtUs);
      // A burst that begins at once is not read beside: two reads of /proc cost as much as ten requests.
      if (lateUs === null) return withinBudget(laneOf(arm).burst(slot));
      const heldUpBeforeUs = readHeldUpUs();
      const burst = await withinBudget(laneOf(arm).burst(slot));
      return { ...burst, lateUs, heldUpUs: readHeldUpUs() - heldUpBeforeUs };
    },
    window: (options) => withinBudget(runWindow(byArm(options.arms, laneOf), options)),
    collect: ({ arm }) => laneOf(arm).collect(),
    lease({ untilUs }) {
      leaseUntilMs = performance.now() + (untilUs - monotonicUs()) / 1000;
      budget?.lease(leaseUntilMs);
    },
    totals() {
      const { user, system } = process.cpuUsage();
      return { requests: requestsBefore + requestsOf(lanes.values()), cpuUs: user + system };
    },
  });

  function configure({ configuration, share }: z.output<typeof questions.configure.question>): void {
    const { listeners, ...options } = configuration;
    requestsBefore += requestsOf(lanes.values());
    for (const lane of lanes.values()) lane.close();
    lanes.clear();
    clearInterval(watch);
    budget = LoadBudget.of(listeners, share);
    budget?.lease(leaseUntilMs);
    budget?.demandConnections(listeners.length * options.connections);
    for (const listener of listeners) {
      lanes.set(listener.arm, newLane({ listener, share, budget, ...options }));
    }
    if (budget !== null) watch = setInterval(countBytes, countEveryMs);
  }

  /** Rejects when the bytes are used up meanwhile, or were before. */
  function withinBudget<Result>(work: Promise<Result>): Promise<Result> {
    return budget === null ? work : Promise.race([work, budget.exhausted]);
  }

  function countBytes(): void {
    const open = [...lanes.values()].reduce((sum, lane) => sum + lane.openBytes, 0);
    if (budget === null || budget.spend(Connection.closedBytes + open)) return;
    clearInterval(watch);
    for (const lane of lanes.values()) lane.halt();
  }

  function laneOf(arm: string): Lane {
    const lane = lanes.get(arm);
    if (lane === undefined) throw new Error(`the generator was not configured for the ${arm} arm`);
    return lane;
  }
}

/**
 * For how long this thread has waited for a core, other programs and limits of a control group alike; 0 where the platform does not say.
 * Source: Linux, Documentation/scheduler/sched-stats.rst.
 */
function readHeldUpUs(): number {
  const [, waitedNs] = (readProc('/proc/thread-self/schedstat') ?? '').split(' ');
  return Number(waitedNs ?? 0) / 1000;
}

function requestsOf(lanes: Iterable<Lane>): number {
  return sumOf([...lanes].map(({ requestsInAll }) => requestsInAll));
}

/**
 * Until a time on the monotonic clock, µs; undefined for at once. Resolves with how much later it is, µs; null where no time was
 * given. Throws for a time that has long passed.
 */
async function awaitStart(startAtUs: number | undefined): Promise<number | null> {
  if (startAtUs === undefined) return null;
  const leftMs = () => (startAtUs - monotonicUs()) / 1000;
  if (leftMs() < -longestLateMs) throw new Reason('the order came too late');
  if (leftMs() > longestAheadMs) throw new Reason('the order is for much later');
  if (leftMs() > lookedAtMs) await pause(leftMs() - lookedAtMs);
  while (leftMs() > 0) await turn();
  return -1000 * leftMs();
}

/** A process of the load generator. */
answerWithLanes((options) => new Lane(options));
