import { isSameSides } from '../../../../shared/base/transport.ts';
import { changesPath } from '../../../../shared/kinds/comparison/result-changes.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { askedSidesOf } from '../../../../shared/kinds/comparison/side.ts';
import type { MeasurementSummary } from '../../../../shared/measurement/measurement-summary.ts';
import { targetNameOf } from '../../../../shared/words/targets-of-sides.ts';
import type { LinkLine } from '../../../components/link-list.tsx';
import { describeMeasurements } from '../../../format/measurement-line.ts';

type Run = Pick<ShownRun, 'id' | 'createdAt' | 'scenario' | 'target' | 'asked' | 'sides'>;

/** Other runs with the same scenario, target and sides. Each line links to the comparison, from the older to the newer run. */
export function alikeLines(
  run: Run,
  summaries: readonly MeasurementSummary[],
  nowMs = Date.now(),
): LinkLine[] {
  const alike = summaries.filter((other) => other.id !== run.id && isAlike(run, other));
  return describeMeasurements(alike, nowMs).map((line, index) => {
    const other = alike[index];
    if (other === undefined) return line;
    const isOlder = other.createdAt <= run.createdAt;
    const pair = isOlder ? { from: other.id, to: run.id } : { from: run.id, to: other.id };
    return { ...line, href: changesPath(pair) };
  });
}

function isAlike(run: Run, other: MeasurementSummary): boolean {
  return (
    other.kind === 'comparison' &&
    other.scenario === run.scenario.name &&
    other.target === targetNameOf(askedSidesOf(run)) &&
    isSameSides(other.sides, run.sides)
  );
}
