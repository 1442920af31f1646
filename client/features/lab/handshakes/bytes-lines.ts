import { printNumber } from '../../../../shared/base/quantity.ts';
import type { MeasuredCell } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { printVersion } from '../../../../shared/report/handshakes-report.ts';

/** Full handshakes that were measured with three payloads or more, as lines of CPU over bytes, the dearest first. */
export function bytesLines(cells: readonly MeasuredCell[], most: number) {
  const full = cells.filter(({ cell }) => cell.resumption === 'full');
  const series = Map.groupBy(full, ({ cell }) => `${printVersion(cell.version)} ${cell.cipher}, ${cell.key}`);
  const all = [...series]
    .map(([label, own]) => ({
      label,
      points: own
        .map(({ cell, cpuUs }) => ({ x: cell.bytes, y: cpuUs.median }))
        .toSorted((a, b) => a.x - b.x),
    }))
    // More than one group of a suite would make a line go up and down.
    .filter(({ points }) => points.length >= 3 && new Set(points.map(({ x }) => x)).size === points.length)
    .toSorted((a, b) => lastOf(b) - lastOf(a));
  const lines = all.slice(0, most);
  const dearest = lines[0];
  const slope = dearest === undefined ? 0 : slopeOf(dearest.points);
  return {
    lines,
    caption:
      dearest === undefined
        ? ''
        : `With ${dearest.label}, each kB sent both ways adds ${printNumber(slope * 1000, 1)} µs to both ends, stream overhead included.`,
    leftOut: all.length > lines.length ? `The ${lines.length} most expensive of ${all.length}.` : null,
  };
}

function lastOf({ points }: { points: readonly { y: number }[] }): number {
  return points.at(-1)?.y ?? 0;
}

/** Between the smallest and the largest payload, in microseconds a byte. */
function slopeOf(points: readonly { x: number; y: number }[]): number {
  const [first, last] = [points[0], points.at(-1)];
  return first === undefined || last === undefined || last.x === first.x
    ? 0
    : (last.y - first.y) / (last.x - first.x);
}
