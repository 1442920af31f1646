import type { ReactNode } from 'react';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { XySeries } from '../../charts/xy-chart.tsx';
import { DataTable, XyFigure } from '../../components/data-table.tsx';

/** A point may have the key of its figure. */
type Line = Omit<XySeries, 'points'> & {
  points: readonly { x: number; y: number; q?: string | undefined }[];
};

type Props = {
  /** Text alternative of the drawing; the caption follows. */
  label: string;
  caption: string;
  legend?: ReactNode;
  lines: readonly Line[];
  /** Titles of the axes; that of y begins with its unit. */
  x: string;
  y: string;
  /** `head` is what the lines are, such as a cipher; `unit` that of its columns. */
  table: { caption: string; head: string; unit?: string };
  /** A figure of the table. */
  print: (y: number) => string;
  /** A figure of the axis; as in the table where it is left out. */
  printY?: (y: number) => string;
};

/** Lines over sizes, both on logarithmic scales. Its table has a row for each line and a column for each size. */
export function LinesFigure({ label, caption, legend, lines, x, y, table, print, printY = print }: Props) {
  const all = lines.flatMap(({ points }) => points.map((point) => point.x));
  const sizes = [...new Set(all)].toSorted((a, b) => a - b);
  const { unit } = table;
  return (
    <XyFigure
      label={`${label}, both on logarithmic scales. ${caption}`}
      caption={caption}
      legend={legend}
      table={
        <DataTable
          caption={table.caption}
          narrow="scroll"
          rows={lines}
          keyOf={(line) => line.label}
          columns={[
            { label: table.head, cell: (line) => line.label },
            ...sizes.map((size) => ({
              label: unit === undefined ? printNumber(size, 0) : `${printNumber(size, 0)} ${unit}`,
              cell: ({ points }: Line) => {
                const point = points.find((each) => each.x === size);
                return point === undefined ? '–' : <span data-q={point.q}>{print(point.y)}</span>;
              },
            })),
          ]}
        />
      }
      series={lines}
      x={{ title: x, log: true, ticks: sizes, print: (value) => printNumber(value, 0) }}
      y={{ title: y, unit: y, log: true, print: printY, printPoint: print }}
    />
  );
}

/** Largest number of lines that colors, dashes, and markers keep distinct. */
export const mostLines = 6;

/** None of them is a transport's. */
const colors = ['#009E73', '#8A63B5', '#B8860B', '#56707F', '#B8578E', '#A0703F'];

/** How the line of that place is drawn; dash and marker repeat what the color says. */
export function lookOfLine(label: string, index: number) {
  const odd = index % 2 === 1;
  return {
    label,
    color: colors[index % colors.length] ?? '#009E73',
    dashed: odd,
    marker: odd ? ('diamond' as const) : ('circle' as const),
  };
}
