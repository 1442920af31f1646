import type { Launch } from '../../../../shared/run.ts';
import { arms } from '../../../../shared/transport.ts';
import type { Generator } from '../../../load/start-generator.ts';
import type { MeasuredWindow } from '../analyse/block-ratios.ts';
import { hasSettled } from '../analyse/has-settled.ts';
import type { Instruments } from './instruments.ts';
import { runWindows } from './measure-lockstep.ts';
import type { RunUnderWay } from './run-under-way.ts';
import { troubleOf } from './target-trouble.ts';

const mostUsers = 8;
/** Of the time for the warm-up, what loading all arms at once may take. */
const bulkShare = 0.6;

/**
 * Nothing of it is kept: just-in-time compilers, caches and pools of the target are its point. First all arms are loaded
 * at once until each has had its requests; then windows of lockstep, until neither the cost of a transaction nor the ratio
 * of the sides moves any more. Seconds alone would leave the processes of a slow machine cold.
 */
export async function warmUp(
  run: Pick<RunUnderWay, 'plan' | 'scenario' | 'startedAtMs'>,
  instruments: Instruments,
  seed: number,
  signal: AbortSignal,
): Promise<Launch['warmUp']> {
  const { plan, scenario } = run;
  const { generator } = instruments;
  const fromMs = performance.now();
  const leftMs = (share: number) => share * plan.warmUp.longestMs - (performance.now() - fromMs);
  const windows = (ms: number, enough: (all: readonly MeasuredWindow[]) => boolean, users?: number) =>
    runWindows({ seed, runStartedAtMs: run.startedAtMs }, plan, instruments, signal, ms, enough, users);
  for (const arm of arms) await generator.prepare(arm);

  let requests = 0;
  const users = instruments.sharedTrees ? 1 : Math.min(mostUsers, plan.connections);
  const bulk = await windows(
    leftMs(bulkShare),
    (all) => {
      requests += (all.at(-1)?.arms.baseline.transactions ?? 0) * scenario.steps.length;
      return requests >= plan.warmUp.requests;
    },
    users,
  );
  await demandAnswers(bulk, generator);

  let settled = false;
  await windows(leftMs(1), (all) => {
    settled = hasSettled(all);
    return settled;
  });
  return { requests, ms: Math.round(performance.now() - fromMs), settled };
}

/** Throws target_died or target_errors where an arm answered nothing. */
async function demandAnswers(windows: readonly MeasuredWindow[], generator: Generator): Promise<void> {
  for (const arm of arms) {
    if (windows.some((window) => window.arms[arm].transactions > 0)) continue;
    const { errors } = await generator.collect(arm);
    if (errors.length > 0) throw troubleOf(errors, 'the warm-up');
  }
}
