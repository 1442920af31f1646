import { printNumber } from '../../../../shared/base/quantity.ts';
import { type MetricId, metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { XyFigure } from '../../../components/xy-figure.tsx';
import { ratioTicks } from '../../../format/ratio-ticks.ts';
import type { Sides } from '../../../format/side.ts';
import { printRatioTick } from '../../../format/tick.ts';
import { EmptyFigure } from './empty-figure.tsx';
import { MachineFigure } from './machine-figure.tsx';
import { machineView } from './machine-view.ts';
import { type PairsView, pairsInWords, pairsView } from './pairs-view.ts';

/** Of the labels of y, so that the times of both drawings line up. */
const room = 72;

type Props = {
  document: ShownRun;
  metricId: MetricId;
  sides: Sides;
  /** Also shows samples that were set aside. */
  all: boolean;
};

/** The difference of each sample and, if the windows have it, the machine's activity. */
export function PairsFigure({ document, metricId, sides, all }: Props) {
  const view = pairsView(document, metricId, all);
  const machine = machineView(document);
  if (view === null) {
    return (
      <EmptyFigure>
        This metric has no differences to show; the reason is in the table, or below it.
      </EmptyFigure>
    );
  }
  const { title } = metricOf(metricId);
  if (machine === null) return <Differences view={view} title={title} sides={sides} />;
  return (
    <div className="stack roomy">
      <Differences view={view} title={title} sides={sides} endS={machine.endS} />
      <MachineFigure view={machine} room={room} />
    </div>
  );
}

type DifferencesProps = {
  view: PairsView;
  title: string;
  sides: Sides;
  /** Of the drawing below, whose times it lines up with. */
  endS?: number;
};

function Differences({ view, title, sides, endS }: DifferencesProps) {
  const labels = { baseline: sides.baseline.label, comparison: sides.comparison.label };
  const twin = {
    label: `Twin of ${labels.baseline}`,
    color: '#80868e',
    dashed: false,
    marker: 'circle' as const,
  };
  const words = pairsInWords(view, labels);
  const at = (value: number) => (view.ratios ? 1 + value : value);
  const pointsOf = (side: 'value' | 'twinValue') =>
    view.points.flatMap((point) => {
      const value = point[side];
      return value === null ? [] : [{ x: point.seconds, y: at(value) }];
    });
  return (
    <XyFigure
      height={340}
      caption={`${title}: ${words}.`}
      marks="A marker is one sample."
      bandName={view.band === null ? undefined : 'Interval of the twin'}
      table={<PairsTable view={view} labels={[labels.comparison, twin.label]} />}
      label={`${title}, sample by sample relative to ${labels.baseline}. ${words}.`}
      series={[
        { ...sides.comparison, markerSize: 5.5, points: pointsOf('value') },
        { ...twin, line: false, quiet: true, points: pointsOf('twinValue') },
      ]}
      x={{
        title: 'Seconds since the start',
        print: (seconds) => printNumber(seconds, 0),
        ...(endS === undefined ? {} : { min: 0, max: endS }),
      }}
      y={{
        title: `Relative to ${labels.baseline}`,
        ...(view.ratios ? axisOfRatios(view) : { print: view.print }),
        ...(endS === undefined ? {} : { room }),
      }}
      band={view.band === null ? null : { from: at(view.band.from), to: at(view.band.to) }}
      level={at(0)}
    />
  );
}

function PairsTable({ view, labels: [own, twins] }: { view: PairsView; labels: [string, string] }) {
  const print = (value: number | null) => (value === null ? '–' : view.print(value));
  return (
    <DataTable
      caption="Difference of every sample that counts"
      narrow="scroll"
      rows={view.points}
      keyOf={({ number }) => number}
      columns={[
        { label: 'Sample', cell: ({ number }) => number },
        { label: 'At', cell: ({ seconds }) => `${printNumber(seconds, 1)} s` },
        { label: own, cell: ({ value }) => print(value) },
        { label: twins, cell: ({ twinValue }) => print(twinValue) },
      ]}
    />
  );
}

/** Wide enough for every point and the twin's band, with ×1 on it. */
function axisOfRatios({ points, band }: PairsView) {
  const changes = points.flatMap(({ value, twinValue }) => [value, twinValue ?? 0]);
  const ratios = [0, ...changes, band?.from ?? 0, band?.to ?? 0].map((change) => 1 + change);
  const margin = (Math.max(...ratios) / Math.min(...ratios)) ** 0.05;
  const [min, max] = [Math.min(...ratios) / margin, Math.max(...ratios) * margin];
  const print = (ratio: number) => printRatioTick(ratio - 1);
  return { log: true, min, max, ticks: ratioTicks(min, max, 5), print };
}
