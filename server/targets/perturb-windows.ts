import type { Perturbation } from './storefront/perturbation.ts';
import type { StorefrontProcess } from './storefront-process.ts';

/**
 * What an arm's requests are burdened with, asked before each window and slot of a launch. They count from 1; 0 is all that
 * comes before: preflight and the start of the warm-up.
 */
export type PerturbationPlan = (moment: {
  arm: string;
  window: number;
  /** Since the first window began. */
  elapsedMs: number;
}) => Perturbation | null;

/** Puts window 0's burden on every arm; what it resolves to is to be called before each window. */
export async function perturbWindows<Name extends string>(
  plan: PerturbationPlan,
  processes: Record<Name, Pick<StorefrontProcess, 'perturb'>>,
): Promise<() => Promise<void>> {
  const arms = Object.keys(processes) as Name[];
  let window = 0;
  let firstAtMs = 0;
  const perturbAll = async (elapsedMs: number) => {
    await Promise.all(arms.map((arm) => processes[arm].perturb(plan({ arm, window, elapsedMs }))));
  };
  await perturbAll(0);
  return async () => {
    window++;
    const nowMs = performance.now();
    if (window === 1) firstAtMs = nowMs;
    await perturbAll(nowMs - firstAtMs);
  };
}
