import {
  printChangeInterval,
  printDifference,
  printNumber,
  ratioTicks,
  type Scale,
  scaleFor,
} from '../../../shared/base/quantity.ts';
import type { BySide } from '../../../shared/base/transport.ts';
import { titleOfMetric } from '../../../shared/kinds/comparison/at-load.ts';
import { ciOf } from '../../../shared/kinds/comparison/comparison.ts';
import { type MetricId, metricOf, quantityOf } from '../../../shared/kinds/comparison/metric.ts';
import type { ShownBlock, ShownRun, ShownWindow } from '../../../shared/kinds/comparison/run.ts';
import type { ViewState } from '../../../shared/results/shown-measurement.ts';
import { DataTable, XyFigure } from '../../components/data-table.tsx';
import { printCount, printPercent } from '../../format/printed-figures.ts';
import { measureIn, tickPrinter } from '../../format/shown-delta.ts';
import { type Sides, twinOf } from '../../format/sides.ts';
import { EmptyFigure } from './conclusion.tsx';
import { asideInWords, countWindows, type WindowCount } from './live-blocks.tsx';

/** Room for the labels of y, so that the times of both drawings line up. */
const room = 72;

type Props = {
  document: ShownRun;
  view: Pick<ViewState, 'm' | 'unit' | 'windows'>;
  sides: Sides;
};

/** The difference of each sample and, if the windows have it, the machine's activity. */
export function PairsFigure({ document, view: { m: metricId, unit, windows }, sides }: Props) {
  const view = pairsView(document, metricId, { all: windows === 'all', unit });
  const machine = machineView(document);
  if (view === null) {
    return (
      <EmptyFigure>
        This metric has no differences to show; the reason is in the table, or below it.
      </EmptyFigure>
    );
  }
  const shown = { document, view, metric: metricId, sides };
  if (machine === null) return <Differences {...shown} />;
  return (
    <div className="stack roomy">
      <Differences {...shown} endS={machine.endS} />
      <MachineFigure view={machine} room={room} />
    </div>
  );
}

type DifferencesProps = Pick<Props, 'document'> & {
  view: PairsView;
  metric: MetricId;
  sides: Sides;
  /** End of the drawing below, whose times it lines up with. */
  endS?: number;
};

function Differences({ document, view, metric, sides, endS }: DifferencesProps) {
  const title = titleOfMetric(metric, document);
  const labels = { baseline: sides.baseline.label, comparison: sides.comparison.label };
  const twin = twinOf(sides);
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
      of={quantityOf(metric)}
      caption={`${title}: ${words}.`}
      marks="A marker is one sample."
      bandName={view.band === null ? undefined : 'Interval of the control'}
      table={<PairsTable view={view} metric={metric} labels={[labels.comparison, twin.label]} />}
      label={`${title}, sample by sample relative to ${labels.baseline}. ${words}.`}
      series={[
        { ...sides.comparison, line: false, markerSize: 5.5, points: pointsOf('value') },
        { ...twin, line: false, quiet: true, points: pointsOf('twinValue') },
      ]}
      x={{
        title: 'Seconds since the start',
        print: (seconds) => printNumber(seconds, 0),
        ...(endS === undefined ? {} : { min: 0, max: endS }),
      }}
      y={{
        title: `Relative to ${labels.baseline}`,
        ...(view.ratios ? axisOfRatios(view) : { print: view.printTick }),
        unit: '',
        printPoint: (y) => view.print(view.ratios ? y - 1 : y),
        ...(endS === undefined ? {} : { room }),
      }}
      band={view.band === null ? null : { from: at(view.band.from), to: at(view.band.to) }}
      level={at(0)}
    />
  );
}

type TableProps = { view: PairsView; metric: MetricId; labels: [string, string] };

function PairsTable({ view, metric, labels: [own, twins] }: TableProps) {
  const print = (value: number | null) => (value === null ? '–' : view.print(value));
  return (
    <DataTable
      caption="Difference of every sample that counts"
      narrow="scroll"
      rows={view.points}
      keyOf={({ number }) => number}
      of={({ number }) => quantityOf(metric, `sample-${number}`)}
      columns={[
        { label: 'Sample', cell: ({ number }) => number },
        { label: 'At', part: 'at', cell: ({ seconds }) => `${printNumber(seconds, 1)} s` },
        { label: own, part: 'change', cell: ({ value }) => print(value) },
        { label: twins, part: 'control', cell: ({ twinValue }) => print(twinValue) },
      ]}
    />
  );
}

/** Wide enough for every point and the twin's band, with ×1 on it. */
function axisOfRatios({ points, band, printTick }: PairsView) {
  const changes = points.flatMap(({ value, twinValue }) => [value, twinValue ?? 0]);
  const ratios = [0, ...changes, band?.from ?? 0, band?.to ?? 0].map((change) => 1 + change);
  const margin = (Math.max(...ratios) / Math.min(...ratios)) ** 0.05;
  const [min, max] = [Math.min(...ratios) / margin, Math.max(...ratios) * margin];
  const print = (ratio: number) => printTick(ratio - 1);
  return { log: true, min, max, ticks: ratioTicks(min, max, 5), print };
}

