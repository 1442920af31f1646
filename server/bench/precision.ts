import { rmSync } from 'node:fs';
import { type RunRequestInput, runRequestSchema } from '../../shared/run.ts';
import { runS } from '../kinds/comparison/plan/plan-duration.ts';
import { planFor } from '../kinds/comparison/plan/presets.ts';
import { announceTime, type BenchOptions } from './bench-options.ts';
import {
  type HalfWidths,
  halfWidthsOfBlocks,
  pairedHalfWidths,
  portionsOf,
  unpairedHalfWidths,
} from './half-widths.ts';
import { isInstalled } from './nginx.ts';
import { type Minutes, printPrecision, tallyPrecision } from './precision-tally.ts';
import { runInProcess } from './run-in-process.ts';
import { makeDataDirectory } from './test-server.ts';
import { measureWrkPairs } from './wrk-pairs.ts';

const usualRounds = 3;
/** Of measuring, warm-up and pauses not counted. */
const seconds = 60;
const path = '/search';
const wrk = { path, connections: 8, pairs: 6, windowS: seconds / 12, warmUpS: 5 };

const request: RunRequestInput = {
  preset: 'standard',
  connections: wrk.connections,
  scenario: { name: 'One page', steps: [{ name: 'Search form', method: 'GET', path }] },
};

/**
 * How narrow an interval is after a minute of measuring HTTP against HTTPS on one page of the storefront: by blocks of short
 * slots, the null arm's included, and by six pairs of 5 s of wrk on each side in turn. A round is a standard run, which has
 * one such minute to three, and one of wrk.
 */
export async function comparePrecision({ runs, seed, signal }: BenchOptions) {
  const count = runs ?? usualRounds;
  const hasWrk = isInstalled('wrk');
  if (!hasWrk) {
    process.stderr.write('wrk is not installed (apt-get install wrk): only the own half-widths are told.\n');
  }
  const plan = planFor(runRequestSchema.parse(request), 0);
  const ofWrk = hasWrk ? seconds + 2 * wrk.warmUpS : 0;
  announceTime(
    `${count} rounds of a standard run and of wrk`,
    count * (runS(plan, plan.blocksPerPoint.maximum) + ofWrk),
  );

  const minutes: Minutes = { own: [], paired: [], unpaired: [] };
  const directory = makeDataDirectory();
  try {
    for (let round = 0; round < count; round++) {
      const own = await survive('The run', signal, () => measureOwn(seed + round, directory, signal));
      const pairs = hasWrk
        ? await survive('wrk', signal, () => measureWrkPairs(wrk, directory, signal))
        : null;
      if (signal.aborted) break;
      minutes.own.push(...(own ?? []));
      if (pairs !== null) {
        minutes.paired.push(pairedHalfWidths(pairs));
        minutes.unpaired.push(unpairedHalfWidths(pairs));
      }
      process.stderr.write(`round ${round + 1} of ${count}: ${own?.length ?? 0} minutes of ours\n`);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const rows = tallyPrecision(minutes, seconds);
  return { rows, text: printPrecision(rows) };
}

/** Of each whole minute that the run measured, whatever the run as a whole says. */
async function measureOwn(seed: number, directory: string, signal: AbortSignal): Promise<HalfWidths[]> {
  const { blocks, state, problem } = await runInProcess({ request: { ...request, seed } }, directory, signal);
  if (state !== 'finished') process.stderr.write(`The run ended as ${state}: ${problem?.detail ?? ''}\n`);
  return portionsOf(blocks, seconds).map(halfWidthsOfBlocks);
}

/** A half of a round that fails is missing from the result, and said. */
async function survive<T>(what: string, signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted) {
      process.stderr.write(`${what} failed: ${error instanceof Error ? error.message : String(error)}\n`);
    }
    return null;
  }
}
