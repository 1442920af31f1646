import type { Estimate } from '../../shared/comparison.ts';
import type { RunRequestInput } from '../../shared/run.ts';
import { noPerturbation as none, type Perturbation } from '../target/storefront/perturbation.ts';
import { attemptRuns } from './attempt-runs.ts';
import { announceTime, type BenchOptions } from './bench-options.ts';
import { measureBurdenCost } from './burden-cost.ts';
import { type Effect, observeEffect, printEffects, tallyEffects } from './inject-tally.ts';
import { expectedS, type RunInProcess } from './run-in-process.ts';

const usualRuns = 40;
const launches = 3;
const request: RunRequestInput = { preset: 'quick', transports: ['http', 'http'], launches };

/** Costs about 200 µs a request on a virtual machine with two AMD EPYC cores. */
const garbageObjects = 3000;
const mostCostLaunches = 3;
const costLaunchS = 50;

/**
 * Who sleeps has to be woken, and finds its caches cold: that is not the length of the sleep, so where the comparison side
 * sleeps longer the others sleep as well. Sleeping costs CPU, so nothing is asked of CPU there.
 */
const effectsWith = (burntUs: number, garbageUs: number): Effect[] => {
  const burnt = { comparison: { ...none, cpuUs: 50 }, others: none, cpuUs: burntUs, disturbances: [] };
  return [
    { name: '+50 µs of CPU', ...burnt },
    { name: '+50 µs of CPU, two busy loops', ...burnt, disturbances: ['loop', 'loop'] },
    { ...burnt, name: '−50 µs of CPU', comparison: none, others: burnt.comparison, cpuUs: -burntUs },
    {
      name: 'garbage collected later',
      ...{ comparison: { ...none, garbageObjects }, others: none, cpuUs: garbageUs, disturbances: [] },
    },
    {
      name: '+5 ms of sleep',
      ...{ comparison: { ...none, sleepMs: 8 }, others: { ...none, sleepMs: 3 }, cpuUs: 0, disturbances: [] },
    },
    {
      name: '+1 kB of body',
      ...{ comparison: { ...none, bodyBytes: 1024 }, others: none, cpuUs: 0, disturbances: [] },
    },
  ];
};

/** Quick runs of three launches of http against http, one side of which carries an effect of known size: is it found, and nothing else? */
export async function injectEffects({ runs, seed, signal }: BenchOptions) {
  const each = runs ?? usualRuns;
  const kinds = effectsWith(0, 0).length;
  const costLaunches = Math.min(mostCostLaunches, each);
  announceTime(
    `${each * kinds} quick runs with a known effect, and refused ones once more`,
    each * kinds * expectedS(request, true) + 2 * costLaunches * costLaunchS,
  );
  const burnt = await tellCost('50 µs of CPU', { cpuUs: 50 }, costLaunches, signal);
  const garbage = await tellCost('garbage collected later', { garbageObjects }, costLaunches, signal);
  if (burnt === null || garbage === null) return { rows: [], text: '' };

  const effects = effectsWith(burnt.center, garbage.center);
  const attempts = await attemptRuns(
    Array.from({ length: each }, (_, index) =>
      effects.map((effect, place) => planned(effect, seed + index * kinds + place)),
    ).flat(),
    (document, { effect }) => observeEffect(document, effect),
    (checks) =>
      checks
        .map(({ metric, truth, estimate, covered }) => {
          const shown = `${estimate.lo.toFixed(2)} to ${estimate.hi.toFixed(2)}`;
          return `${metric} ${covered ? 'holds' : 'misses'} ${truth.toFixed(1)} (${shown})`;
        })
        .join('; '),
    signal,
  );
  const rows = tallyEffects(effects, attempts);
  return { rows, text: printEffects(rows) };
}

async function tellCost(
  name: string,
  burden: Partial<Perturbation>,
  launches: number,
  signal: AbortSignal,
): Promise<Estimate | null> {
  const cost = await measureBurdenCost(burden, launches, signal).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (cost !== null) {
    const [center, half] = [cost.center.toFixed(1), ((cost.hi - cost.lo) / 2).toFixed(1)];
    process.stderr.write(`${name}: ${center} ±${half} µs a request by the processes' own count\n`);
  }
  return cost;
}

function planned(effect: Effect, seed: number): { title: string; effect: Effect; run: RunInProcess } {
  return {
    title: effect.name,
    effect,
    run: {
      request: { ...request, seed },
      brief: true,
      perturbation: ({ arm }) => (arm === 'comparison' ? effect.comparison : effect.others),
      disturbances: effect.disturbances,
    },
  };
}
