import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { problem } from '../../../shared/base/problem.ts';
import { type SideName, sideNames } from '../../../shared/base/transport.ts';
import {
  type ExplainFacts,
  type ExplainLaunch,
  type ExplainRequest,
  explainArms,
  explainedOf,
} from '../../../shared/kinds/explain/explain.ts';
import { managedTargetSchema } from '../../../shared/target/target.ts';
import { SleepWatch } from '../../base/process/cpu.ts';
import type { Generator } from '../../drive/load/start-generator.ts';
import { countedProcesses, demandValgrind, takeCounts } from '../../targets/managed/kept-servers.ts';
import { type OpenManaged, openManaged } from '../../targets/managed/open-managed.ts';
import { askTarget, type OpenTarget, openTarget } from '../../targets/open/open-target.ts';
import { type ConfiguredHouse, realApparatus } from '../apparatus.ts';
import type { Task, Watch } from '../kind.ts';
import { Progress, whileAlive } from '../progress.ts';
import { factsWith, problemIn } from './conduct-explain.ts';
import {
  analyseCounts,
  type CountTimes,
  countedTimeoutMs,
  countPhases,
  countTimes,
} from './explain-analysis.ts';

/**
 * Starts the server twice. The preflight checks the first launch, which is then ended: the requests of a preflight would stay in the server's memory and
 * move the count by a thousandth. The second launch runs in Valgrind, where one user requests the same document again and again: first to warm up, then
 * part by part. Whatever happens, the server, Valgrind, and the generator are gone when it returns, and so is what Valgrind wrote.
 */
export async function conductCounts(
  { request, facts: planned }: Task<ExplainRequest, ExplainFacts, ExplainLaunch>,
  { signal: cancelled, tell, keep }: Watch<ExplainFacts, ExplainLaunch>,
  house: ConfiguredHouse,
  times: CountTimes = countTimes(request),
): Promise<void> {
  const { version, path, vgdb } = demandValgrind();
  const phases = () => countPhases(times);
  const progress = new Progress({ phases, counts: { round: 'part', step: null } }, tell);
  progress.enter('preparing');
  const asked = askTarget(explainedOf(request), explainArms, {});
  const counted = { ...asked, target: managedTargetSchema.parse(asked.target) };
  let facts = planned;
  await withinLimit(times.longestMs, cancelled, async (limited) => {
    const generator = await (house.apparatus ?? realApparatus).startGenerator(1, limited);
    const texts = { baseline: [] as string[][], comparison: [] as string[][] };
    const openPlain = (signal: AbortSignal) => openTarget(asked, house, signal);
    const openCounted = (signal: AbortSignal) => openManaged(counted, house, signal, path);
    const compare = async (target: OpenTarget<SideName>, signal: AbortSignal) => {
      facts = await factsWith(facts, request, target, signal);
      await keep({ facts });
    };
    const count = async (target: OpenManaged<SideName>, signal: AbortSignal) => {
      await configure(request, target, generator);
      progress.enter('measuring');
      for (const side of sideNames) {
        const under = { request, times, generator, vgdb, directory: join(target.directory, side) };
        for await (const part of countParts(side, under, signal)) {
          texts[side].push(part);
          progress.endRound();
        }
      }
    };
    try {
      await progress.during(async () => {
        await whileAlive(limited, openPlain, compare);
        await whileAlive(limited, openCounted, count);
      });
    } finally {
      await generator.stop();
    }
    const instructions = analyseCounts({ valgrind: version, requests: times.requests, texts });
    await keep({ facts: { ...facts, instructions } });
  });
}

/** Ends what takes too long. */
async function withinLimit(
  longestMs: number,
  cancelled: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limit = new AbortController();
  const timer = setTimeout(() => {
    const minutes = longestMs / 60_000;
    limit.abort(
      problem(
        'count_failed',
        `Counting took more than ${minutes} minutes. Choose a smaller document or key.`,
      ),
    );
  }, longestMs);
  try {
    await work(AbortSignal.any([cancelled, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** For one user: what a server does for several at once depends on their order. */
async function configure(
  request: ExplainRequest,
  { listeners }: OpenManaged<SideName>,
  generator: Generator,
): Promise<void> {
  const { scenario, tls, connectionPolicy } = explainedOf(request);
  await generator.configure({
    ...{ listeners: sideNames.map((side) => listeners[side]), scenario, tls, connectionPolicy },
    ...{ connections: 1, requestTimeoutMs: countedTimeoutMs },
  });
}

type SideUnderWay = {
  request: ExplainRequest;
  times: CountTimes;
  generator: Generator;
  vgdb: string;
  /** The listener's own. */
  directory: string;
};

/**
 * Counts that each process wrote after each part. Servers format the time once a second, and in Valgrind a second contains few
 * requests. Therefore a part begins with a second, after its first request, and most parts end before the next second.
 */
async function* countParts(
  side: SideName,
  under: SideUnderWay,
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  const { times, generator, vgdb, directory } = under;
  await generator.prepare(side, false, 1);
  await drive(side, times.warmUp, under, signal);
  for (let part = 0; part < times.parts; part++) {
    await pause(1000 - (Date.now() % 1000), undefined, { signal });
    await drive(side, 1, under, signal);
    await takeCounts(directory, vgdb, signal);
    await drive(side, times.requests, under, signal);
    yield await takeCounts(directory, vgdb, signal);
  }
}

/** Requests one after another. Returns when the server has nothing left to do. */
async function drive(
  side: SideName,
  requests: number,
  { request, generator, directory }: SideUnderWay,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  // A window ends with the turn that is under way.
  const turn = {
    durationMs: 1,
    users: 1,
    turnTransactions: requests,
    trees: null,
    seed: 0,
    firstRow: 0,
    sameRow: true,
  };
  const { arms: found } = await generator.window({ ...turn, arms: [side] });
  if (found[side].transactions < requests)
    throw await problemIn(request, generator, 'while instructions were counted');
  const sleep = new SleepWatch(() => countedProcesses(directory));
  for (let look = 0; look < mostLooks && !(await sleep.await()).asleep; look++) signal.throwIfAborted();
}

/** Each takes a tenth of a second at most. A server that never sleeps is read anyway. */
const mostLooks = 50;
