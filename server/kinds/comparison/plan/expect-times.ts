import { lengthNames, lengths } from '../../../../shared/kinds/comparison/load-names.ts';
import { runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import type { ExpectedTime } from '../../../../shared/results/summary.ts';
import type { TargetKind } from '../../../../shared/target/target.ts';
import { studentQuantile } from '../../../method/statistics/distributions.ts';
import { median } from '../../../method/statistics/intervals.ts';
import { fewestSamples } from '../../../method/statistics/pool-runs.ts';
import { movesBetweenRuns, shippedBetweenRuns } from '../analyse/pool-of-run.ts';
import { epochS, launchS, runS } from './plan-duration.ts';
import { planFor } from './plan-for.ts';

/** Older runs say less about this machine as it is now. */
const mostRuns = 9;

/**
 * Standard deviation of a sample's log ratio of CPU per transaction on a quiet machine with two cores: medians of 44 runs of
 * `npm run bench -- repeat`, 2026-11-27.
 */
const shippedDeviations: Record<TargetKind, number> = { storefront: 0.032, managed: 0.027, origins: 0.0175 };

/** Half-width of a 95 % interval in standard errors, with the few degrees of freedom of a short run. */
const reach = 2.2;

const asked: Record<TargetKind, object> = {
  storefront: {},
  managed: { target: 'nginx' },
  origins: { target: { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' } },
};

/**
 * How long a run of each length is expected to take on this machine, for each kind of target: (2.2 × deviation of a sample ÷ precision)²
 * samples, in the launches that have them.
 * @param known earlier runs of this machine, newest first
 * @param taken share of this machine that others take now
 */
export function expectTimes(
  known: readonly { target: TargetKind; deviation: number }[],
  taken: number,
): ExpectedTime[] {
  return Object.entries(shippedDeviations).flatMap(([kind, shipped]) => {
    const target = kind as TargetKind;
    const runs = known.filter((each) => each.target === target).slice(0, mostRuns);
    const deviation = runs.length === 0 ? shipped : median(runs.map((each) => each.deviation));
    return lengthNames.map((length) => {
      const plan = planFor(runRequestSchema.parse({ ...asked[target], length }), 0);
      const { launches, epochs, maximumMs, longestS } = plan;
      const samples = Math.max(fewestSamples, (reach * (deviation / lengths[length].precision)) ** 2);
      const epochsNeeded = Math.ceil((1000 * samples) / maximumMs);
      const isSingle = launches.maximum === 1;
      const launchesNeeded = Math.max(launches.minimum, Math.ceil(epochsNeeded / epochs.maximum));
      const seconds = isSingle
        ? runS(plan, 1) + Math.max(0, epochsNeeded - epochs.minimum) * epochS(plan)
        : runS(plan, 0) + launchesNeeded * launchS(plan);
      const atPresent = seconds / (1 - Math.min(0.9, taken));
      return {
        ...{ target, length, runs: runs.length, between: betweenRunsOf(target) },
        seconds: Math.min(longestS, 5 * Math.ceil(atPresent / 5)),
      };
    });
  });
}

/** Half-width of one run's interval by what moves between runs alone, as a share. */
function betweenRunsOf(target: TargetKind): number {
  const prior = movesBetweenRuns(target) ? shippedBetweenRuns('cpu_at_load', target) : null;
  return prior === null ? 0 : studentQuantile(0.95, prior.degrees) * Math.sqrt(prior.variance);
}
