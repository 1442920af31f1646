import type { Plan } from '../../../../shared/load-profile.ts';
import type { LoadResult } from '../../../../shared/slot.ts';
import { type Arm, arms } from '../../../../shared/transport.ts';
import type { Instruments } from './measure-slot.ts';
import { troubleOf } from './target-trouble.ts';

const roundMs = 1000;
/** CPU per request that falls by less than this from one round to the next has settled. */
const settled = 0.05;

/**
 * Loads all arms at once, in rounds, until each has had its time and its requests and CPU per request has
 * stopped falling. Nothing of it is kept: just-in-time compilers, caches and pools of the target are its point.
 */
export async function warmUp(
  plan: Plan,
  instruments: Instruments,
  signal: AbortSignal,
  onRound: (fraction: number) => void,
) {
  const { minimumMs, maximumMs, minimumRequests } = plan.warmUp;
  const startedAtMs = performance.now();
  const requests = new Map<Arm, number>(arms.map((arm) => [arm, 0]));
  let cost = Number.POSITIVE_INFINITY;
  for (;;) {
    signal.throwIfAborted();
    const cpuBeforeUs = cpuOfAll(instruments);
    const results = await Promise.all(arms.map((arm) => runRound(arm, instruments)));
    results.forEach((result, index) => {
      const arm = arms[index];
      if (arm !== undefined) requests.set(arm, (requests.get(arm) ?? 0) + result.requests);
    });
    const elapsedMs = performance.now() - startedAtMs;
    onRound(Math.min(1, elapsedMs / minimumMs));
    const before = cost;
    cost = (cpuOfAll(instruments) - cpuBeforeUs) / results.reduce((sum, result) => sum + result.requests, 0);
    const enough = elapsedMs >= minimumMs - roundMs / 2 && Math.min(...requests.values()) >= minimumRequests;
    const falling = cost < before * (1 - settled);
    if (elapsedMs >= maximumMs || (enough && !falling)) return;
  }
}

async function runRound(arm: Arm, { generator }: Instruments): Promise<LoadResult> {
  await generator.prepare(arm);
  const result = await generator.run(arm, { durationMs: roundMs, discardMs: 0, ratePerS: null });
  if (result.succeeded === 0) throw troubleOf(result.errors, 'the warm-up');
  return result;
}

function cpuOfAll({ samplers }: Instruments): number {
  return arms.reduce((sum, arm) => sum + (samplers[arm]?.readCpuUs() ?? 0), 0);
}
