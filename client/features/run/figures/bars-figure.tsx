import { lazy } from 'react';
import { printNumber, printQuantity } from '../../../../shared/base/quantity.ts';
import { sideNames } from '../../../../shared/base/transport.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import { type MetricId, metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { withinWords } from '../../../../shared/words/outcome-word.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Figure } from '../../../components/figure.tsx';
import { Legend } from '../../../components/legend.tsx';
import type { Sides } from '../../../format/side.ts';
import { concludeInWords } from '../conclusion.ts';
import { barsView } from './bars-view.ts';
import { EmptyFigure } from './empty-figure.tsx';

const BarChart = lazy(() => import('../../../charts/bar-chart.tsx'));

type Props = { document: ShownRun; metricId: MetricId; sides: Sides };

export function BarsFigure({ document, metricId, sides }: Props) {
  const comparison = document.metrics.find(({ id }) => id === metricId);
  const { rows, scale } = barsView(document, metricId);
  if (comparison === undefined || rows.length === 0) {
    return (
      <EmptyFigure>This metric was not measured in this run; its row in the table says why.</EmptyFigure>
    );
  }
  const labels = { baseline: sides.baseline.label, comparison: sides.comparison.label };
  const { title } = metricOf(metricId);
  const caption = concludeInWords(comparison, title, labels, withinWords(document.plan.tolerance));
  const print = (estimate: Estimate | null) =>
    estimate === null
      ? '–'
      : `${printQuantity(estimate.center, scale)} (${printNumber(estimate.lo / scale.divisor, scale.decimals)} to ${printNumber(estimate.hi / scale.divisor, scale.decimals)})`;
  return (
    <Figure
      height={90 + rows.length * 90}
      caption={`${caption}.`}
      marks="Whiskers are 95 % CIs."
      legend={<Legend items={[sides.baseline, sides.comparison]} />}
      table={
        <DataTable
          caption="Centres and 95 % CIs of both sides"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { label: 'Metric', cell: (row) => row.title },
            { label: labels.baseline, numeric: true, cell: ({ baseline }) => print(baseline) },
            { label: labels.comparison, numeric: true, cell: ({ comparison }) => print(comparison) },
          ]}
        />
      }
    >
      <BarChart
        label={`Bars with 95 % CIs. ${caption}.`}
        categories={rows.map((row) => row.title)}
        series={sideNames.map((side) => ({
          ...sides[side],
          bars: rows.map((row) => row[side]),
        }))}
        value={{
          title: scale.symbol,
          print: (value) => printNumber(value / scale.divisor, Math.min(1, scale.decimals)),
        }}
      />
    </Figure>
  );
}
