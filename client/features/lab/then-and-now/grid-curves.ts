import { printFactor } from '../../../../shared/base/quantity.ts';
import type { CellResult, Resumption } from '../../../../shared/kinds/handshakes/handshakes.ts';
import {
  type HandshakeThenAndNow,
  handshakesThenAndNow,
} from '../../../../shared/studies/handshakes-then-and-now.ts';
import type { XySeries } from '../../../charts/xy-chart.tsx';

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
export type Curves = {
  name: string;
  /** Titles of the axes, with their units. */
  x: string;
  y: string;
  /** Of an old table: dashed. The marker repeats what the color says. */
  lines: XySeries[];
  /** The finding, in words. */
  caption: string;
};
