import { lazy } from 'react';
import { printNumber } from '../../../../shared/base/quantity.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Figure } from '../../../components/figure.tsx';
import { Legend } from '../../../components/legend.tsx';
import { printPercent } from '../../../format/percent.ts';
import type { MachineView } from './machine-view.ts';

const XyChart = lazy(() => import('../../../charts/xy-chart.tsx'));

type Props = { view: MachineView; room: number };

const looks = {
  steal: { label: 'Steal', color: '#8A63B5', dashed: false, marker: 'circle' as const },
  foreign: { label: 'Other programs', color: '#B8860B', dashed: true, marker: 'diamond' as const },
  aside: { label: 'Windows set aside', color: '#80868e', dashed: false, marker: 'circle' as const },
};

/** Stands under the differences over time, on the same axis of time. */
export function MachineFigure({ view, room }: Props) {
  const { steal, foreign, aside, merged, blocks, endS, words } = view;
  const series = [
    ...(steal === null ? [] : [{ ...looks.steal, points: steal }]),
    ...(foreign === null ? [] : [{ ...looks.foreign, points: foreign }]),
    { ...looks.aside, points: aside },
  ];
  const share = (value: number | null) => (value === null ? '–' : printPercent(value, 2));
  return (
    <Figure
      height={190}
      caption={`${words}.`}
      marks={merged === 1 ? 'A level is one window.' : `A level is the mean of ${merged} windows.`}
      legend={<Legend items={series} />}
      table={
        <DataTable
          caption="Machine load in every block"
          narrow="scroll"
          rows={blocks}
          keyOf={({ block }) => block}
          columns={[
            { label: 'Block', cell: ({ block }) => block },
            { label: 'Launch', numeric: true, cell: ({ launch }) => launch },
            { label: 'At', numeric: true, cell: ({ seconds }) => `${printNumber(seconds, 1)} s` },
            { label: 'Steal', numeric: true, cell: (block) => share(block.steal) },
            { label: 'Other programs', numeric: true, cell: (block) => share(block.foreign) },
            {
              label: 'Windows set aside',
              numeric: true,
              cell: ({ windows }) => `${windows.aside} of ${windows.measured}`,
            },
          ]}
        />
      }
    >
      <XyChart
        label={`Steal, other programs and windows set aside over time. ${words}.`}
        series={series.map((one) => ({
          ...one,
          line: true,
          markerSize: 0,
          thin: one.label !== looks.aside.label,
        }))}
        x={{
          title: 'Seconds since the start',
          print: (seconds) => printNumber(seconds, 0),
          min: 0,
          max: endS,
        }}
        y={{
          title: merged === 1 ? 'Share' : `Share, ${merged} windows a level`,
          print: (value) => printPercent(value),
          min: 0,
          room,
        }}
      />
    </Figure>
  );
}
