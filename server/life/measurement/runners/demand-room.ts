import { problem } from '../../../../shared/base/problem.ts';
import type { Labels } from '../../../../shared/measurement/runner.ts';
import { hasLabels } from '../../../../shared/measurement/runner-labels.ts';
import { listAssignments } from '../../database/assignments.ts';
import type { Database } from '../../database/open-database.ts';
import { listRunnerRows } from '../../database/runners.ts';
import { queueFull, queueLimit } from '../queue/machine-queue.ts';
import { demandRunner } from './demand-runner.ts';

/** This process among others: its labels are null where it does not measure; `takes` is whether it does so for others. */
export type OwnSession = { session: string; version: string; labels: Labels | null; takes: boolean };

/**
 * Throws queue_full, and as `demandSomebody`.
 * @param sites the labels of each measurement that is to be queued
 * @param here whether they need what only this process has
 */
export async function demandRoom(
  database: Database,
  self: OwnSession,
  sites: readonly Labels[],
  here = false,
): Promise<void> {
  const assignments = await listAssignments(database);
  const room = queueLimit - assignments.filter(({ state }) => state === 'queued').length;
  if (room < sites.length) throw queueFull(room);
  for (const labels of sites) {
    if (here) demandSelf(self, labels);
    else await demandSomebody(database, self, labels);
  }
}

/** Throws runner_unknown, runner_outdated where neither this process nor a runner could measure it. */
export async function demandSomebody(database: Database, self: OwnSession, labels: Labels): Promise<void> {
  if (isFit(self, labels)) return;
  demandRunner(await listRunnerRows(database), labels, self.version);
}

function demandSelf(self: OwnSession, labels: Labels): void {
  if (isFit(self, labels)) return;
  throw problem(
    'runner_unknown',
    'The values of its secrets stay in the memory of this dashboard, and this dashboard cannot measure it.',
  );
}

function isFit(self: OwnSession, labels: Labels): boolean {
  return self.labels !== null && hasLabels(self.labels, labels);
}
