import { printNumber } from '../../../../shared/base/quantity.ts';
import { leadingPerS } from '../../../../shared/kinds/speed/leading-speed.ts';
import type { SpeedRow } from '../../../../shared/kinds/speed/speed.ts';
import { Legend } from '../../../components/legend.tsx';
import { lookOfLine, mostLines } from '../line-look.ts';
import { LinesFigure } from '../lines-figure.tsx';

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
  const [fastest, ...others] = all.toSorted((a, b) => topOf(b) - topOf(a)).slice(0, mostLines);
  if (fastest === undefined) return null;
  const lines = [fastest, ...others].map(({ primitive, points }, index) => ({
    ...lookOfLine(primitive, index),
    points,
  }));
  return (
    <LinesFigure
      label="Speed by block size"
      caption={`${title}: ${fastest.primitive} is the fastest at ${printNumber(topOf(fastest), 0)} MB/s.`}
      legend={
        <>
          <Legend items={lines} />
          {all.length > lines.length ? <p>The {lines.length} fastest. The table below shows all.</p> : null}
        </>
      }
      lines={lines}
      x="Block size, bytes"
      y="MB/s"
      table={{ caption: 'MB/s by size', head: 'Primitive', unit: 'B' }}
      print={(speed) => printNumber(speed, 1)}
    />
  );
}
