import { lazy } from 'react';
import { printNumber } from '../../../../shared/base/quantity.ts';
import { labelsOf, sideNames } from '../../../../shared/base/transport.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { type PhaseName, phaseNames } from '../../../../shared/kinds/comparison/slot.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Figure } from '../../../components/figure.tsx';
import { PartLegend } from '../../../components/part-legend.tsx';
import type { Sides } from '../../../format/side.ts';
import { timeRows } from './phase-rows.ts';
import { type PhasesView, phasesInWords } from './phases-view.ts';

const StackedBarChart = lazy(() => import('../../../charts/stacked-bar-chart.tsx'));

type Props = { document: ShownRun; view: PhasesView; sides: Sides };

const looks = {
  connectUs: { label: 'Connecting', fill: 'hatched' },
  tlsUs: { label: 'TLS handshake', fill: 'solid' },
  ttfbUs: { label: 'Waiting for the first byte', fill: 'half' },
  downloadUs: { label: 'Download', fill: 'pale' },
} as const satisfies Record<PhaseName, object>;

const parts = phaseNames.map((phase) => looks[phase]);

export function PhasesFigure({ document, view, sides }: Props) {
  const { bars, leftOut, scale } = view;
  const words = phasesInWords(view, labelsOf(document.sides));
  const drawn = leftOut === 0 ? '' : ` The ${leftOut} shortest steps are in the data only.`;
  return (
    <Figure
      height={90 + bars.length * 64}
      caption={`${words}.`}
      marks={`A bar is made of the median of each phase, which may add up to a little less or more than the median of the whole.${drawn}`}
      legend={<PartLegend parts={parts} colors={sideNames.map((side) => sides[side].color)} />}
      table={<TimeTable document={document} sides={sides} />}
    >
      <StackedBarChart
        label={`Stacked bars of the phases. ${words}.`}
        categories={bars.map(({ name }) => name)}
        parts={parts}
        series={sideNames.map((side) => ({ ...sides[side], bars: bars.map(({ us }) => us[side]) }))}
        value={{
          title: scale.symbol,
          print: (us) => printNumber(us / scale.divisor, Math.min(1, scale.decimals)),
        }}
      />
    </Figure>
  );
}

/** With the 90th percentiles, and with the phases that the bars leave out. */
function TimeTable({ document, sides }: Omit<Props, 'view'>) {
  return (
    <DataTable
      caption="Phases of the transaction and of every step"
      testId="phases"
      rows={timeRows(document)}
      keyOf={({ of, what }) => of + what}
      columns={[
        { label: 'Of', cell: ({ of }) => of },
        { label: 'Phase', numeric: false, cell: ({ what }) => what },
        { label: sides.baseline.label, cell: ({ baseline }) => baseline },
        { label: sides.comparison.label, cell: ({ comparison }) => comparison },
      ]}
    />
  );
}
