import { lazy } from 'react';
import { printNumber, printQuantity, scaleFor } from '../../../../shared/base/quantity.ts';
import { type BySide, sideNames } from '../../../../shared/base/transport.ts';
import type { Unit } from '../../../../shared/base/units.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Figure } from '../../../components/figure.tsx';
import { Legend } from '../../../components/legend.tsx';
import type { Sides } from '../../../format/side.ts';

const BarChart = lazy(() => import('../../../charts/bar-chart.tsx'));

type Row = { id: string; title: string } & BySide<Estimate | null>;

type Props<Each extends Row> = {
  /** A sentence without its full stop. */
  caption: string;
  /** What the bars are, before the caption, to who does not see them. */
  label: string;
  table: { caption: string; head: string; more?: readonly Column<Each>[] };
  rows: readonly Each[];
  unit: Unit;
  sides: Sides;
  /** Left out where the sides were measured in pairs: what they share is in both intervals, and not in their difference. */
  whiskers?: boolean;
};

export function SideBars<Each extends Row>({
  caption,
  label,
  table,
  rows,
  unit,
  sides,
  whiskers = true,
}: Props<Each>) {
  const centers = rows.flatMap((row) => sideNames.flatMap((side) => row[side]?.center ?? []));
  const scale = scaleFor(unit, centers);
  const end = (value: number) => printNumber(value / scale.divisor, scale.decimals);
  const print = (estimate: Estimate | null) =>
    estimate === null
      ? '–'
      : `${printQuantity(estimate.center, scale)} (${end(estimate.lo)} to ${end(estimate.hi)})`;
  return (
    <Figure
      height={90 + rows.length * 90}
      caption={`${caption}.`}
      {...(whiskers ? { marks: 'Whiskers are 95 % CIs.' } : {})}
      legend={<Legend items={[sides.baseline, sides.comparison]} />}
      table={
        <DataTable
          caption={table.caption}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { label: table.head, cell: ({ title }) => title },
            ...sideNames.map((side) => ({ label: sides[side].label, cell: (row: Each) => print(row[side]) })),
            ...(table.more ?? []),
          ]}
        />
      }
    >
      <BarChart
        label={`${label} ${caption}.`}
        categories={rows.map(({ title }) => title)}
        series={sideNames.map((side) => ({
          ...sides[side],
          bars: rows.map((row) => (whiskers ? row[side] : withoutWidth(row[side]))),
        }))}
        value={{
          title: scale.symbol,
          print: (value) => printNumber(value / scale.divisor, Math.min(1, scale.decimals)),
        }}
      />
    </Figure>
  );
}

function withoutWidth(estimate: Estimate | null): Estimate | null {
  return estimate === null ? null : { center: estimate.center, lo: estimate.center, hi: estimate.center };
}
