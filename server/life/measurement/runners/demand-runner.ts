import { problem } from '../../../../shared/base/problem.ts';
import { isOlder, type Labels } from '../../../../shared/measurement/runner.ts';
import { hasLabels, printLabels } from '../../../../shared/measurement/runner-labels.ts';

type Known = { name: string; labels: Labels; version: string };

/**
 * Throws runner_unknown and runner_outdated where no runner could measure for a dashboard of this version. One that is away
 * may come back: it was there within a day.
 */
export function demandRunner(runners: readonly Known[], labels: Labels, version: string): void {
  const fitting = runners.filter((runner) => hasLabels(runner.labels, labels));
  if (fitting.some((runner) => !isOlder(runner.version, version))) return;
  const [older] = fitting;
  if (older !== undefined) {
    throw problem(
      'runner_outdated',
      `The runner ${older.name} has version ${older.version}, and this dashboard has ${version}.`,
    );
  }
  if (runners.length === 0)
    throw problem('runner_unknown', 'No runner is connected, and this dashboard does not measure.');
  const list = runners.map((each) => `${each.name} (${printLabels(each.labels) || 'no labels'})`).join(', ');
  throw problem('runner_unknown', `No runner has ${printLabels(labels)}. The runners are ${list}.`);
}
