import { lazy } from 'react';
import { type MetricId, metricOf } from '../../../../shared/metric.ts';
import { printNumber } from '../../../../shared/quantity.ts';
import type { RunDocument } from '../../../../shared/run.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Figure } from '../../../components/figure.tsx';
import { Legend } from '../../../components/legend.tsx';
import type { Sides } from '../../../format/side.ts';
import { EmptyFigure } from './empty-figure.tsx';
import { pairsInWords, pairsView } from './pairs-view.ts';

const XyChart = lazy(() => import('../../../charts/xy-chart.tsx'));

type Props = { document: RunDocument; metricId: MetricId; sides: Sides };

export function PairsFigure({ document, metricId, sides }: Props) {
  const view = pairsView(document, metricId);
  if (view === null) {
    return <EmptyFigure>This metric has no differences to show; its row in the table says why.</EmptyFigure>;
  }
  const labels = { baseline: sides.baseline.label, comparison: sides.comparison.label };
  const twin = {
    label: `Twin of ${labels.baseline}`,
    color: '#80868e',
    dashed: false,
    marker: 'circle' as const,
  };
  const words = pairsInWords(view, labels);
  const { title } = metricOf(metricId);
  return (
    <Figure
      height={340}
      caption={`${title}: ${words}.`}
      legend={
        <Legend
          items={[sides.comparison, twin]}
          band={view.band === null ? undefined : 'Interval of the twin'}
        />
      }
      table={
        <DataTable
          caption="Difference of every block that counts"
          narrow="scroll"
          rows={view.points}
          keyOf={({ block }) => block}
          columns={[
            { label: 'Block', cell: ({ block }) => block },
            { label: 'At', numeric: true, cell: ({ seconds }) => `${printNumber(seconds, 1)} s` },
            { label: labels.comparison, numeric: true, cell: ({ value }) => view.print(value) },
            {
              label: twin.label,
              numeric: true,
              cell: ({ nullValue }) => (nullValue === null ? '–' : view.print(nullValue)),
            },
          ]}
        />
      }
    >
      <XyChart
        label={`${title}, block by block relative to ${labels.baseline}. ${words}.`}
        series={[
          {
            ...sides.comparison,
            line: true,
            markerSize: 5.5,
            points: view.points.map(({ seconds, value }) => ({ x: seconds, y: value })),
          },
          {
            ...twin,
            line: false,
            markerSize: 4,
            quiet: true,
            points: view.points.flatMap(({ seconds, nullValue }) =>
              nullValue === null ? [] : [{ x: seconds, y: nullValue }],
            ),
          },
        ]}
        x={{ title: 'Seconds since the start', print: (seconds) => printNumber(seconds, 0) }}
        y={{ title: `Relative to ${labels.baseline}`, print: view.tick }}
        band={view.band}
        level={0}
      />
    </Figure>
  );
}
