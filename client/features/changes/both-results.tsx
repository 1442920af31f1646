import { printChange, printMs } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Figure } from '../../components/figure.tsx';
import { type IntervalRow, IntervalRows } from '../../components/interval-rows.tsx';
import { Legend } from '../../components/legend.tsx';
import { printChanges } from '../../format/change-of.ts';
import type { Side } from '../../format/side.ts';
import { printChangeTick } from '../../format/tick.ts';

export type Axis = {
  name: string;
  ratios: boolean;
  tick(value: number): string;
  print(value: number): string;
  printInterval(interval: Estimate): string;
};

/** Values are changes: 0.21 for +21 %. */
export function changeAxis(name: string): Axis {
  return {
    ...{ name, ratios: true, tick: printChangeTick, printInterval: printChanges },
    print: (change) => printChange(1 + change),
  };
}

export function msAxis(name: string): Axis {
  return {
    ...{ name, ratios: false, print: printMs },
    tick: (ms) => `${Number(ms.toPrecision(3))} ms`,
    printInterval: ({ lo, hi }) => `${printMs(lo)} to ${printMs(hi)}`,
  };
}

type Props = {
  rows: readonly IntervalRow[];
  axis: Axis;
  look: Pick<Side, 'color' | 'marker' | 'dashed'>;
  caption: string;
  marks: string;
};

/** Two results on one axis: rows of the first are pale. */
export function BothResults({ rows, axis, look: { color, marker, dashed }, caption, marks }: Props) {
  return (
    <Figure
      height={null}
      caption={caption}
      marks={marks}
      legend={
        <Legend
          items={[
            { label: 'First', color: `${color}80`, marker, dashed },
            { label: 'Second', color, marker, dashed },
          ]}
        />
      }
      table={
        <DataTable
          caption={`${axis.name} in both results`}
          narrow="scroll"
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { label: 'Result', cell: ({ name }) => name },
            { label: axis.name, cell: ({ interval }) => axis.print(interval.center) },
            { label: '95 % CI', cell: ({ interval }) => printKnown(interval, axis) },
          ]}
        />
      }
    >
      <IntervalRows
        label={caption}
        rows={rows}
        level={0}
        band={null}
        color={color}
        marker={marker}
        print={axis.tick}
        ratios={axis.ratios}
      />
    </Figure>
  );
}

/** What has no known interval has one of zero width. */
function printKnown(interval: Estimate, axis: Axis): string {
  return interval.lo < interval.hi ? axis.printInterval(interval) : '–';
}
