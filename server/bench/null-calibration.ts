import { type RunRequestInput, runRequestSchema } from '../../shared/run.ts';
import type { TransportPair } from '../../shared/transport.ts';
import { runS } from '../kinds/comparison/plan/plan-duration.ts';
import { planFor } from '../kinds/comparison/plan/presets.ts';
import type { PerturbationPlan } from '../target/perturb-slots.ts';
import { attemptRuns } from './attempt-runs.ts';
import { announceTime, type BenchOptions } from './bench-options.ts';
import { type NullCondition, observeNull, printNull, tallyNull } from './null-tally.ts';
import type { RunInProcess } from './run-in-process.ts';

const usualRuns = 40;
const driftUs = 100;
const everySecondUs = 60;

/**
 * Quick runs of the storefront against itself: no difference is there to be found. Four kinds take turns: without and with
 * TLS, calm and perturbed. The perturbation is the same for all arms, as a machine that tires or a neighbour would be.
 */
export async function calibrateNull({ runs, seed, signal }: BenchOptions) {
  const count = runs ?? usualRuns;
  announceTime(
    `${count} quick runs of the storefront against itself, and refused ones once more`,
    count * runS(plan, blocks),
  );
  const attempts = await attemptRuns(
    Array.from({ length: count }, (_, index) => planned(index, seed + index)),
    (document, { condition }) => observeNull(document, condition),
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

const plan = planFor(runRequestSchema.parse({ preset: 'quick' }), 0);
const blocks = plan.blocksPerPoint.maximum;
const measuringMs = (runS(plan, blocks) - runS(plan, 0)) * 1000;

const pairs: TransportPair[] = [
  ['http', 'http'],
  ['https', 'https'],
];

function planned(
  index: number,
  seed: number,
): { title: string; condition: NullCondition; run: RunInProcess } {
  const transports = pairs[index % 2] as TransportPair;
  const condition = index % 4 < 2 ? 'calm' : 'perturbed';
  const request: RunRequestInput = { preset: 'quick', transports, seed };
  return {
    title: `${transports.join(' against ')}, ${condition}`,
    condition,
    run: condition === 'calm' ? { request } : { request, perturbation: driftAndBeat },
  };
}

/**
 * CPU a request: a drift that rises over the run, and a beat on every second slot. Before the first slot both are full, so
 * that the rate is found that every slot can bear.
 */
const driftAndBeat: PerturbationPlan = ({ slot, elapsedMs }) => {
  const cpuUs =
    slot === 0
      ? driftUs + everySecondUs
      : (driftUs * elapsedMs) / measuringMs + (slot % 2 === 0 ? everySecondUs : 0);
  return { cpuUs, sleepMs: 0, bodyBytes: 0 };
};