type FigureProps = { view: MachineView; room: number };

const looks = {
  steal: { label: 'Steal', color: '#8A63B5', dashed: false, marker: 'circle' as const },
  foreign: { label: 'Other programs', color: '#B8860B', dashed: true, marker: 'diamond' as const },
  aside: { label: 'Readings discarded', color: '#80868e', dashed: false, marker: 'circle' as const },
};

/** Stands under the differences over time, on the same axis of time. */
function MachineFigure({ view, room }: FigureProps) {
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
      marks={merged === 1 ? 'Each level is one reading.' : `Each level is the mean of ${merged} readings.`}
      table={
        <DataTable
          caption="Machine load in each part of the run"
          narrow="scroll"
          rows={blocks}
          keyOf={({ block }) => block}
          of={({ block }) => `comparison/block-${block}/machine`}
          columns={[
            { label: 'Part', cell: ({ block }) => block },
            { label: 'Start', cell: ({ launch }) => launch },
            { label: 'At', part: 'at', cell: ({ seconds }) => `${printNumber(seconds, 1)} s` },
            { label: 'Steal', part: 'steal', cell: (block) => share(block.steal) },
            { label: 'Other programs', part: 'foreign', cell: (block) => share(block.foreign) },
            { label: 'Readings discarded', cell: ({ windows }) => `${windows.aside} of ${windows.measured}` },
          ]}
        />
      }
      label={`Steal, other programs, and discarded readings over time. ${words}.`}
      series={series.map((one) => ({ ...one, markerSize: 0, thin: one.label !== looks.aside.label }))}
      x={{
        title: 'Seconds since the start',
        print: (seconds) => printNumber(seconds, 0),
        min: 0,
        max: endS,
      }}
      y={{
        title: merged === 1 ? 'Share' : `Share, ${merged} readings per level`,
        unit: '',
        print: (value) => printPercent(value),
        min: 0,
        room,
      }}
    />
  );
}

/** The difference of every sample over time, with that of the twin. */
type PairsView = {
  points: { number: number; seconds: number; value: number; twinValue: number | null }[];
  /** Range of the twin's interval. */
  band: { from: number; to: number } | null;
  /** Effect of setting windows aside, in words; null if none were set aside. */
  settingAside: string | null;
  print: (value: number) => string;
  printTick: (value: number) => string;
  /** Whether values are changes of a ratio, which stand on a logarithmic axis. */
  ratios: boolean;
};

/**
 * Null when the metric has no pairs or was refused; `all` also shows the samples that were discarded. Values are in the unit that is shown
 * (0.21 for +21 %), in percent if the metric has none in it, and in the metric's unit if it has no ratio.
 */
export function pairsView(
  document: ShownRun,
  metricId: MetricId,
  { all = false, unit = 'percent' }: { all?: boolean; unit?: ViewState['unit'] } = {},
): PairsView | null {
  const comparison = document.metrics.find(({ id }) => id === metricId);
  if (comparison === undefined || comparison.pairs.length === 0 || comparison.outcome === 'refused')
    return null;
  const { pairs, ratio, twinRatio, ratioOfAll } = comparison;
  const measure = measureIn(unit, comparison) ?? measureIn('percent', comparison);
  const placed = (value: number) => (measure === null ? value : measure.of(value));
  const points = pairs.flatMap(({ atMs, value, twinValue, aside }, index) =>
    aside === true && !all
      ? []
      : {
          ...{ number: index + 1, seconds: atMs / 1000, value: placed(value) },
          twinValue: twinValue === null ? null : placed(twinValue),
        },
  );
  const scale = scaleFor(
    metricOf(metricId).unit,
    points.map(({ value }) => value),
  );
  return {
    points,
    band:
      twinRatio === null || ratio === null ? null : { from: placed(twinRatio.lo), to: placed(twinRatio.hi) },
    settingAside:
      ratio === null || ratioOfAll === null
        ? null
        : `${ciOf(comparison)} ${printChangeInterval(ratio)}; with nothing discarded ${printChangeInterval(ratioOfAll)}`,
    print: measure === null ? (value) => printCoarse(value, scale) : measure.print,
    printTick:
      measure === null
        ? (value) => printCoarse(value, scale)
        : tickPrinter(measure.unit, { from: 0, to: Math.max(...points.map(({ value }) => Math.abs(value))) }),
    ratios: measure !== null && measure.unit !== 'us',
  };
}

/** "HTTPS is above HTTP in 11 of 12 samples; the control of HTTP lies between −0.9 % and +1.1 %." */
export function pairsInWords(view: PairsView, labels: BySide<string>): string {
  const above = view.points.filter(({ value }) => value > 0).length;
  const most = `${labels.comparison} is above ${labels.baseline} in ${above} of ${printCount(view.points.length, 'sample')}`;
  const { band, settingAside } = view;
  return [
    most,
    ...(band === null
      ? []
      : [
          `the control of ${labels.baseline} lies between ${view.print(band.from)} and ${view.print(band.to)}, which is noise`,
        ]),
    ...(settingAside === null ? [] : [settingAside]),
  ].join('; ');
}

