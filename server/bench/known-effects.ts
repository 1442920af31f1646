import { runRequestSchema } from '../../shared/run.ts';
import { runS } from '../kinds/comparison/plan/plan-duration.ts';
import { planFor } from '../kinds/comparison/plan/presets.ts';
import type { Perturbation } from '../target/storefront/perturbation.ts';
import { attemptRuns } from './attempt-runs.ts';
import { announceTime, type BenchOptions } from './bench-options.ts';
import { type Effect, observeEffect, printEffects, tallyEffects } from './inject-tally.ts';
import type { RunInProcess } from './run-in-process.ts';

const usualRuns = 20;
const none = { cpuUs: 0, sleepMs: 0, bodyBytes: 0 };

/**
 * On each request of the comparison side. Who sleeps has to be woken, and finds its caches cold: that is not the length of
 * the sleep, so where the comparison side sleeps longer the others sleep as well.
 */
const effects: PlannedEffect[] = [
  { name: '+50 µs of CPU', added: { ...none, cpuUs: 50 }, onAll: none },
  { name: '+5 ms of sleep', added: { ...none, sleepMs: 5 }, onAll: { ...none, sleepMs: 1 } },
  { name: '+1 kB of body', added: { ...none, bodyBytes: 1024 }, onAll: none },
];

type PlannedEffect = Effect & { onAll: Perturbation };

/** Quick runs of http against http whose comparison side carries an effect of known size: is it found, and nothing else? */
export async function injectEffects({ runs, seed, signal }: BenchOptions) {
  const each = runs ?? usualRuns;
  const plan = planFor(runRequestSchema.parse({ preset: 'quick' }), 0);
  const count = each * effects.length;
  announceTime(
    `${count} quick runs with a known effect, and refused ones once more`,
    count * runS(plan, plan.blocksPerPoint.maximum),
  );
  const attempts = await attemptRuns(
    Array.from({ length: each }, (_, index) =>
      effects.map((effect, place) => planned(effect, seed + index * effects.length + place)),
    ).flat(),
    (document, { effect }) => observeEffect(document, effect),
    (checks) =>
      checks
        .map(({ metric, truth, estimate, recovered }) => {
          const shown = `${estimate.lo.toFixed(2)} to ${estimate.hi.toFixed(2)}`;
          return `${metric} ${recovered ? 'recovered' : 'missed'} ${truth} (${shown})`;
        })
        .join('; '),
    signal,
  );
  const rows = tallyEffects(effects, attempts);
  return { rows, text: printEffects(rows) };
}

function planned(effect: PlannedEffect, seed: number): { title: string; effect: Effect; run: RunInProcess } {
  const { onAll, added } = effect;
  const onComparison = {
    cpuUs: onAll.cpuUs + added.cpuUs,
    sleepMs: onAll.sleepMs + added.sleepMs,
    bodyBytes: onAll.bodyBytes + added.bodyBytes,
  };
  return {
    title: effect.name,
    effect,
    run: {
      request: { preset: 'quick', transports: ['http', 'http'], seed },
      perturbation: ({ arm }) => (arm === 'comparison' ? onComparison : onAll),
    },
  };
}
