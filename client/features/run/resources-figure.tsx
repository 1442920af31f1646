import { mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import { printNumber, printQuantity, type Scale, scaleFor } from '../../../shared/base/quantity.ts';
import { type BySide, bySide, labelsOf, type SideName, sideNames } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import { titleOfMetric } from '../../../shared/kinds/comparison/at-load.ts';
import { ciOf } from '../../../shared/kinds/comparison/comparison.ts';
import type { OperatingPoint } from '../../../shared/kinds/comparison/load-profile.ts';
import { type MetricId, quantityOf } from '../../../shared/kinds/comparison/metric.ts';
import type { ShownRun, ShownSlot } from '../../../shared/kinds/comparison/run.ts';
import type { ViewState } from '../../../shared/results/shown-measurement.ts';
import { pointInWords } from '../../../shared/words/side-words.ts';
import { DataTable, Figure, Legend, XyFigure } from '../../components/data-table.tsx';
import { type IntervalRow, IntervalRows } from '../../components/delta-section.tsx';
import { axisIn, median, printCount } from '../../format/printed-figures.ts';
import { type Measure, measureIn, tickPrinter } from '../../format/shown-delta.ts';
import { type Sides, twinOf } from '../../format/sides.ts';
import { EmptyFigure } from './conclusion.tsx';

type Props = { document: ShownRun; sides: Sides };
type Quantity = { title: string; key: 'cpuPercent' | 'rssBytes'; scale: Scale };

export function ResourcesFigure({ document, sides }: Props) {
  const view = resourcesView(document);
  if (view === null) {
    const { plan } = document;
    return (
      <EmptyFigure>
        {plan.openMs === null
          ? 'CPU and memory over time are measured at half load, which this run does not have. Choose the length To quote, or give a rate.'
          : 'The target’s processes could not be read over time.'}
      </EmptyFigure>
    );
  }
  return (
    <div className="stack roomy">
      <OverTime
        view={view}
        sides={sides}
        quantity={{
          title: 'CPU',
          key: 'cpuPercent',
          scale: { symbol: '% of a core', divisor: 1, decimals: 0 },
        }}
      />
      <OverTime
        view={view}
        sides={sides}
        quantity={{
          title: 'Memory',
          key: 'rssBytes',
          scale: scaleFor('bytes', [view.baseline.rssBytes, view.comparison.rssBytes]),
        }}
      />
    </div>
  );
}

function OverTime({ view, sides, quantity }: { view: ResourcesView; sides: Sides; quantity: Quantity }) {
  const { title, key, scale } = quantity;
  const median = (side: SideName) => `${printQuantity(view[side][key], scale)} with ${sides[side].label}`;
  const words = `${title} of the server ${pointInWords[view.point]}: ${median('baseline')}, ${median('comparison')} (medians)`;
  return (
    <XyFigure
      height={260}
      caption={`${words}.`}
      marks="A marker is one reading; a gap is the turn of the other side."
      legend={<Legend items={[sides.baseline, sides.comparison]} />}
      table={<ReadingsTable view={view} sides={sides} quantity={quantity} />}
      label={`${words}, over time.`}
      series={sideNames.map((side) => ({
        ...sides[side],
        // A slot is too short for dashes to show: the markers tell the sides apart.
        dashed: false,
        markerSize: 2.5,
        points: view[side].points.map((point) => ({ x: point.seconds, y: point[key] })),
      }))}
      x={{ title: 'Seconds since the start', print: (seconds) => printNumber(seconds, 0) }}
      y={{ ...axisIn(scale), fromZero: key === 'cpuPercent' }}
    />
  );
}

type Reading = ResourcePoint & { side: SideName };

const mostReadings = 200;

function ReadingsTable({ view, sides, quantity }: { view: ResourcesView; sides: Sides; quantity: Quantity }) {
  const { title, key, scale } = quantity;
  const readings = sideNames
    .flatMap((side) => view[side].points.map((point): Reading => ({ ...point, side })))
    .filter((reading) => !Number.isNaN(reading[key]))
    .toSorted((a, b) => a.seconds - b.seconds);
  const every = Math.ceil(readings.length / mostReadings);
  return (
    <DataTable
      caption={every === 1 ? `${title} over time` : `${title} over time, every ${every}th reading`}
      narrow="scroll"
      rows={readings.filter((_, index) => index % every === 0)}
      keyOf={({ seconds, side }) => `${side} ${seconds}`}
      of={({ seconds, side }) => `comparison/reading-${side}-${seconds}/${key}`}
      columns={[
        { label: 'At', part: 'at', cell: ({ seconds }) => `${printNumber(seconds, 2)} s` },
        { label: 'Side', numeric: false, cell: ({ side }) => sides[side].label },
        { label: title, part: 'value', cell: (reading) => printQuantity(reading[key], scale) },
      ]}
    />
  );
}

type ResourcePoint = { seconds: number; cpuPercent: number; rssBytes: number };

/** Resources that the two targets used over the slots of an operating point; a gap (NaN) between slots, during the other sides' turns. */
type ResourcesView = { point: OperatingPoint; baseline: SideUse; comparison: SideUse };
type SideUse = {
  points: ResourcePoint[];
  cpuPercent: number;
  rssBytes: number;
};

/** Slots of one arm alone are preferred. Null when no operating point has a curve on both sides. */
export function resourcesView({ blocks }: Pick<ShownRun, 'blocks'>): ResourcesView | null {
  const slots = blocks.flatMap((block) => block.slots).filter(({ curve }) => curve.length > 0);
  for (const point of ['steady', 'lockstep', 'maximum'] as const) {
    const of = (side: SideName) => sideUse(slots.filter((slot) => slot.point === point && slot.arm === side));
    const { baseline, comparison } = bySide(of);
    if (baseline !== null && comparison !== null) return { point, baseline, comparison };
  }
  return null;
}

function sideUse(slots: readonly ShownSlot[]): SideUse | null {
  if (slots.length === 0) return null;
  const inTime = slots.toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  const points = inTime.flatMap(({ startedAtMs, curve }) => [
    ...curve.map(({ atMs, cpuPercent, rssBytes }) => ({
      seconds: (startedAtMs + atMs) / 1000,
      cpuPercent,
      rssBytes,
    })),
    {
      seconds: (startedAtMs + (curve.at(-1)?.atMs ?? 0)) / 1000,
      cpuPercent: Number.NaN,
      rssBytes: Number.NaN,
    },
  ]);
  const seen = points.filter(({ cpuPercent }) => !Number.isNaN(cpuPercent));
  return {
    points,
    cpuPercent: median(seen.map(({ cpuPercent }) => cpuPercent)),
    rssBytes: median(seen.map(({ rssBytes }) => rssBytes)),
  };
}

type FigureProps = { document: ShownRun; view: Pick<ViewState, 'm' | 'unit'>; sides: Sides };

/** One row a launch, the twin beside it, and what all launches say together. */
export function LaunchesFigure({ document, view: { m: metricId, unit }, sides }: FigureProps) {
  const view = launchesView(document, metricId, unit);
  if (view === null) {
    return (
      <EmptyFigure>
        This metric has no figure for each start. The reason is in the table or below it.
      </EmptyFigure>
    );
  }
  const { launches, all, ofAll, twin, measure } = view;
  const twinLook = twinOf(sides);
  const rows: (IntervalRow & { scope: string })[] = [
    ...launches.map(({ name, scope, change, nullChange }) => ({
      ...{ name, scope, interval: change, hollow: nullChange },
    })),
    { name: 'All starts', scope: 'run', interval: all, hollow: twin?.center ?? null, strong: true },
    ...(ofAll === null
      ? []
      : [{ name: 'Nothing discarded', scope: 'nothing-aside', interval: ofAll, hollow: null }]),
  ];
  const title = titleOfMetric(metricId, document);
  const words = launchesInWords(view, labelsOf(document.sides));
  return (
    <Figure
      caption={`${title}: ${words}.`}
      marks={`Lines are 95 % CIs. The line of a start covers the variation within that start. Dashed: ±${Math.round(100 * document.plan.tolerance)} %.`}
      legend={
        <Legend
          items={[sides.comparison, twinLook]}
          band={twin === null ? undefined : 'Interval of the control'}
        />
      }
      height={null}
      of={quantityOf(metricId)}
      table={
        <DataTable
          caption="Results of each start"
          narrow="scroll"
          rows={rows}
          keyOf={({ name }) => name}
          of={({ scope }) => quantityOf(metricId, scope)}
          columns={[
            { label: 'Start', cell: ({ name }) => name },
            {
              label: `${sides.comparison.label} relative to ${sides.baseline.label}`,
              part: 'change',
              cell: ({ interval }) => measure.print(interval.center),
            },
            {
              label: '95 % CI',
              part: 'change',
              // A launch of which nothing is known but its value has an interval of no width.
              cell: ({ interval }) => (interval.lo < interval.hi ? measure.printInterval(interval) : '–'),
            },
            {
              label: twinLook.label,
              part: 'control',
              cell: ({ hollow }) => (hollow === null ? '–' : measure.print(hollow)),
            },
          ]}
        />
      }
    >
      <IntervalRows
        label={`${title}, start by start. ${words}.`}
        rows={rows}
        level={all.center}
        band={twin}
        tolerance={measure.of(1 + document.plan.tolerance)}
        color={sides.comparison.color}
        marker={sides.comparison.marker}
        print={tickPrinter(measure.unit, { from: all.lo, to: all.hi })}
        ratios={measure.unit !== 'us'}
      />
    </Figure>
  );
}

/** Figures of each launch beside that of all, as `measure` shows them. */
type LaunchesView = {
  launches: { name: string; scope: string; change: Estimate; nullChange: number | null }[];
  all: Estimate;
  /** With no window set aside. */
  ofAll: Estimate | null;
  twin: Estimate | null;
  measure: Measure;
  /** `95 % CI`. */
  ci: string;
};

/** Null when the metric has no launches or was refused. A metric that has no value in the unit is shown in percent. */
export function launchesView(
  { metrics }: Pick<ShownRun, 'metrics'>,
  metricId: MetricId,
  unit: ViewState['unit'] = 'percent',
): LaunchesView | null {
  const comparison = metrics.find(({ id }) => id === metricId);
  if (comparison === undefined || comparison.launches.length === 0) return null;
  const measure = measureIn(unit, comparison) ?? measureIn('percent', comparison);
  if (measure === null) return null;
  const { launches, ratioOfAll, twinRatio } = comparison;
  return {
    launches: launches.map(({ launch, ratio, twinRatio: twinValue }) => ({
      name: `Start ${launch + 1}`,
      scope: `start-${launch + 1}`,
      change: mapEstimate(ratio, measure.of),
      nullChange: twinValue === null ? null : measure.of(twinValue),
    })),
    all: measure.interval,
    ofAll: mapEstimate(ratioOfAll, measure.of),
    twin: mapEstimate(twinRatio, measure.of),
    measure,
    ci: ciOf(comparison),
  };
}

/** "HTTPS is above HTTP in 4 of 4 starts; over all, 95 % CI +19.8 to +22.2 %; control of HTTP −0.2 to +0.3 %". */
export function launchesInWords(
  { launches, all, twin, ci, measure }: LaunchesView,
  labels: BySide<string>,
): string {
  const above = launches.filter(({ change }) => change.center > 0).length;
  return [
    `${labels.comparison} is above ${labels.baseline} in ${above} of ${printCount(launches.length, 'start')}`,
    `over all, ${ci} ${measure.printInterval(all)}`,
    ...(twin === null ? [] : [`control of ${labels.baseline} ${measure.printInterval(twin)}`]),
  ].join('; ');
}