function printCoarse(value: number, scale: Scale): string {
  return printDifference(value, { ...scale, decimals: Math.min(2, scale.decimals) });
}

/** State of the machine during the run: shares of all its cores, window by window. */
type MachineView = {
  /** Null where it cannot be read. A level from the start of each window to its end; a NaN parts the blocks. */
  steal: readonly Point[] | null;
  foreign: readonly Point[] | null;
  /** Windows of each block that were set aside. */
  aside: readonly Point[];
  /** Windows whose mean is one level, so that a long run can still be read. */
  merged: number;
  blocks: readonly MachineBlock[];
  endS: number;
  words: string;
};

type Point = { x: number; y: number };

type MachineBlock = {
  block: number;
  launch: number;
  seconds: number;
  windows: WindowCount;
  /** Means over the windows. */
  steal: number | null;
  foreign: number | null;
};

const mostLevels = 400;

/** Null when no block has windows. */
export function machineView({ blocks }: Pick<ShownRun, 'blocks'>): MachineView | null {
  const windowed = blocks.filter(({ windows }) => windows.length > 0);
  if (windowed.length === 0) return null;
  const windows = windowed.flatMap((block) => block.windows);
  const merged = Math.ceil(windows.length / mostLevels);
  const [steal, foreign] = [stealOf, foreignOf].map((read) =>
    windows.every((window) => read(window) === null) ? null : linesOf(windowed, read, merged),
  );
  const counted = countWindows(windowed);
  return {
    steal: steal ?? null,
    foreign: foreign ?? null,
    aside: windowed.flatMap(({ windows }) => {
      const { measured, aside } = countWindows([{ windows }]);
      return levelOf(startOf(windows[0]), endOf(windows.at(-1)), aside / measured);
    }),
    merged,
    blocks: windowed.map(({ index, launch, windows }) => ({
      block: index + 1,
      launch: launch + 1,
      seconds: startOf(windows[0]),
      windows: countWindows([{ windows }]),
      steal: meanOf(windows, stealOf),
      foreign: meanOf(windows, foreignOf),
    })),
    endS: Math.ceil(Math.max(...blocks.map(endOfBlock))),
    words: inWords(meanOf(windows, stealOf), meanOf(windows, foreignOf), counted),
  };
}

type Read = (window: ShownWindow) => number | null;
const stealOf: Read = ({ stealRatio }) => stealRatio;
const foreignOf: Read = ({ foreignRatio }) => foreignRatio;

function linesOf(blocks: readonly ShownBlock[], read: Read, merged: number): Point[] {
  return blocks.flatMap(({ windows }) => {
    const groups = Array.from({ length: Math.ceil(windows.length / merged) }, (_, index) =>
      windows.slice(index * merged, (index + 1) * merged),
    );
    const levels = groups.flatMap((group) => {
      const level = meanOf(group, read) ?? Number.NaN;
      return [
        { x: startOf(group[0]), y: level },
        { x: endOf(group.at(-1)), y: level },
      ];
    });
    return [...levels, { x: endOf(windows.at(-1)), y: Number.NaN }];
  });
}

function levelOf(from: number, to: number, level: number): Point[] {
  return [
    { x: from, y: level },
    { x: to, y: level },
    { x: to, y: Number.NaN },
  ];
}

function startOf(window: ShownWindow | undefined): number {
  return (window?.startedAtMs ?? 0) / 1000;
}

function endOf(window: ShownWindow | undefined): number {
  return window === undefined ? 0 : (window.startedAtMs + window.elapsedMs) / 1000;
}

function endOfBlock({ windows, slots }: ShownBlock): number {
  const ends = slots.map(({ startedAtMs, load }) => startedAtMs / 1000 + load.elapsedUs / 1e6);
  // A slot in lockstep is the sum of its turns: only its windows say when it ended.
  return windows.length > 0 ? endOf(windows.at(-1)) : Math.max(0, ...ends);
}

function meanOf(windows: readonly ShownWindow[], read: Read): number | null {
  const values = windows.flatMap((window) => read(window) ?? []);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** "The hypervisor took 2.1 % of the machine and other programs 3.4 %; 6.3 % of readings discarded". */
function inWords(steal: number | null, foreign: number | null, windows: WindowCount): string {
  const took = [
    ...(steal === null ? [] : [`the hypervisor took ${printPercent(steal, 2)}`]),
    ...(foreign === null ? [] : [`other programs took ${printPercent(foreign, 2)}`]),
  ].join(', ');
  const machine = took === '' ? 'Machine load could not be read' : `Of the machine’s CPU, ${took}`;
  return `${machine}; ${asideInWords(windows, 'readings')}`;
}
