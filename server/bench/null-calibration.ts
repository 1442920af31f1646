import { sidesOfPair, type TransportPair } from '../../shared/base/transport.ts';
import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import { noPerturbation } from '../testing/no-perturbation.ts';
import { attemptRuns } from './attempt-runs.ts';
import { announceTime, type BenchOptions } from './bench-options.ts';
import { type NullCondition, nullConditions, observeNull, printNull, tallyNull } from './null-tally.ts';
import { expectedS, type RunInProcess } from './run-in-process.ts';

const usualRuns = 120;
const launches = 3;
const driftUs = 100;
const everySecondUs = 60;

const pairs: TransportPair[] = [
  ['http', 'http'],
  ['https', 'https'],
];

/**
 * Quick runs of three launches of the storefront against itself: no difference is there to be found. They take turns, with and
 * without TLS, on a machine that is left alone and disturbed in three ways, each of which strikes all arms alike.
 */
export async function calibrateNull({ runs, seed, signal }: BenchOptions) {
  const plans = Array.from({ length: runs ?? usualRuns }, (_, index) => planned(index, seed + index));
  announceTime(
    `${plans.length} quick runs of the storefront against itself, and refused ones once more`,
    plans.reduce((sum, { run }) => sum + expectedS(run.request, true), 0),
  );
  const attempts = await attemptRuns(
    plans,
    observeNull,
    ({ metrics }) =>
      metrics
        .map(
          ({ id, outcome, ratio }) =>
            `${id} ${outcome}${ratio === null ? '' : ` ${ratio.lo.toFixed(3)} to ${ratio.hi.toFixed(3)}`}`,
        )
        .join('; '),
    signal,
  );
  const { rows, losses } = tallyNull(attempts);
  return { rows: [...rows, ...losses], text: printNull(rows, losses) };
}

type PlannedNull = { title: string; condition: NullCondition; run: RunInProcess };

function planned(index: number, seed: number): PlannedNull {
  const transports = pairs[index % pairs.length] as TransportPair;
  const condition = nullConditions[Math.floor(index / pairs.length) % nullConditions.length] as NullCondition;
  const request: RunRequestInput = { length: 'first', sides: sidesOfPair(transports), launches, seed };
  return {
    title: `${transports.join(' against ')}, ${condition}`,
    condition,
    run: { request, brief: true, ...disturb(condition, expectedS(request, true) * 1000) },
  };
}

/** The drift rises over the whole run, launch after launch. */
function disturb(condition: NullCondition, runMs: number): Omit<RunInProcess, 'request'> {
  if (condition === 'drift') {
    let startedAt: number | null = null;
    return onAll(() => {
      startedAt ??= performance.now();
      return driftUs * Math.min(1, (performance.now() - startedAt) / runMs);
    });
  }
  if (condition === 'period two') return onAll((window) => (window % 2 === 0 ? everySecondUs : 0));
  return condition === 'bursts' ? { disturbances: ['bursts'] } : {};
}

/** CPU a request. */
function onAll(cpuUsIn: (window: number) => number): Omit<RunInProcess, 'request'> {
  return { perturbation: ({ window }) => ({ ...noPerturbation, cpuUs: cpuUsIn(window) }) };
}
