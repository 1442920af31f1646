import type { Estimate } from '../../shared/kinds/comparison/comparison.ts';
import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import { noPerturbation as none } from '../testing/no-perturbation.ts';
import { attemptRuns } from './attempt-runs.ts';
import { announceTime, type BenchOptions } from './bench-options.ts';
import { type Burden, type BurdenCost, measureBurdenCost } from './burden-cost.ts';
import { type Effect, observeEffect, printEffects, tallyEffects } from './inject-tally.ts';
import { expectedS, type RunInProcess } from './run-in-process.ts';

const usualRuns = 40;
const launches = 3;
const request: RunRequestInput = {
  length: 'first',
  sides: { baseline: { transport: 'http' }, comparison: { transport: 'http' } },
  launches,
};

/** Costs about 200 µs a request on a virtual machine with two AMD EPYC cores. */
const garbageObjects = 3000;
const mostCostLaunches = 3;
const costLaunchS = 50;

const cpu: Burden = { heavy: { ...none, cpuUs: 50 }, light: none };
const garbage: Burden = { heavy: { ...none, garbageObjects }, light: none };
/** Waking up costs time as well, so both sides sleep, and what 5 ms more cost in all is measured. */
const sleep: Burden = { heavy: { ...none, sleepMs: 8 }, light: { ...none, sleepMs: 3 }, turn: 100 };

/** What each costs, as `measureBurdenCost` found it. */
type Costs = { cpuUs: number; garbageUs: number; sleepUs: number };

const effectsWith = ({ cpuUs, garbageUs, sleepUs }: Costs): Effect[] => {
  const quiet = { others: none, cpuUs: 0, latencyUs: 0, disturbances: [] };
  const burnt: Omit<Effect, 'name'> = { ...quiet, comparison: cpu.heavy, cpuUs };
  return [
    { name: '+50 µs of CPU', ...burnt },
    { name: '+50 µs of CPU, two busy loops', ...burnt, disturbances: ['loop', 'loop'] },
    { name: '−50 µs of CPU', ...quiet, comparison: none, others: cpu.heavy, cpuUs: -cpuUs },
    { name: 'garbage collected later', ...quiet, comparison: garbage.heavy, cpuUs: garbageUs },
    // Sleeping costs CPU as well, of which nothing is asked.
    { name: '+5 ms of sleep', ...quiet, comparison: sleep.heavy, others: sleep.light, latencyUs: sleepUs },
    { name: '+1 kB of body', ...quiet, comparison: { ...none, bodyBytes: 1024 } },
  ];
};

/** Quick runs of three launches of http against http, one side of which carries an effect of known size: is it found, and nothing else? */
export async function injectEffects({ runs, seed, signal }: BenchOptions) {
  const each = runs ?? usualRuns;
  const kinds = effectsWith({ cpuUs: 0, garbageUs: 0, sleepUs: 0 }).length;
  const costLaunches = Math.min(mostCostLaunches, each);
  announceTime(
    `${each * kinds} quick runs with a known effect, and refused ones once more`,
    each * kinds * expectedS(request, true) + 3 * costLaunches * costLaunchS,
  );
  const cost = (name: string, burden: Burden) => tellCost(name, burden, costLaunches, signal);
  const costs = {
    cpu: await cost('50 µs of CPU', cpu),
    garbage: await cost('garbage collected later', garbage),
    sleep: await cost('5 ms of sleep', sleep),
  };
  if (costs.cpu === null || costs.garbage === null || costs.sleep === null) return { rows: [], text: '' };

  const effects = effectsWith({
    cpuUs: costs.cpu.cpuUs.center,
    garbageUs: costs.garbage.cpuUs.center,
    sleepUs: costs.sleep.latencyUs.center,
  });
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
  burden: Burden,
  launches: number,
  signal: AbortSignal,
): Promise<BurdenCost | null> {
  const cost = await measureBurdenCost(burden, launches, signal).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (cost !== null) {
    const print = ({ center, lo, hi }: Estimate) => `${center.toFixed(1)} ±${((hi - lo) / 2).toFixed(1)} µs`;
    process.stderr.write(
      `${name}: ${print(cost.cpuUs)} of CPU a request by the processes' own count, ${print(cost.latencyUs)} a transaction by a client's clock\n`,
    );
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
