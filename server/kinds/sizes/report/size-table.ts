import {
  intervalDecimals,
  printChange,
  printChangeInterval,
  printNumber,
} from '../../../../shared/base/quantity.ts';
import { nameSizeArm } from '../../../../shared/kinds/sizes/size-arm.ts';
import type { SizeOverhead, SizePoint, SizesDocument } from '../../../../shared/kinds/sizes/sizes.ts';
import { figures, type Part, type ReportCell, table } from '../../../../shared/report/report.ts';

/** A row a size: µs of latency and of server CPU over each arm, and what each https arm adds. */
export function sizeTable(document: SizesDocument): Part {
  const { arms, comparisons, request } = document;
  const cpu = `CPU at load`;
  const measured = request.sizes.filter((size) => arms.some(({ points }) => pointAt(points, size) !== null));
  const header = arms.flatMap((arm) => [`${nameSizeArm(arm)}, µs`, `${cpu}, µs`]);
  const changes = comparisons.flatMap(({ arm }) => {
    const name = comparisons.length === 1 ? '' : ` ${nameSizeArm(armAt(arms, arm))}`;
    return [`Change${name}`, '95 % CI', `${cpu}${name}`];
  });
  const rows = measured.map((size) => [
    printNumber(size, 0),
    ...arms.flatMap(({ points }) => timesOf(pointAt(points, size))),
    ...comparisons.flatMap(({ latency, cpu }) => {
      const [ratio, cpuRatio] = [ratioAt(latency, size), ratioAt(cpu, size)];
      return [
        ratio === null ? null : printChange(ratio.center, intervalDecimals(ratio)),
        ratio === null ? null : printChangeInterval(ratio),
        cpuRatio === null ? null : printChangeInterval(cpuRatio),
      ];
    }),
  ]);
  return table(figures('Bytes', ...header, ...changes), rows);
}

function pointAt(points: readonly SizePoint[], size: number): SizePoint | null {
  return points.find((point) => point.size === size) ?? null;
}

function timesOf(point: SizePoint | null): ReportCell[] {
  if (point === null) return [null, null];
  return [printNumber(point.medianUs, 1), point.cpuUs === null ? null : printNumber(point.cpuUs, 1)];
}

function ratioAt(overhead: SizeOverhead | null, size: number) {
  return overhead?.points.find((point) => point.size === size)?.ratio ?? null;
}

function armAt(arms: SizesDocument['arms'], wanted: number) {
  return arms.find(({ arm }) => arm === wanted) ?? { arm: wanted, suite: null };
}
