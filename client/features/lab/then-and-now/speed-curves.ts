import { printFactor, printNumber } from '../../../../shared/base/quantity.ts';
import type { SpeedRow } from '../../../../shared/kinds/speed/speed.ts';
import { type SpeedThenAndNow, speedThenAndNow } from '../../../../shared/studies/speed-then-and-now.ts';
import type { XySeries } from '../../../charts/xy-chart.tsx';
import type { Curves } from './grid-curves.ts';

type Look = Pick<XySeries, 'color' | 'marker'>;

const looks = {
  first: { color: '#B8860B', marker: 'diamond' },
  second: { color: '#8A63B5', marker: 'circle' },
  program: { color: '#009E73', marker: 'diamond' },
  now: { color: '#56707F', marker: 'circle' },
} satisfies Record<string, Look>;

/**
 * A choice for each algorithm of the old tables that was measured now at two sizes, or with two keys, or more; those that are in
 * both tables first. The old figures are of programs that keep their buffers, as `openssl speed` does: its line stands with them.
 */
export function speedCurves(rows: readonly SpeedRow[]): Curves[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const all = speedThenAndNow(rows).flatMap((each) => pointOf(each, byId.get(each.rowId ?? '')));
  const curves = [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, points]) => {
    const now = nowLine('Now', looks.now, points, (point) => point.now);
    if (now.points.length < 2) return [];
    const years = [...Map.groupBy(points, ({ year }) => year)].map(
      ([year, own]): XySeries => ({
        label: String(year),
        dashed: true,
        ...(year === 1997 ? looks.first : looks.second),
        points: own.map(({ x, old }) => ({ x, y: old })),
      }),
    );
    const program = nowLine('Now, openssl speed', looks.program, points, (point) => point.program);
    const isKey = points[0]?.isKey === true;
    return [
      {
        name,
        x: isKey ? 'Key size, bits' : 'Block size, bytes',
        y: isKey ? 'Per second' : 'MB/s',
        lines: [...years, ...(program.points.length < 2 ? [] : [program]), now],
        caption: captionOf(name, points, isKey),
      },
    ];
  });
  return curves.toSorted((a, b) => oldOf(b) - oldOf(a));
}

type Point = {
  name: string;
  isKey: boolean;
  year: number;
  x: number;
  old: number;
  now: number | null;
  /** By `openssl speed`. */
  program: number | null;
};

function pointOf(
  { year, algorithm, bytes, thenPerS, nowPerS }: SpeedThenAndNow,
  row: SpeedRow | undefined,
): Point[] {
  const perS = row?.openssl.status === 'measured' ? row.openssl.operationsPerS.center : null;
  if (bytes !== null) {
    const millions = (value: number | null) => (value === null ? null : value / 1e6);
    const program = perS === null ? null : (perS * bytes) / 1e6;
    return [
      {
        ...{ name: algorithm, isKey: false, year, x: bytes },
        ...{ old: thenPerS / 1e6, now: millions(nowPerS), program },
      },
    ];
  }
  const [, key, bits, operation] = /^(\w+) (\d+) (\w+)$/.exec(algorithm) ?? [];
  if (key === undefined) return [];
  const name = `${key} ${operation}`;
  return [{ name, isKey: true, year, x: Number(bits), old: thenPerS, now: nowPerS, program: perS }];
}

/** Of every size once, whatever tables it is in. */
function nowLine(
  label: string,
  look: Look,
  points: readonly Point[],
  read: (point: Point) => number | null,
): XySeries {
  const bySize = new Map(
    points.flatMap((point) => {
      const y = read(point);
      return y === null ? [] : [[point.x, y] as const];
    }),
  );
  return {
    label,
    dashed: false,
    ...look,
    points: [...bySize].map(([x, y]) => ({ x, y })).toSorted((a, b) => a.x - b.x),
  };
}

function oldOf({ lines }: Curves): number {
  return lines.filter(({ dashed }) => dashed).length;
}

/** At the largest size or key that was measured now as well. */
function captionOf(name: string, points: readonly Point[], isKey: boolean): string {
  const at = Math.max(...points.flatMap(({ x, now }) => (now === null ? [] : [x])));
  const there = points.filter(({ x, now }) => x === at && now !== null);
  const now = there[0]?.now ?? 0;
  const print = (value: number) =>
    isKey
      ? `${printNumber(value, value < 100 ? 1 : 0)} per second`
      : `${printNumber(value, value < 100 ? 1 : 0)} MB/s`;
  const then = there.map(({ year, old }) => `${print(old)} in ${year}`).join(', ');
  const factor = now / (there[0]?.old ?? 1);
  return `${name}, ${printNumber(at, 0)} ${isKey ? 'bits' : 'bytes'}: ${then}, ${print(now)} now, ${printFactor(factor)} times as much as in ${there[0]?.year ?? ''}.`;
}
