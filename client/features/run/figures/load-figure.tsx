import { lazy } from 'react';
import { printNumber, printQuantity } from '../../../../shared/base/quantity.ts';
import { bySide, sideNames } from '../../../../shared/base/transport.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Figure } from '../../../components/figure.tsx';
import { Legend } from '../../../components/legend.tsx';
import type { Sides } from '../../../format/side.ts';
import { EmptyFigure } from './empty-figure.tsx';
import { loadInSentence, loadView } from './load-view.ts';

const BarChart = lazy(() => import('../../../charts/bar-chart.tsx'));

/** What a transaction costs the server when it is idle, half busy and busy. */
export function LoadFigure({ document, sides }: { document: ShownRun; sides: Sides }) {
  const view = loadView(document);
  if (view === null) return <EmptyFigure>This run measured server CPU at one load only.</EmptyFigure>;
  const { points, scale } = view;
  const labels = bySide((side) => sides[side].label);
  const caption = loadInSentence(view, labels);
  const print = (estimate: Estimate | null) =>
    estimate === null
      ? '–'
      : `${printQuantity(estimate.center, scale)} (${printNumber(estimate.lo / scale.divisor, scale.decimals)} to ${printNumber(estimate.hi / scale.divisor, scale.decimals)})`;
  return (
    <Figure
      height={90 + points.length * 90}
      caption={`${caption}.`}
      marks="Whiskers are 95 % CIs."
      legend={<Legend items={[sides.baseline, sides.comparison]} />}
      table={
        <DataTable
          caption="Server CPU per transaction by load, with 95 % CIs"
          rows={points}
          keyOf={({ id }) => id}
          columns={[
            { label: 'Load', cell: ({ title }) => title },
            { label: labels.baseline, numeric: true, cell: ({ baseline }) => print(baseline) },
            { label: labels.comparison, numeric: true, cell: ({ comparison }) => print(comparison) },
            { label: 'Shift', numeric: true, cell: ({ shift }) => shift?.center ?? '–' },
            { label: '95 % CI', numeric: true, cell: ({ shift }) => shift?.interval ?? '–' },
          ]}
        />
      }
    >
      <BarChart
        label={`Bars with 95 % CIs, from the lightest load to the heaviest. ${caption}.`}
        categories={points.map(({ title }) => title)}
        series={sideNames.map((side) => ({ ...sides[side], bars: points.map((point) => point[side]) }))}
        value={{
          title: scale.symbol,
          print: (value) => printNumber(value / scale.divisor, Math.min(1, scale.decimals)),
        }}
      />
    </Figure>
  );
}
