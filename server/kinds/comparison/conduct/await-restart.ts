import { setTimeout as pause } from 'node:timers/promises';
import { sidesOfArms } from '../../../../shared/base/arms.ts';
import { ProblemError } from '../../../../shared/base/problem.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { type OpenTarget, openTarget, type RunHouse } from '../../../targets/open-target.ts';
import type { AskedTarget } from '../../../targets/part-target.ts';

const longestMs = 15_000;
/** Each look reads the sockets of every process of this machine. */
const everyMs = 500;

/**
 * Whether a target that stood already, and has just failed, comes back as other processes within seconds, as a
 * supervisor would see to. Never for one that we started, nor where its processes are not known.
 */
export async function awaitRestart<Name extends string>(
  error: unknown,
  { listeners }: OpenTarget<Name>,
  asked: AskedTarget<Name>,
  house: RunHouse,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(error instanceof ProblemError) || !['target_died', 'target_errors'].includes(error.problem.code)) {
    return false;
  }
  const sides = sidesOfArms(asked.arms);
  const known = sides.every((side) => listeners[side].pid !== null);
  if (factsOf(asked.target).startedHere || !known) return false;
  const untilMs = performance.now() + longestMs;
  while (performance.now() < untilMs) {
    const now = await openTarget(asked, house, signal);
    const pids = sides.map((side) => now.listeners[side].pid);
    // The same processes still listen: they fail, and were not restarted.
    if (sides.every((side, index) => pids[index] === listeners[side].pid)) return false;
    if (pids.every((pid) => pid !== null)) return true;
    await pause(everyMs, undefined, { signal });
  }
  return false;
}
