import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import { attemptRuns } from './attempt-runs.ts';
import { announceTime, type BenchOptions } from './bench-options.ts';
import { conditions, observeDisturbed, printDisturbed, tallyDisturbed } from './disturbed-tally.ts';
import type { Disturbance } from './disturber-process.ts';
import { expectedS } from './run-in-process.ts';

const usualRuns = 20;
/** Disturbed runs take longer than quiet ones. */
const disturbedS = 35;

const atWork: Record<(typeof conditions)[number], Disturbance[]> = {
  quiet: [],
  'one busy loop': ['loop'],
  'two busy loops': ['loop', 'loop'],
  'a build': ['forks'],
  bursts: ['bursts'],
};

/** Quick runs of HTTP against HTTPS as users have them, while other programs compete, in turns with runs that are left alone. */
export async function competeWithOthers({ runs, seed, signal }: BenchOptions) {
  const each = runs ?? usualRuns;
  const request: RunRequestInput = { preset: 'quick' };
  announceTime(
    `${each} quick runs under each of ${conditions.length} conditions`,
    each * (expectedS(request) + (conditions.length - 1) * disturbedS),
  );
  const attempts = await attemptRuns(
    Array.from({ length: each * conditions.length }, (_, index) => {
      const condition = conditions[index % conditions.length] ?? 'quiet';
      const run = {
        request: { ...request, seed: seed + index },
        disturbances: atWork[condition],
        browser: true,
      };
      return { title: condition, condition, run };
    }),
    observeDisturbed,
    ({ seconds, metrics }) =>
      `${seconds.toFixed(1)} s; ${metrics
        .map(({ id, outcome, ratio }) =>
          ratio === null
            ? `${id} ${outcome}`
            : `${id} ${outcome} ${ratio.lo.toFixed(3)} to ${ratio.hi.toFixed(3)}`,
        )
        .join('; ')}`,
    signal,
    { onceMore: false },
  );
  const { rows, ends } = tallyDisturbed(attempts);
  return { rows: [...ends, ...rows], text: printDisturbed(rows, ends) };
}
