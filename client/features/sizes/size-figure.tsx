import { lazy } from 'react';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { XyChartProps, XySeries } from '../../charts/xy-chart.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Figure } from '../../components/figure.tsx';
import { Legend } from '../../components/legend.tsx';
import { printBytes } from '../../format/bytes.ts';
import type { lookOfArm } from './arm-look.ts';

const XyChart = lazy(() => import('../../charts/xy-chart.tsx'));

export type SizeLine = {
  look: ReturnType<typeof lookOfArm>;
  /** What the table says of it, by size. */
  cells: ReadonlyMap<number, string>;
  series: readonly XySeries[];
};

type Props = {
  caption: string;
  /** Of the table. */
  values: string;
  sizes: readonly number[];
  lines: readonly SizeLine[];
  /** In place of sizes from zero on. */
  x?: Partial<XyChartProps['x']>;
  y: XyChartProps['y'];
  level?: number;
  height?: number;
};

/** Something by the size of documents, a line for each arm. */
export function SizeFigure({ caption, values, sizes, lines, x, height = 320, ...chart }: Props) {
  return (
    <Figure
      caption={caption}
      height={height}
      legend={<Legend items={lines.map(({ look }) => look)} />}
      table={
        <DataTable
          caption={values}
          narrow="scroll"
          rows={sizes}
          keyOf={(size) => size}
          columns={[
            { label: 'Document', cell: (size) => `${printNumber(size, 0)} bytes` },
            ...lines.map(({ look, cells }) => ({
              label: look.label,
              numeric: true,
              cell: (size: number) => cells.get(size) ?? '–',
            })),
          ]}
        />
      }
    >
      <XyChart
        label={caption}
        series={lines.flatMap(({ series }) => series)}
        x={{ title: 'Document size, bytes', print: printBytes, fromZero: true, ...x }}
        {...chart}
      />
    </Figure>
  );
}
