import type { Plan } from '../../../../shared/load-profile.ts';
import type { Launch } from '../../../../shared/run.ts';
import { arms } from '../../../../shared/transport.ts';
import { hasSettled } from '../analyse/has-settled.ts';
import type { Instruments } from './instruments.ts';
import { runWindows } from './measure-lockstep.ts';
import { troubleOf } from './target-trouble.ts';

const roundMs = 400;
/** Of the time for the warm-up, what loading all arms at once may take. */
const bulkShare = 0.6;

/**
 * Nothing of it is kept: just-in-time compilers, caches and pools of the target are its point. First all arms are loaded
 * at once until each has had its requests; then windows of lockstep, until neither the cost of a transaction nor the ratio
 * of the sides moves any more. Seconds alone would leave the processes of a slow machine cold.
 */
export async function warmUp(
  plan: Plan,
  instruments: Instruments,
  place: { seed: number; runStartedAtMs: number },
  signal: AbortSignal,
): Promise<Launch['warmUp']> {
  const { generator } = instruments;
  const { longestMs } = plan.warmUp;
  const startedAtMs = performance.now();
  const requests = new Map(arms.map((arm) => [arm, 0]));
  const elapsedMs = () => performance.now() - startedAtMs;
  do {
    signal.throwIfAborted();
    for (const arm of arms) await generator.prepare(arm);
    const slot = { durationMs: roundMs, discardMs: 0, ratePerS: null };
    const results = await Promise.all(arms.map((arm) => generator.run(arm, slot)));
    for (const [index, result] of results.entries()) {
      if (result.succeeded === 0) throw troubleOf(result.errors, 'the warm-up');
      const arm = arms[index];
      if (arm !== undefined) requests.set(arm, (requests.get(arm) ?? 0) + result.requests);
    }
  } while (Math.min(...requests.values()) < plan.warmUp.requests && elapsedMs() < bulkShare * longestMs);

  for (const arm of arms) await generator.prepare(arm);
  let settled = false;
  const leftMs = Math.max(0, longestMs - elapsedMs());
  await runWindows(place, plan, instruments, signal, leftMs, (all) => {
    settled = hasSettled(all);
    return settled;
  });
  return { requests: Math.min(...requests.values()), ms: Math.round(elapsedMs()), settled };
}
