import { mapEstimate } from '../../../../shared/base/map-estimate.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import type {
  CellResult,
  ServersMetric,
  ServersVisit,
  VisitArm,
} from '../../../../shared/kinds/servers/servers-result.ts';
import { percentOf } from '../../../format/interval.ts';

export const cellMetrics = [
  { id: 'throughput', title: 'Requests per second', unit: '', decimals: 0 },
  { id: 'cpu', title: 'Server CPU per request at load', unit: ', µs', decimals: 1 },
  { id: 'latency', title: 'Median latency', unit: ', µs', decimals: 0 },
] as const;

/** In percent of HTTP. */
export type RoundChanges = {
  rounds: number[];
  twins: number[];
  interval: Estimate;
};

/** HTTPS against the geometric mean of HTTP and its twin, as the interval has it, and the twin against HTTP; null without an interval. */
export function changesOf(
  visits: readonly ServersVisit[],
  result: CellResult,
  metric: ServersMetric,
): RoundChanges | null {
  const figures = result[metric];
  if (figures === null) return null;
  const read = visits.flatMap(({ arms }) => {
    if (arms === null) return [];
    const [http, https, twin] = [arms.baseline, arms.comparison, arms.twin].map((arm) =>
      readArm(metric, arm),
    );
    return http && https && twin ? [{ http, https, twin }] : [];
  });
  return {
    rounds: read.map(({ http, https, twin }) => percentOf(https / Math.sqrt(http * twin))),
    twins: read.map(({ http, twin }) => percentOf(twin / http)),
    interval: mapEstimate(figures.ratio, percentOf),
  };
}

function readArm(metric: ServersMetric, arm: VisitArm): number | null {
  return { throughput: arm.perS, cpu: arm.cpuUs, latency: arm.medianUs }[metric];
}
