import type { Environment } from '../../../../shared/base/environment.ts';
import type { ProblemError } from '../../../../shared/base/problem.ts';
import type { Database } from '../../database/open-database.ts';
import type { NewRunner } from '../../database/runners.ts';
import { newPermalinkId } from '../create/permalink-id.ts';
import { openRunner, type Runner } from '../runners/open-runner.ts';
import { openSharedDispatch, type SharedParts } from '../runners/open-shared-dispatch.ts';
import type { Dispatch } from './dispatch.ts';
import { openInProcessDispatch } from './in-process-dispatch.ts';

/** What a process is on a database that several share. */
export type Self = Omit<NewRunner, 'session' | 'machine'> & {
  /** Whether it is a runner. `own` measures what was asked of itself, and takes nothing from the queue. */
  measures: boolean | 'own';
};

/** A process that has its database alone. */
const nobody: Self = { name: 'nobody', labels: {}, version: '0.0.0', measures: false };

/** Null where others measure, or there are none. */
export function runnerOf(database: Database, self: Self = nobody): Pick<NewRunner, 'name' | 'labels'> | null {
  const { name, labels, measures } = self;
  return database.shared === null || measures === false ? null : { name, labels };
}

type Parts<House> = Omit<SharedParts<House>, 'self'> & {
  self: Self | undefined;
  machine: Environment;
  onProblem?: ((problem: ProblemError) => void) | undefined;
};

/** Where the measurements of this database wait, and what measures them here, if anything does. */
export function openDispatch<House>({ self = nobody, machine, onProblem, ...parts }: Parts<House>): {
  dispatch: Dispatch;
  runner: Runner | null;
} {
  const { database, queue, log, lives } = parts;
  if (database.shared === null) return { dispatch: openInProcessDispatch(lives, queue, log), runner: null };
  const { name, labels, version, measures } = self;
  const takes = measures === true;
  const runner = { name, labels, version, machine, session: newPermalinkId() };
  return {
    dispatch: openSharedDispatch({
      ...parts,
      self: { session: runner.session, version, labels: measures === false ? null : labels, takes },
    }),
    runner:
      measures === false ? null : openRunner({ ...parts, runner, takes, ...(onProblem && { onProblem }) }),
  };
}
