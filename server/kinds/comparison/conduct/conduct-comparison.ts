import type { Block } from '../../../../shared/block.ts';
import type { PreflightReport } from '../../../../shared/preflight.ts';
import { problem } from '../../../../shared/problem.ts';
import type { RunFacts, RunRequest } from '../../../../shared/run.ts';
import { arms, sideNames } from '../../../../shared/transport.ts';
import type { Generator } from '../../../load/start-generator.ts';
import type { Task, Watch } from '../../../measurement/kind.ts';
import { demandSockets, opensConnections } from '../../../policy/socket-limits.ts';
import { readSocketLimits } from '../../../sampling/socket-limits.ts';
import { type OpenTarget, openTarget } from '../../../target/open-target.ts';
import { preflight } from '../../../target/preflight/preflight.ts';
import { realApparatus } from '../../apparatus.ts';
import type { ConfiguredHouse } from '../../house.ts';
import { rateFor } from '../plan/operating-point.ts';
import { measure } from './measure.ts';
import type { Instruments } from './measure-slot.ts';
import { probeCapacity } from './probe-capacity.ts';
import { RunUnderWay } from './run-under-way.ts';
import { visitInBrowser } from './visit-in-browser.ts';
import { warmUp } from './warm-up.ts';

/**
 * One run from its first connection to its last block: preflight, capacity, warm-up, measuring.
 * Whatever happens, the generator and the target are gone when it returns.
 */
export async function conductComparison(
  task: Task<RunRequest, RunFacts>,
  watch: Watch<RunFacts, Block>,
  house: ConfiguredHouse,
): Promise<void> {
  const { startGenerator, openSampler, countersOf, readHost } = house.apparatus ?? realApparatus;
  const run = new RunUnderWay(task, watch);
  const { signal: cancelled } = watch;
  await run.enter('preflight');
  const target = await openTarget(run.request, house, cancelled);
  const signal = abortedByDeath(cancelled, target);
  let generator: Generator | null = null;
  try {
    generator = await startGenerator(run.plan.generators);
    await check(run, target, signal);
    const readLimits = () => readSocketLimits(socketOwners(generator, target));
    // The warm-up loads all arms at once, and one process may serve them all.
    demandSockets(readLimits(), run.plan.connections, arms.length * run.plan.connections);
    await generator.configure({
      listeners: arms.map((arm) => target.listeners[arm]),
      scenario: run.scenario,
      tls: run.request.tls,
      connectionPolicy: run.plan.connectionPolicy,
      requestsPerConnection: run.plan.requestsPerConnection,
      thinkTimeScale: run.plan.thinkTimeScale,
      connections: run.plan.connections,
      requestTimeoutMs: run.plan.requestTimeoutMs,
    });
    const instruments: Instruments = {
      generator,
      samplers: {
        baseline: openSampler(target.listeners.baseline),
        comparison: openSampler(target.listeners.comparison),
        twin: openSampler(target.listeners.twin),
      },
      counters: countersOf(target),
      beforeSlot: target.beforeSlot,
      readSocketLimits: opensConnections(run.plan.connectionPolicy) ? readLimits : null,
      readHost,
      memoryBytes: new Map(),
      connectionsOpened: new Map(),
      runStartedAtMs: run.startedAtMs,
    };

    await run.enter('capacity');
    const capacity = await probeCapacity(run.plan, instruments, signal);
    run.plan.ratePerS = rateFor(run.plan.ratePerS, capacity);

    await run.enter('warm-up');
    const [cache] = await Promise.all([
      visitInBrowser(run, target, house, signal),
      warmUp(run.plan, instruments, signal, (fraction) => run.advance(fraction)),
    ]);
    await run.note({ cache });

    await run.enter('measuring');
    await measure(run, capacity, instruments, signal);
    signal.throwIfAborted();
    await run.enter('analysing');
  } finally {
    await Promise.allSettled([generator?.stop(), target.stop()]);
  }
}

function socketOwners(generator: Generator | null, { listeners }: OpenTarget) {
  const targets = new Set(Object.values(listeners).flatMap(({ pid }) => pid ?? []));
  return [
    ...(generator?.pids ?? []).map((pid) => ({ owner: 'the load generator', pid })),
    ...[...targets].map((pid) => ({ owner: 'the target', pid })),
  ];
}

/** Aborted with the reason `target_died` when the target ends by itself. */
function abortedByDeath(cancelled: AbortSignal, target: OpenTarget): AbortSignal {
  const death = new AbortController();
  void target.died.then((sentence) => death.abort(problem('target_died', sentence)));
  return AbortSignal.any([cancelled, death.signal]);
}

async function check(run: RunUnderWay, target: OpenTarget, signal: AbortSignal): Promise<void> {
  const report = await preflight({
    listeners: { baseline: target.listeners.baseline, comparison: target.listeners.comparison },
    scenario: run.scenario,
    tls: run.request.tls,
    connectionPolicy: run.plan.connectionPolicy,
    signal,
  });
  await run.note({ preflight: report });
  if (!report.ok)
    throw problem(
      reachable(report) ? 'not_comparable' : 'target_unreachable',
      report.refusal ?? 'The preflight checks failed.',
    );
}

function reachable({ sides }: PreflightReport): boolean {
  return sideNames.every((side) =>
    sides[side].checks.every(
      ({ id, status }) => status !== 'fail' || !['address', 'connect', 'tls', 'certificate'].includes(id),
    ),
  );
}
