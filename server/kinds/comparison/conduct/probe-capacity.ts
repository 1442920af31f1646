import type { Plan } from '../../../../shared/load-profile.ts';
import { problem } from '../../../../shared/problem.ts';
import { describeErrors } from '../analyse/describe-errors.ts';
import { probeMsOf } from '../plan/operating-point.ts';
import type { Instruments } from './measure-slot.ts';
import { troubleOf } from './target-trouble.ts';

/** Transactions per second that each arm manages in a closed loop; the first half of the probe only warms it up. */
export async function probeCapacity(
  plan: Plan,
  { generator }: Instruments,
  signal: AbortSignal,
): Promise<{ baseline: number; comparison: number }> {
  const probe = async (arm: 'baseline' | 'comparison') => {
    signal.throwIfAborted();
    const prepared = await generator.prepare(arm);
    if (prepared.errors.length > 0)
      throw problem(
        'target_unreachable',
        `The target could not be connected to: ${describeErrors(prepared.errors)}.`,
      );
    const durationMs = probeMsOf(plan);
    const slot = { durationMs, discardMs: durationMs / 2, ratePerS: null };
    const result = await generator.run(arm, slot);
    if (result.succeededInWindow === 0) throw troubleOf(result.errors, 'the capacity probe');
    return result.succeededInWindow / (result.windowUs / 1e6);
  };
  return { baseline: await probe('baseline'), comparison: await probe('comparison') };
}
