import { printNumber } from '../../../../shared/base/quantity.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { XyFigure } from '../../../components/xy-figure.tsx';
import { printPercent } from '../../../format/percent.ts';
import type { MachineView } from './machine-view.ts';

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
    <XyFigure
      height={190}
      caption={`${words}.`}
      marks={merged === 1 ? 'A level is one window.' : `A level is the mean of ${merged} windows.`}
      table={
        <DataTable
          caption="Machine load in every block"
          narrow="scroll"
          rows={blocks}
          keyOf={({ block }) => block}
          columns={[
            { label: 'Block', cell: ({ block }) => block },
            { label: 'Launch', cell: ({ launch }) => launch },
            { label: 'At', cell: ({ seconds }) => `${printNumber(seconds, 1)} s` },
            { label: 'Steal', cell: (block) => share(block.steal) },
            { label: 'Other programs', cell: (block) => share(block.foreign) },
            { label: 'Windows set aside', cell: ({ windows }) => `${windows.aside} of ${windows.measured}` },
          ]}
        />
      }
      label={`Steal, other programs and windows set aside over time. ${words}.`}
      series={series.map((one) => ({ ...one, markerSize: 0, thin: one.label !== looks.aside.label }))}
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
  );
}
