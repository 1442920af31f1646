import { rmSync } from 'node:fs';
import { printDifference, scaleFor } from '../../shared/base/quantity.ts';
import type { Estimate } from '../../shared/base/units.ts';
import type { Plan } from '../../shared/kinds/comparison/load-profile.ts';
import { type MetricId, metricOf } from '../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import { comparison } from '../kinds/comparison/kind.ts';
import { endOf } from '../life/measurement/event-log.ts';
import { median } from '../method/statistics/intervals.ts';
import { describeEnvironment } from '../targets/sampling/machine.ts';
import type { Perturbation } from '../targets/storefront/perturbation.ts';
import { searchScenario } from '../targets/storefront/search-scenario.ts';
import { conductAlone } from '../testing/conduct-alone.ts';
import { noPerturbation as none } from '../testing/no-perturbation.ts';
import { makeDataDirectory } from '../testing/program-in-test.ts';
import { announceTime, expectedS, type LongOptions } from './bench-options.ts';
import { type Burden, tellCost } from './burden-cost.ts';
import { startDisturbers } from './disturber.ts';
import { printCount, printTable } from './print-table.ts';
import { binomialInterval, meanInterval } from './spread.ts';

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

/** Costs that `tellCost` found. */
type Costs = { cpuUs: number; garbageUs: number; sleepUs: number };

const effectsWith = ({ cpuUs, garbageUs, sleepUs }: Costs): Effect[] => {
  const quiet = { others: none, cpuUs: 0, latencyUs: 0, loops: 0 };
  const burnt: Omit<Effect, 'name'> = { ...quiet, comparison: cpu.heavy, cpuUs };
  return [
    { name: '+50 µs of CPU', ...burnt },
    { name: '+50 µs of CPU, two busy loops', ...burnt, loops: 2 },
    { name: '−50 µs of CPU', ...quiet, comparison: none, others: cpu.heavy, cpuUs: -cpuUs },
    { name: 'garbage collected later', ...quiet, comparison: garbage.heavy, cpuUs: garbageUs },
    // Sleeping costs CPU as well, of which nothing is asked.
    { name: '+5 ms of sleep', ...quiet, comparison: sleep.heavy, others: sleep.light, latencyUs: sleepUs },
    { name: '+1 kB of body', ...quiet, comparison: { ...none, bodyBytes: 1024 } },
  ];
};

