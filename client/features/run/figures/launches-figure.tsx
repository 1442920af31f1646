import { printChange } from '../../../../shared/base/quantity.ts';
import { labelsOf } from '../../../../shared/base/transport.ts';
import { type MetricId, metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Figure } from '../../../components/figure.tsx';
import { type IntervalRow, IntervalRows } from '../../../components/interval-rows.tsx';
import { Legend } from '../../../components/legend.tsx';
import { printChanges } from '../../../format/change-of.ts';
import type { Sides } from '../../../format/side.ts';
import { printRatioTick } from '../../../format/tick.ts';
import { EmptyFigure } from './empty-figure.tsx';
import { launchesInWords, launchesView } from './launches-view.ts';

type Props = { document: ShownRun; metricId: MetricId; sides: Sides };

/** One row a launch, the twin beside it, and what all launches say together. */
export function LaunchesFigure({ document, metricId, sides }: Props) {
  const view = launchesView(document, metricId);
  if (view === null) {
    return (
      <EmptyFigure>
        This metric has no figure of each launch; the reason is in the table, or below it.
      </EmptyFigure>
    );
  }
  const { launches, all, ofAll, twin } = view;
  const twinLook = {
    label: `Twin of ${sides.baseline.label}`,
    color: '#80868e',
    dashed: false,
    marker: 'circle' as const,
  };
  const rows: IntervalRow[] = [
    ...launches.map(({ name, change, nullChange }) => ({ name, interval: change, hollow: nullChange })),
    { name: 'All launches', interval: all, hollow: twin?.center ?? null, strong: true },
    ...(ofAll === null ? [] : [{ name: 'Nothing set aside', interval: ofAll, hollow: null }]),
  ];
  const { title } = metricOf(metricId);
  const words = launchesInWords(view, labelsOf(document.sides));
  return (
    <Figure
      caption={`${title}: ${words}.`}
      marks={`Lines are 95 % CIs: of a launch, what varied within it. Dashed: ±${Math.round(100 * document.plan.tolerance)} %.`}
      legend={
        <Legend
          items={[sides.comparison, twinLook]}
          band={twin === null ? undefined : 'Interval of the twin'}
        />
      }
      height={null}
      table={
        <DataTable
          caption="Results of each launch"
          narrow="scroll"
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { label: 'Launch', cell: ({ name }) => name },
            {
              label: `${sides.comparison.label} relative to ${sides.baseline.label}`,
              cell: ({ interval }) => printChange(1 + interval.center),
            },
            {
              label: '95 % CI',
              // A launch of which nothing is known but its value has an interval of no width.
              cell: ({ interval }) => (interval.lo < interval.hi ? printChanges(interval) : '–'),
            },
            {
              label: twinLook.label,
              cell: ({ hollow }) => (hollow === null ? '–' : printChange(1 + hollow)),
            },
          ]}
        />
      }
    >
      <IntervalRows
        label={`${title}, launch by launch. ${words}.`}
        rows={rows}
        level={all.center}
        band={twin}
        tolerance={document.plan.tolerance}
        color={sides.comparison.color}
        marker={sides.comparison.marker}
        print={printRatioTick}
        ratios
      />
    </Figure>
  );
}
