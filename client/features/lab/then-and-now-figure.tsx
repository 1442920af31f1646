import { printFactor, printNumber } from '../../../shared/base/quantity.ts';
import type { CellResult, Resumption } from '../../../shared/kinds/handshakes/handshakes.ts';
import type { SpeedRow } from '../../../shared/kinds/speed/speed.ts';
import {
  type HandshakeThenAndNow,
  handshakesThenAndNow,
} from '../../../shared/studies/handshakes-then-and-now.ts';
import { type SpeedThenAndNow, speedThenAndNow } from '../../../shared/studies/speed-then-and-now.ts';
import type { XySeries } from '../../charts/xy-chart.tsx';
import { useAddress } from '../../components/links.tsx';
import { ChoicePills } from '../../components/pills.tsx';
import { LinesFigure } from './lines-figure.tsx';

/** An old table beside today's, one algorithm or suite at a time, both axes logarithmic. */
export function ThenAndNowFigure({ legend, curves }: { legend: string; curves: readonly Curves[] }) {
  const names = curves.map(({ name }) => name);
  const [chosen, choose] = useAddress('then', names, names[0] ?? '');
  const shown = curves.find(({ name }) => name === chosen);
  if (shown === undefined) return null;
  const { name, x, y, lines, caption } = shown;
  return (
    <>
      <ChoicePills
        legend={legend}
        name="then"
        value={name}
        choices={names.map((each) => ({ value: each, label: each }))}
        onChange={choose}
      />
      <LinesFigure
        label={`${name} then and now`}
        caption={caption}
        lines={lines}
        x={x}
        y={y}
        table={{ caption: `${name}: ${y}`, head: x }}
        print={(value) => printNumber(value, value < 10 ? 2 : value < 100 ? 1 : 0)}
      />
    </>
  );
}

const looks: Record<Resumption, Pick<XySeries, 'color' | 'marker'>> = {
  full: { color: '#8A63B5', marker: 'circle' },
  resumed: { color: '#009E73', marker: 'diamond' },
};

/** A choice for each suite and key of 1997 that a cell of today stands beside at two payloads or more. */
export function gridCurves(cells: readonly CellResult[]): Curves[] {
  const rows = handshakesThenAndNow(cells).filter(({ factor }) => factor !== null);
  const bySuite = Map.groupBy(rows, ({ old }) => `${old.protocol} ${old.cipher}, RSA ${old.rsaBits}`);
  return [...bySuite].flatMap(([name, own]) => {
    const lines = (['full', 'resumed'] as const).flatMap((resumption) =>
      linesOf(
        own.filter((row) => row.resumption === resumption),
        resumption,
      ),
    );
    if (lines.length === 0) return [];
    return [{ name, x: 'Bytes each way', y: 'µs of user time, both ends', lines, caption: captionOf(own) }];
  });
}

function linesOf(rows: readonly HandshakeThenAndNow[], resumption: Resumption): XySeries[] {
  if (rows.length < 2) return [];
  const line = (label: string, dashed: boolean, read: (row: HandshakeThenAndNow) => number) => ({
    label: `${label}, ${resumption}`,
    dashed,
    ...looks[resumption],
    points: rows.map((row) => ({ x: row.old.bytesEachWay, y: read(row) })),
  });
  const suite = rows[0]?.cell?.cipher ?? '';
  return [
    line('1997', true, ({ thenUserUs }) => thenUserUs),
    line(`Now, ${suite}`, false, ({ nowUserUs }) => nowUserUs ?? Number.NaN),
  ];
}

function captionOf(rows: readonly HandshakeThenAndNow[]): string {
  const of = (resumption: Resumption) => {
    const factors = rows.flatMap((row) => (row.resumption === resumption ? (row.factor ?? []) : []));
    return factors.length === 0
      ? []
      : [`${resumption} ${printFactor(Math.min(...factors))} to ${printFactor(Math.max(...factors))}`];
  };
  return `Speedup since 1997: ${[...of('full'), ...of('resumed')].join(', ')}.`;
}

/** A figure of an old table and of today, as lines over what both vary: one choice of a then-and-now figure. */
type Curves = {
  name: string;
  /** Titles of the axes, with their units. */
  x: string;
  y: string;
  /** Lines of old tables are dashed. The marker repeats the meaning of the color. */
  lines: XySeries[];
  /** The finding, in words. */
  caption: string;
};

type Look = Pick<XySeries, 'color' | 'marker'>;

const curvesLooks = {
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
    const now = nowLine('Now', curvesLooks.now, points, (point) => point.now);
    if (now.points.length < 2) return [];
    const years = [...Map.groupBy(points, ({ year }) => year)].map(
      ([year, own]): XySeries => ({
        label: String(year),
        dashed: true,
        ...(year === 1997 ? curvesLooks.first : curvesLooks.second),
        points: own.map(({ x, old }) => ({ x, y: old })),
      }),
    );
    const program = nowLine('Now, openssl speed', curvesLooks.program, points, (point) => point.program);
    const isKey = points[0]?.isKey === true;
    return [
      {
        name,
        x: isKey ? 'Key size, bits' : 'Input size, bytes',
        y: isKey ? 'per second' : 'MB/s',
        lines: [...years, ...(program.points.length < 2 ? [] : [program]), now],
        caption: captionOfCurves(name, points, isKey),
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

/** Line of today's figures, with each size once, even if several tables contain it. */
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
function captionOfCurves(name: string, points: readonly Point[], isKey: boolean): string {
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