/** Quick runs of three launches of http against http, one side of which carries an effect of known size: is it found, and nothing else? */
export async function injectEffects({ runs, seed, signal }: LongOptions) {
  const each = runs ?? usualRuns;
  const kinds = effectsWith({ cpuUs: 0, garbageUs: 0, sleepUs: 0 }).length;
  const costLaunches = Math.min(mostCostLaunches, each);
  announceTime(
    `${each * kinds} quick runs with a known effect`,
    (each * kinds * expectedS(request)) / 2 + 3 * costLaunches * costLaunchS,
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
  const observed: Observed[] = [];
  const directory = makeDataDirectory();
  try {
    for (let run = 0; run < each * kinds && !signal.aborted; run++) {
      const effect = effects[run % kinds] as Effect;
      const checks = await runWith(effect, seed + run, directory, signal).catch((error: unknown) => {
        if (!signal.aborted) process.stderr.write(`${endOf(error).problem.problem.detail}\n`);
        return null;
      });
      if (signal.aborted) break;
      observed.push({ effect, checks });
      const said = checks === null ? 'lost' : checks.map(printCheck).join('; ');
      process.stderr.write(`${run + 1} of ${each * kinds}, ${effect.name}: ${said}\n`);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const rows = tallyEffects(effects, observed);
  return { rows, text: printEffects(rows) };
}

function printCheck({ metric, truth, estimate: { lo, hi }, covered }: Check): string {
  return `${metric} ${covered ? 'holds' : 'misses'} ${truth.toFixed(1)} (${lo.toFixed(2)} to ${hi.toFixed(2)})`;
}

/** Longer than any of these runs. */
const longestMs = 8 * 60_000;

/** One run in this process: nothing else can reach the storefront's perturbation. Null if the requested metric has no interval. */
async function runWith(
  effect: Effect,
  seed: number,
  dataDirectory: string,
  signal: AbortSignal,
): Promise<Check[] | null> {
  const disturber = await startDisturbers(effect.loops);
  try {
    const document = await conductAlone(
      briefComparison,
      { ...request, seed },
      {
        house: {
          ...{ dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null, browser: null },
          perturbation: ({ arm }) => (arm === 'comparison' ? effect.comparison : effect.others),
          chooseScenario: async () => ({ scenario: searchScenario, revisionId: null }),
        },
        environment: describeEnvironment('tls-toll bench', true),
        signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
      },
    );
    return document.state === 'finished' ? observeEffect(document, effect) : null;
  } finally {
    await disturber.stop();
  }
}

/**
 * Intervals come from launches, so where it takes hundreds of runs to judge them each launch is measured once and for half as long,
 * after a short warm-up: an hour then holds twice as many runs. Most of that time is load, as in every length.
 */
const brief: Partial<Plan> = {
  epochs: { minimum: 1, maximum: 1 },
  ...{ lockstepMs: 500, maximumMs: 900 },
  warmUp: { transactions: null, longestMs: 2000 },
};

const briefComparison: typeof comparison = {
  ...comparison,
  async prepare(...asked) {
    const { facts, ...prepared } = await comparison.prepare(...asked);
    return { ...prepared, facts: { ...facts, plan: { ...(facts.plan as Plan), ...brief } } };
  },
};

export type Effect = {
  name: string;
  /** Burden of a request on each side; the twin is one of the others. */
  comparison: Perturbation;
  others: Perturbation;
  /** CPU per request that the comparison's burden costs more than the others'; 0 if there is no CPU burden. */
  cpuUs: number;
  /** The same of a transaction's time. */
  latencyUs: number;
  /** Busy loops beside the run. */
  loops: number;
};

/** One thing that a run should have shown of the effect. */
export type Check = {
  metric: MetricId;
  /** In the metric's unit. */
  truth: number;
  /** Estimate in the run, in the metric's unit. */
  estimate: Estimate;
  /** The interval holds the truth. */
  covered: boolean;
  /** The word was overhead, on the side of the truth. */
  found: boolean;
};

type InjectRow = {
  bench: 'inject';
  effect: string;
  metric: MetricId;
  /** In the metric's unit. */
  truth: number | null;
  runs: number;
  covered: number;
  coveredShare: Estimate | null;
  found: number;
  foundShare: Estimate | null;
  /** Estimates on the side of the truth. */
  rightSign: number;
  rightSignShare: Estimate | null;
  /** Mean of what the estimates lie above the truth. */
  bias: Estimate | null;
  medianHalfWidth: number | null;
  lost: number;
};

/** Findings of a run; null if it was refused, failed, or lacks an interval for one of the metrics. */
type Observed = { effect: Effect; checks: Check[] | null };

/** `by` in the unit of the effect; 0 where it does not move the metric. */
type Expected = { metric: MetricId; by: number; truthOf(document: RunDocument): number };

/** Null when the run has no interval for one of the metrics. */
export function observeEffect(document: RunDocument, effect: Effect): Check[] | null {
  const checks = expectedOf(effect).map(({ metric, truthOf }) => check(document, metric, truthOf(document)));
  return checks.every((each) => each !== null) ? checks : null;
}

/** By how much an effect has to move which metric. */
function expectedOf({ comparison, others, cpuUs, latencyUs }: Effect): Expected[] {
  const bodyBytes = comparison.bodyBytes - others.bodyBytes;
  const expected: Expected[] = [
    { metric: 'latency_p50', by: latencyUs, truthOf: () => latencyUs },
    { metric: 'cpu_at_load', by: cpuUs, truthOf: ({ scenario }) => cpuUs * scenario.steps.length },
    {
      ...{ metric: 'wire_bytes_per_transaction', by: bodyBytes },
      truthOf: (document) => addedBytes(document, bodyBytes),
    },
  ];
  return expected.filter(({ by }) => by !== 0);
}

/** The bodies, and the digits by which their Content-Length grows. */
function addedBytes({ preflight }: RunDocument, bodyBytes: number): number {
  const lengths = preflight?.sides.baseline.responses.map((response) => response.bodyBytes) ?? [];
  const digits = (length: number) => `${length}`.length;
  return lengths.reduce((sum, length) => sum + bodyBytes + digits(length + bodyBytes) - digits(length), 0);
}

/** Sums are divided and averaged, so an exact interval may miss the truth by its last binary digits. */
const rounding = 1e-9;

function check(document: RunDocument, metric: MetricId, truth: number): Check | null {
  const { delta: estimate = null, outcome } = document.metrics.find(({ id }) => id === metric) ?? {};
  if (estimate === null) return null;
  const slack = Math.abs(truth) * rounding;
  return {
    metric,
    truth,
    estimate,
    covered: estimate.lo - slack <= truth && truth <= estimate.hi + slack,
    found: outcome === 'overhead' && estimate.center * truth > 0,
  };
}

/** A row an effect, as each should show in one metric. */
export function tallyEffects(effects: readonly Effect[], observed: readonly Observed[]): InjectRow[] {
  return effects.flatMap((effect) => {
    const own = observed.filter((each) => each.effect.name === effect.name);
    const runs = own.flatMap(({ checks }) => (checks === null ? [] : [checks]));
    return expectedOf(effect).map(({ metric }, place) => ({
      ...({ bench: 'inject', effect: effect.name, metric, lost: own.length - runs.length } as const),
      ...tallyOf(runs.flatMap((checks) => checks[place] ?? [])),
    }));
  });
}

function tallyOf(checks: readonly Check[]): Omit<InjectRow, 'bench' | 'effect' | 'metric' | 'lost'> {
  const runs = checks.length;
  const count = (isSo: (each: Check) => boolean) => checks.filter(isSo).length;
  const covered = count((each) => each.covered);
  const found = count((each) => each.found);
  const truth = checks[0]?.truth ?? null;
  const rightSign = count(({ estimate, truth }) => estimate.center * truth > 0);
  return {
    ...{ truth, runs, covered, coveredShare: binomialInterval(covered, runs) },
    ...{ found, foundShare: binomialInterval(found, runs) },
    ...{ rightSign, rightSignShare: binomialInterval(rightSign, runs) },
    bias: meanInterval(checks.map(({ estimate, truth }) => estimate.center - truth)),
    medianHalfWidth: runs === 0 ? null : median(checks.map(({ estimate: { lo, hi } }) => (hi - lo) / 2)),
  };
}

export function printEffects(rows: readonly InjectRow[]): string {
  return printTable(
    [
      ...['effect', 'metric', 'truth', 'interval holds it (at least 90 %)', 'called overhead', 'right sign'],
      ...['bias', 'median half-width', 'lost'],
    ],
    rows.map((row) => {
      const { unit } = metricOf(row.metric);
      const print = (value: number) =>
        printDifference(value, scaleFor(unit, [], row.medianHalfWidth ? [row.medianHalfWidth] : []));
      return [
        ...[row.effect, metricOf(row.metric).title],
        row.truth === null ? '' : print(row.truth),
        printCount(row.covered, row.runs, row.coveredShare),
        printCount(row.found, row.runs, row.foundShare),
        printCount(row.rightSign, row.runs, row.rightSignShare),
        row.bias === null ? '' : `${print(row.bias.center)} (${print(row.bias.lo)} to ${print(row.bias.hi)})`,
        row.medianHalfWidth === null ? '' : print(row.medianHalfWidth).replace('+', '±'),
        `${row.lost}`,
      ];
    }),
  );
}
