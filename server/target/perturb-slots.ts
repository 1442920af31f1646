import { type Arm, arms } from '../../shared/transport.ts';
import type { Perturbation } from './storefront/perturbation.ts';
import type { StorefrontProcess } from './storefront-process.ts';

/**
 * What an arm's requests are burdened with, asked before each slot. Slots count from 1, whatever their arm, the discarded
 * block's included; slot 0 is all that comes before: preflight, capacity and warm-up.
 */
export type PerturbationPlan = (moment: {
  arm: Arm;
  slot: number;
  /** Since the first slot began. */
  elapsedMs: number;
}) => Perturbation | null;

/** Puts slot 0's burden on every arm; what it resolves to is to be called before each slot. */
export async function perturbSlots(
  plan: PerturbationPlan,
  processes: Record<Arm, Pick<StorefrontProcess, 'perturb'>>,
): Promise<(arm: Arm) => Promise<void>> {
  let slot = 0;
  let firstAtMs = 0;
  await Promise.all(arms.map((arm) => processes[arm].perturb(plan({ arm, slot, elapsedMs: 0 }))));
  return async (arm) => {
    slot++;
    const nowMs = performance.now();
    if (slot === 1) firstAtMs = nowMs;
    await processes[arm].perturb(plan({ arm, slot, elapsedMs: nowMs - firstAtMs }));
  };
}
