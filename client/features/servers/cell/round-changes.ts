import type {
  CellResult,
  ServersMetric,
  ServersVisit,
  VisitArm,
} from '../../../../shared/kinds/servers/servers-result.ts';

export const roundMetrics = [
  { id: 'throughput', title: 'Requests per second' },
  { id: 'cpu', title: 'Server CPU per request at load' },
  { id: 'latency', title: 'Median latency' },
] as const;

/** In percent of HTTP. */
export type RoundChanges = {
  rounds: number[];
  twins: number[];
  interval: { center: number; lo: number; hi: number };
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
  const percent = (ratio: number) => 100 * (ratio - 1);
  const { center, lo, hi } = figures.ratio;
  return {
    rounds: read.map(({ http, https, twin }) => percent(https / Math.sqrt(http * twin))),
    twins: read.map(({ http, twin }) => percent(twin / http)),
    interval: { center: percent(center), lo: percent(lo), hi: percent(hi) },
  };
}

function readArm(metric: ServersMetric, arm: VisitArm): number | null {
  return { throughput: arm.perS, cpu: arm.cpuUs, latency: arm.medianUs }[metric];
}
