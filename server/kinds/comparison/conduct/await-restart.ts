import { setTimeout as pause } from 'node:timers/promises';
import { ProblemError } from '../../../../shared/base/problem.ts';
import { sideNames } from '../../../../shared/base/transport.ts';
import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { type OpenTarget, openTarget, type RunHouse } from '../../../targets/open-target.ts';

const longestMs = 15_000;
const everyMs = 100;

/**
 * Whether a target that stood already, and has just failed, comes back as other processes within seconds, as a
 * supervisor would see to. Never for one that we started, nor where its processes are not known.
 */
export async function awaitRestart(
  error: unknown,
  { listeners }: OpenTarget,
  request: RunRequest,
  house: RunHouse,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(error instanceof ProblemError) || !['target_died', 'target_errors'].includes(error.problem.code)) {
    return false;
  }
  const known = sideNames.every((side) => listeners[side].pid !== null);
  if (factsOf(request.target).startedHere || !known) return false;
  const untilMs = performance.now() + longestMs;
  while (performance.now() < untilMs) {
    const now = await openTarget(request, house, signal);
    const pids = sideNames.map((side) => now.listeners[side].pid);
    // The same processes still listen: they fail, and were not restarted.
    if (sideNames.every((side, index) => pids[index] === listeners[side].pid)) return false;
    if (pids.every((pid) => pid !== null)) return true;
    await pause(everyMs, undefined, { signal });
  }
  return false;
}
