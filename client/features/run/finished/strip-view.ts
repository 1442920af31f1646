import type { Estimate, MetricComparison } from '../../../../shared/kinds/comparison/comparison.ts';
import type { Metric } from '../../../../shared/kinds/comparison/metric.ts';
import type { ShiftRow } from '../../../components/shift-strip.tsx';
import { printCount } from '../../../format/count.ts';

/** A metric's change in one line: a mark for each launch, or without launches for each block. Null for what is no change in percent. */
export function stripOf(
  { ratio, launches, pairs, twinRatio }: MetricComparison,
  { title }: Metric,
): ShiftRow | null {
  if (ratio === null || (launches.length === 0 && pairs.length === 0)) return null;
  const twin = twinRatio === null ? null : changeOf(twinRatio);
  const of = launches.length > 0 ? printCount(launches.length, 'launch') : printCount(pairs.length, 'block');
  return {
    interval: changeOf(ratio),
    marks:
      launches.length > 0
        ? launches.map((launch) => launch.ratio.center - 1)
        : pairs.map(({ value }) => value - 1),
    twin: twin === null ? null : [twin.lo, twin.hi],
    label: `${title}: ${of} and the interval over all${twin === null ? '' : ', beside the interval of the twin'}`,
  };
}

function changeOf({ lo, center, hi }: Estimate): Estimate {
  return { lo: lo - 1, center: center - 1, hi: hi - 1 };
}
