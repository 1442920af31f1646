import type { MeshArm, MeshShiftName } from '../../../../shared/kinds/mesh/mesh.ts';
import { clusteredMedian } from '../../../method/statistics/clustered-median.ts';

/** Latencies of a request on each arm, one right after another, µs. */
type Group = Record<MeshArm, number>;

/** Of the differences within a group, the median: what disturbs one group disturbs its arms alike. */
export function loneShifts(windows: readonly (readonly Group[])[]): Record<MeshShiftName, number> {
  const medianOf = (difference: (group: Group) => number) =>
    clusteredMedian(windows.map((groups) => groups.map(difference)))?.median ?? 0;
  return {
    proxy: medianOf(({ plain, direct, twin }) => plain - (direct + twin) / 2),
    tls: medianOf(({ secure, plain }) => secure - plain),
    twin: medianOf(({ twin, direct }) => twin - direct),
  };
}
