import { findSegments } from '../../../method/statistics/change-points.ts';
import { errorAmongRuns } from '../../../method/statistics/widenings.ts';
import type { StoredRun } from './series-of.ts';

/** Places of the runs with which the level of a series changed. Runs of which no error is known are in no level. */
export function stepsOf(
  runs: readonly Pick<StoredRun, 'ratio' | 'withinError' | 'widened'>[],
): ReadonlySet<number> {
  const known = runs.flatMap(({ ratio, withinError, widened }, place) =>
    withinError === null
      ? []
      : [{ place, value: Math.log(ratio.center), standardError: errorAmongRuns({ withinError, widened }) }],
  );
  const { segments } = findSegments(known);
  return new Set(segments.slice(1).map(({ from }) => known[from]?.place ?? 0));
}
