import type { BySide } from '../../../../shared/base/transport.ts';
import { ciOf, type Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import type { MetricId } from '../../../../shared/kinds/comparison/metric.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { changeOf, printChanges } from '../../../format/change-of.ts';
import { printCount } from '../../../format/count.ts';

/** What each launch says beside what all of them say, as changes: 0.21 for +21 %. */
type LaunchesView = {
  launches: { name: string; change: Estimate; nullChange: number | null }[];
  all: Estimate;
  /** With no window set aside. */
  ofAll: Estimate | null;
  twin: Estimate | null;
  /** `95 % CI`. */
  ci: string;
};

/** Null when the metric has no launches or was refused. */
export function launchesView(
  { metrics }: Pick<ShownRun, 'metrics'>,
  metricId: MetricId,
): LaunchesView | null {
  const comparison = metrics.find(({ id }) => id === metricId);
  if (comparison === undefined || comparison.ratio === null || comparison.outcome === 'refused') return null;
  const { launches, ratio, ratioOfAll, twinRatio } = comparison;
  if (launches.length === 0) return null;
  return {
    launches: launches.map(({ launch, ratio, twinRatio: twinValue }) => ({
      name: `Launch ${launch + 1}`,
      change: changeOf(ratio),
      nullChange: twinValue === null ? null : twinValue - 1,
    })),
    all: changeOf(ratio),
    ofAll: ratioOfAll === null ? null : changeOf(ratioOfAll),
    twin: twinRatio === null ? null : changeOf(twinRatio),
    ci: ciOf(comparison),
  };
}

/** "HTTPS is above HTTP in 4 of 4 launches; over all, 95 % CI +19.8 to +22.2 %; twin of HTTP −0.2 to +0.3 %". */
export function launchesInWords({ launches, all, twin, ci }: LaunchesView, labels: BySide<string>): string {
  const above = launches.filter(({ change }) => change.center > 0).length;
  return [
    `${labels.comparison} is above ${labels.baseline} in ${above} of ${printCount(launches.length, 'launch')}`,
    `over all, ${ci} ${printChanges(all)}`,
    ...(twin === null ? [] : [`twin of ${labels.baseline} ${printChanges(twin)}`]),
  ].join('; ');
}
