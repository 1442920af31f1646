import { lazy } from 'react';
import { printNumber } from '../../../../shared/base/quantity.ts';
import type { MeasuredCell } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Figure } from '../../../components/figure.tsx';
import { Legend } from '../../../components/legend.tsx';
import { Section } from '../../../components/section.tsx';
import { lookOfLine, mostLines } from '../line-look.ts';
import { bytesLines } from './bytes-lines.ts';

const XyChart = lazy(() => import('../../../charts/xy-chart.tsx'));

/** How the cost of a connection grows with what it carries. */
export function BytesFigure({ cells }: { cells: readonly MeasuredCell[] }) {
  const { lines, sizes, caption, leftOut } = bytesLines(cells, mostLines);
  if (lines.length === 0) return null;
  return (
    <Section id="bytes" title="CPU by payload" lead={leftOut} card>
      <Figure
        caption={caption}
        legend={<Legend items={lines.map(({ label }, index) => lookOfLine(label, index))} />}
        table={
          <DataTable
            caption="CPU of a full connection in µs, by bytes each way"
            narrow="scroll"
            rows={lines}
            keyOf={({ label }) => label}
            columns={[
              { label: 'Connection', cell: ({ label }) => label },
              ...sizes.map((size) => ({
                label: `${printNumber(size, 0)} B`,
                numeric: true,
                cell: ({ points }: (typeof lines)[number]) => {
                  const point = points.find(({ x }) => x === size);
                  return point === undefined ? '–' : printNumber(point.y, 0);
                },
              })),
            ]}
          />
        }
      >
        <XyChart
          label={`CPU by bytes each way, both on logarithmic scales. ${caption}`}
          series={lines.map(({ label, points }, index) => ({
            ...lookOfLine(label, index),
            line: true,
            markerSize: 4,
            points,
          }))}
          x={{ title: 'Bytes each way', log: true, ticks: sizes, print: (value) => printNumber(value, 0) }}
          y={{ title: 'µs of CPU, both ends', log: true, print: (value) => printNumber(value, 0) }}
        />
      </Figure>
    </Section>
  );
}
