import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { z } from 'zod';
import { byArm } from '../../../shared/base/arms.ts';
import { answerQuestions } from '../../base/process/answer-questions.ts';
import { monotonicUs } from '../../base/process/monotonic.ts';
import { readProc } from '../../base/process/proc-files.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import { Connection } from './connection.ts';
import type { Lane } from './lane.ts';
import type { LaneOptions } from './lane-options.ts';
import { LoadBudget } from './load-budget.ts';
import { runWindow } from './lockstep.ts';
import { questions } from './messages.ts';

const countEveryMs = 100;
/** A timer knows whole milliseconds, and may fire one late: the rest is looked at. */
const lookedAtMs = 2;
/** What was on its way while this host was stopped is not followed any more. */
const longestLateMs = 1000;
/** An order goes out ahead of its start by a round trip or two. */
const longestAheadMs = 10_000;

/** Makes this a process of the load generator: it answers with the lanes that `newLane` makes, one for each arm. */
export function answerWithLanes(newLane: (options: LaneOptions) => Lane): void {
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
  if (leftMs() < -longestLateMs) throw new Error('the order came too late');
  if (leftMs() > longestAheadMs) throw new Error('the order is for much later');
  if (leftMs() > lookedAtMs) await pause(leftMs() - lookedAtMs);
  while (leftMs() > 0) await turn();
  return -1000 * leftMs();
}
