import { rmSync } from 'node:fs';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { endOf } from '../life/measurement/end/end-of.ts';
import { type RunInProcess, runInProcess } from './run-in-process.ts';
import { makeDataDirectory } from './test-server.ts';

/** What one attempt at a planned run came to. */
export type Attempt<P, T> = { planned: P } & (
  | { outcome: 'counted'; observed: T }
  | { outcome: 'refused' | 'failed'; reason: string }
);

type Planned = { title: string; run: RunInProcess };

/** Null when the run has no interval for what is asked: too many of its blocks were dropped. */
type Observe<P, T> = (document: RunDocument, planned: P) => T | null;

/**
 * Performs the runs one after the other. A run that is refused or fails is attempted once more, and the next one follows in any case.
 * Prints a line on stderr per attempt. When the signal is aborted, the result is the runs until then.
 */
export async function attemptRuns<P extends Planned, T>(
  plans: readonly P[],
  observe: Observe<P, T>,
  describe: (observed: T) => string,
  signal: AbortSignal,
): Promise<Attempt<P, T>[]> {
  const attempts: Attempt<P, T>[] = [];
  const directory = makeDataDirectory();
  try {
    for (const [index, planned] of plans.entries()) {
      for (const more of ['; once more', '']) {
        const attempt = await attemptOne(planned, observe, directory, signal);
        if (signal.aborted) return attempts;
        attempts.push(attempt);
        const counted = attempt.outcome === 'counted';
        const came = counted ? describe(attempt.observed) : `${attempt.outcome}: ${attempt.reason}${more}`;
        process.stderr.write(`${index + 1} of ${plans.length}, ${planned.title}: ${came}\n`);
        if (counted) break;
      }
    }
    return attempts;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function attemptOne<P extends Planned, T>(
  planned: P,
  observe: Observe<P, T>,
  directory: string,
  signal: AbortSignal,
): Promise<Attempt<P, T>> {
  try {
    const document = await runInProcess(planned.run, directory, signal);
    if (document.state !== 'finished') {
      const reason = document.problem?.detail ?? `it ended as ${document.state}`;
      return { planned, outcome: document.state === 'refused' ? 'refused' : 'failed', reason };
    }
    const observed = observe(document, planned);
    if (observed === null) return { planned, outcome: 'refused', reason: whyNoInterval(document) };
    return { planned, outcome: 'counted', observed };
  } catch (error) {
    const { state, problem } = endOf(error);
    return { planned, outcome: state === 'refused' ? 'refused' : 'failed', reason: problem.problem.detail };
  }
}

function whyNoInterval({ blocks }: RunDocument): string {
  const dropped = blocks.filter(({ reasons }) => reasons.length > 0);
  const first = dropped[0]?.reasons[0]?.message ?? 'no reason is stored';
  return `no interval, as ${dropped.length} of ${blocks.length} blocks were dropped (${first})`;
}
