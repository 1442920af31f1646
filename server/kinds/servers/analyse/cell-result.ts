import { mapEstimate } from '../../../../shared/base/map-estimate.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import type { ServersCell } from '../../../../shared/kinds/servers/servers.ts';
import type {
  CellFigures,
  CellResult,
  ServersMetric,
  ServersVisit,
  VisitArm,
} from '../../../../shared/kinds/servers/servers-result.ts';
import { launchInterval } from '../../../method/statistics/launch-interval.ts';
import { meanOf } from '../../../method/statistics/mean.ts';

/** Of one cell, over its visits: each round starts the servers anew, so each is a launch of its own. */
export function cellResult(cell: ServersCell, visits: readonly ServersVisit[]): CellResult {
  const own = visits.filter((visit) => visit.cell === cell.index);
  const sides = own.flatMap((visit) => Object.values<VisitArm>(visit.arms ?? {}));
  const requests = sides.reduce((sum, { requests }) => sum + requests, 0);
  const errors = sides.reduce((sum, { errors }) => sum + errors, 0);
  return {
    cell,
    visits: own.filter((visit) => visit.arms !== null).length,
    failures: [...new Set(own.flatMap(({ failure }) => failure ?? []))],
    errorShare: requests + errors === 0 ? null : errors / (requests + errors),
    generatorLimited: isGeneratorLimited(own),
    throughput: figuresOf('throughput', own),
    cpu: figuresOf('cpu', own),
    latency: figuresOf('latency', own),
  };
}

/** Both have a core: whoever needs more of it for a request sets the pace. */
function isGeneratorLimited(visits: readonly ServersVisit[]): boolean {
  return (['baseline', 'comparison'] as const).some((arm) => {
    const known = visits.flatMap(({ arms: measured }) => {
      const { generatorCpuUs, cpuUs = null } = measured?.[arm] ?? {};
      return generatorCpuUs === undefined || cpuUs === null ? [] : [generatorCpuUs - cpuUs];
    });
    return known.length > 0 && meanOf(known) > 0;
  });
}

/** Logarithms of what a visit says of a metric; null where it says nothing. */
export function readVisit(
  metric: ServersMetric,
  { arms: measured }: Pick<ServersVisit, 'arms'>,
): { http: number; https: number; twin: number } | null {
  if (measured === null) return null;
  const [baseline, comparison, twin] = [measured.baseline, measured.comparison, measured.twin].map((arm) =>
    quantityOf(metric, arm),
  );
  if (!baseline || !comparison || !twin) return null;
  return {
    http: (Math.log(baseline) + Math.log(twin)) / 2,
    https: Math.log(comparison),
    twin: Math.log(twin / baseline),
  };
}

function quantityOf(metric: ServersMetric, { perS, cpuUs, medianUs }: VisitArm): number | null {
  if (metric === 'throughput') return perS;
  return metric === 'cpu' ? cpuUs : medianUs;
}

function figuresOf(metric: ServersMetric, visits: readonly ServersVisit[]): CellFigures | null {
  const read = visits.flatMap((visit) => {
    const reading = readVisit(metric, visit);
    return reading === null ? [] : [{ launch: visit.round, ...reading }];
  });
  const over = (of: (reading: (typeof read)[number]) => number): Estimate | null => {
    const interval = launchInterval(
      read.map((reading) => ({ launch: reading.launch, value: of(reading) })),
      0.95,
    );
    return mapEstimate(interval, Math.exp);
  };
  const [http, https, ratio, twinRatio] = [
    over((each) => each.http),
    over((each) => each.https),
    over((each) => each.https - each.http),
    over((each) => each.twin),
  ];
  return http === null || https === null || ratio === null || twinRatio === null
    ? null
    : { http, https, ratio, twinRatio };
}
