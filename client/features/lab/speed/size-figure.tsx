import { lazy } from 'react';
import { printNumber } from '../../../../shared/base/quantity.ts';
import { leadingPerS } from '../../../../shared/kinds/speed/leading-speed.ts';
import { type SpeedRow, speedSizes } from '../../../../shared/kinds/speed/speed.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Figure } from '../../../components/figure.tsx';
import { Legend } from '../../../components/legend.tsx';
import { lookOfLine, mostLines } from '../line-look.ts';

const XyChart = lazy(() => import('../../../charts/xy-chart.tsx'));

/** How the speed grows with the block: a call costs the same however little it is given. */
export function SizeFigure({ rows, title }: { rows: readonly SpeedRow[]; title: string }) {
  const all = [...Map.groupBy(rows, ({ primitive }) => primitive)].map(([primitive, own]) => ({
    primitive,
    points: own.flatMap((row) => {
      const { bytes } = leadingPerS(row);
      return row.bytes === null || bytes === null ? [] : [{ x: row.bytes, y: bytes / 1e6 }];
    }),
  }));
  const topOf = ({ points }: (typeof all)[number]) => Math.max(...points.map(({ y }) => y));
  const lines = all.toSorted((a, b) => topOf(b) - topOf(a)).slice(0, mostLines);
  const fastest = lines[0];
  if (fastest === undefined) return null;
  const caption = `${title}: ${fastest.primitive} is the fastest at ${printNumber(topOf(fastest), 0)} MB/s.`;
  return (
    <Figure
      caption={caption}
      legend={
        <>
          <Legend items={lines.map(({ primitive }, index) => lookOfLine(primitive, index))} />
          {all.length > lines.length ? <p>The {lines.length} fastest. The table below shows all.</p> : null}
        </>
      }
      table={
        <DataTable
          caption="MB/s by size"
          narrow="scroll"
          rows={lines}
          keyOf={({ primitive }) => primitive}
          columns={[
            { label: 'Primitive', cell: ({ primitive }) => primitive },
            ...speedSizes.map((size) => ({
              label: `${printNumber(size, 0)} B`,
              numeric: true,
              cell: ({ points }: (typeof lines)[number]) =>
                printNumber(points.find(({ x }) => x === size)?.y ?? 0, 1),
            })),
          ]}
        />
      }
    >
      <XyChart
        label={`Speed by block size, both on logarithmic scales. ${caption}`}
        series={lines.map(({ primitive, points }, index) => ({
          ...lookOfLine(primitive, index),
          line: true,
          markerSize: 4,
          points,
        }))}
        x={{
          title: 'Block size, bytes',
          log: true,
          ticks: speedSizes,
          print: (value) => printNumber(value, 0),
        }}
        y={{ title: 'MB/s', log: true, print: (value) => printNumber(value, 0) }}
      />
    </Figure>
  );
}
