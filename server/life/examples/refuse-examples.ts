import { ProblemError, problem } from '../../../shared/base/problem.ts';
import type { Measurements } from '../measurement/measurements.ts';
import type { Examples } from './open-examples.ts';

/** Whatever changes a result or derives something from it. */
const acts = [
  ...['annotate', 'cancel', 'resume', 'bin', 'restore', 'remove'],
  ...['summary', 'document', 'kept', 'asked', 'changes'],
] as const satisfies (keyof Measurements)[];

/** The measurements of this server. Asked to change an example, it throws example_read_only. */
export function refuseExamples<House>(own: Measurements, examples: Examples<House>): Measurements {
  const refusing = acts.map((name) => {
    const act = own[name] as (...asked: unknown[]) => Promise<unknown>;
    return [name, (...asked: unknown[]) => act(...asked).catch((error: unknown) => explain(error, asked[0]))];
  });
  return { ...own, ...Object.fromEntries(refusing) };

  async function explain(error: unknown, asked: unknown): Promise<never> {
    if (!isUnknown(error)) throw error;
    // A comparison of two results has two IDs.
    const ids = typeof asked === 'string' ? [asked] : Object.values(asked as object);
    for (const id of ids) {
      if ((await examples.find(id)) === null) continue;
      throw problem(
        'example_read_only',
        `${id} came with TLS Toll. It can be read, but not changed or compared.`,
      );
    }
    throw error;
  }
}

/** Whether the store does not know the ID. */
export function isUnknown(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.code === 'run_not_found';
}
