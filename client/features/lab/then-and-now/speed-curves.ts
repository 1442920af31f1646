import { type SpeedThenAndNow, speedThenAndNow } from '../../../../shared/historic/speed-then-and-now.ts';
import { printFactor, printNumber } from '../../../../shared/quantity.ts';
import type { SpeedRow } from '../../../../shared/speed.ts';
import type { Curves, Line } from './curves.ts';

const colors: Record<number, string> = { 1997: '#D55E00', 2005: '#8A63B5' };
const colorOfNow = '#0072B2';

/** A choice for each algorithm of the old tables that was measured now at two sizes, or with two keys, or more. */
export function speedCurves(rows: readonly SpeedRow[]): Curves[] {
  const byName = Map.groupBy(speedThenAndNow(rows).flatMap(pointOf), ({ name }) => name);
  return [...byName].flatMap(([name, points]) => {
    const now = new Map(points.flatMap(({ x, now: y }) => (y === null ? [] : [[x, y] as const])));
    if (now.size < 2) return [];
    const years = [...Map.groupBy(points, ({ year }) => year)].map(
      ([year, own]): Line => ({
        label: String(year),
        old: true,
        color: colors[year] ?? '#56707F',
        points: own.map(({ x, old }) => ({ x, y: old })),
      }),
    );
    const today: Line = {
      label: 'Now',
      old: false,
      color: colorOfNow,
      points: [...now].map(([x, y]) => ({ x, y })).toSorted((a, b) => a.x - b.x),
    };
    const isKey = points[0]?.isKey === true;
    return [
      {
        name,
        x: isKey ? 'Bits of the key' : 'Bytes of a block',
        y: isKey ? 'Per second' : 'MB/s',
        lines: [...years, today],
        caption: captionOf(name, points, isKey),
      },
    ];
  });
}

type Point = { name: string; isKey: boolean; year: number; x: number; old: number; now: number | null };

function pointOf({ year, algorithm, bytes, thenPerS, nowPerS }: SpeedThenAndNow): Point[] {
  if (bytes !== null) {
    const now = nowPerS === null ? null : nowPerS / 1e6;
    return [{ name: algorithm, isKey: false, year, x: bytes, old: thenPerS / 1e6, now }];
  }
  const [, key, bits, operation] = /^(\w+) (\d+) (\w+)$/.exec(algorithm) ?? [];
  return key === undefined
    ? []
    : [{ name: `${key} ${operation}`, isKey: true, year, x: Number(bits), old: thenPerS, now: nowPerS }];
}

/** At the largest size or key that was measured now as well. */
function captionOf(name: string, points: readonly Point[], isKey: boolean): string {
  const at = Math.max(...points.flatMap(({ x, now }) => (now === null ? [] : [x])));
  const there = points.filter(({ x, now }) => x === at && now !== null);
  const now = there[0]?.now ?? 0;
  const print = (value: number) =>
    isKey
      ? `${printNumber(value, value < 100 ? 1 : 0)} a second`
      : `${printNumber(value, value < 100 ? 1 : 0)} MB/s`;
  const then = there.map(({ year, old }) => `${print(old)} in ${year}`).join(', ');
  const factor = now / (there[0]?.old ?? 1);
  return `${name}, ${printNumber(at, 0)} ${isKey ? 'bits' : 'bytes'}: ${then}, ${print(now)} now, ${printFactor(factor)} times as much as in ${there[0]?.year ?? ''}.`;
}
