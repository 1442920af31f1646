import { NativeSelect } from '@mantine/core';
import { mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import { printChange, printChangeTick, printMs } from '../../../shared/base/quantity.ts';
import { bySide, sideNames } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import { cpuFirst, type MetricId, metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type {
  ComparedMetric,
  ComparedRun,
  FigureChange,
  FigureChanges,
  FigureName,
  MetricChange,
  RunChanges,
} from '../../../shared/kinds/comparison/result-changes.ts';
import { printMetricChange } from '../../../shared/words/change-words.ts';
import { Section } from '../../components/card.tsx';
import { DataTable, Figure } from '../../components/data-table.tsx';
import { DeltaSection, type IntervalRow, IntervalRows } from '../../components/delta-section.tsx';
import { useAddress } from '../../components/links.tsx';
import { PairLegend } from '../../components/strips.tsx';
import { printChanges } from '../../format/printed-figures.ts';
import {
  deltaParts,
  type Measure,
  measureIn,
  type ShownDelta,
  type ShownUnit,
  shownDifference,
  tickPrinter,
} from '../../format/shown-delta.ts';
import { sidesOf } from '../../format/sides.ts';
import classes from './changes.module.css';

/** A change whose ratio is known in both results. */
type Drawable = MetricChange & { from: WithRatio; to: WithRatio };
type WithRatio = ComparedMetric & { ratio: Estimate };

export function drawableOf(metrics: readonly MetricChange[]): Drawable[] {
  return metrics.filter((row): row is Drawable => hasRatio(row.from) && hasRatio(row.to));
}

function hasRatio(row: ComparedMetric | null): row is WithRatio {
  return row !== null && row.ratio !== null && row.outcome !== 'refused';
}

/** For one metric: each launch of the first result and their total, then the same for the second; in percent if it has no value in the unit. */
export function launchRows({ from, to }: Drawable, unit: ShownUnit = 'percent') {
  const measures = [measureIn(unit, from), measureIn(unit, to)];
  const chosen = measures.includes(null) ? 'percent' : unit;
  const rows = [rowsOfRun(from, 'first', chosen), rowsOfRun(to, 'second', chosen)].flat();
  return { unit: chosen, rows, measure: measureIn(chosen, to) };
}

function rowsOfRun(row: WithRatio, result: 'first' | 'second', unit: ShownUnit): IntervalRow[] {
  const measure = measureIn(unit, row);
  if (measure === null) return [];
  const { twinRatio } = row;
  const starts = row.launches.length < 2 ? [] : row.launches;
  const name = result === 'first' ? 'First' : 'Second';
  return [
    ...starts.map(({ launch, ratio: { lo, center, hi }, twinRatio: twin }) => ({
      name: `${name}, start ${launch + 1}`,
      interval: { lo: measure.of(lo), center: measure.of(center), hi: measure.of(hi) },
      hollow: twin === null ? null : measure.of(twin),
      result,
    })),
    {
      name: starts.length === 0 ? name : `${name}, all`,
      interval: measure.interval,
      hollow: twinRatio === null ? null : measure.of(twinRatio.center),
      strong: true,
      result,
    },
  ];
}

/** Start by start, of the metric that is chosen. */
export function FiguresSection({ changes, unit }: { changes: RunChanges; unit: ShownUnit }) {
  const drawable = drawableOf(changes.metrics);
  const [first] = drawable;
  if (first === undefined) return null;
  return (
    <Section id="charts" title="Side by side" card>
      <Launches drawable={drawable} usual={first.id} unit={unit} />
    </Section>
  );
}

type LaunchesProps = { drawable: readonly Drawable[]; usual: MetricId; unit: ShownUnit };

function Launches({ drawable, usual, unit: asked }: LaunchesProps) {
  const ids = drawable.map(({ id }) => id);
  const [metric, choose] = useAddress<MetricId>(
    'm',
    ids,
    ids.includes('cpu_at_load') ? 'cpu_at_load' : usual,
  );
  const row = drawable.find(({ id }) => id === metric);
  if (row === undefined) return null;
  const { rows, unit, measure } = launchRows(row, asked);
  if (measure === null) return null;
  const [before, after] = printMetricChange(row).halves.map((half) => `${half?.amount} (${half?.change})`);
  return (
    <>
      <div className={classes.choice}>
        <NativeSelect
          label="Metric"
          value={metric}
          onChange={(event) => choose(event.currentTarget.value as MetricId)}
          data={ids.map((id) => ({ value: id, label: metricOf(id).title }))}
        />
      </div>
      <BothResults
        axis={axisIn(unit, measure, rows)}
        rows={rows}
        caption={`${metricOf(metric).title} start by start: ${before} in the first result, ${after} in the second.`}
        marks="Bars are 95 % CIs. The bar of a start covers the variation within that start. Hollow circles are the control."
      />
    </>
  );
}

type Axis = {
  name: string;
  ratios: boolean;
  tick(value: number): string;
  print(value: number): string;
  printInterval(interval: Estimate): string;
};

function axisIn(unit: ShownUnit, { print, printInterval }: Measure, rows: readonly IntervalRow[]): Axis {
  const ends = rows.flatMap(({ interval: { lo, hi } }) => [lo, hi]);
  return {
    ...{ name: 'Difference', ratios: unit !== 'us', print, printInterval },
    tick: tickPrinter(unit, { from: Math.min(0, ...ends), to: Math.max(0, ...ends) }),
  };
}

/** Values are changes: 0.21 for +21 %. */
function changeAxis(name: string): Axis {
  return {
    ...{ name, ratios: true, tick: printChangeTick, printInterval: printChanges },
    print: (change) => printChange(1 + change),
  };
}

function msAxis(name: string): Axis {
  return {
    ...{ name, ratios: false, print: printMs },
    tick: (ms) => `${Number(ms.toPrecision(3))} ms`,
    printInterval: ({ lo, hi }) => `${printMs(lo)} to ${printMs(hi)}`,
  };
}

type Props = {
  rows: readonly IntervalRow[];
  axis: Axis;
  caption: string;
  marks: string;
};

/** Two results on one axis: a circle for the first, a square for the second. */
function BothResults({ rows, axis, caption, marks }: Props) {
  return (
    <Figure
      height={null}
      caption={caption}
      marks={marks}
      legend={<PairLegend />}
      table={
        <DataTable
          caption={`${axis.name} in both results`}
          narrow="scroll"
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { label: 'Result', cell: ({ name }) => name },
            { label: axis.name, cell: ({ interval }) => axis.print(interval.center) },
            { label: '95 % CI', cell: ({ interval }) => printKnown(interval, axis) },
          ]}
        />
      }
    >
      <IntervalRows
        label={caption}
        rows={rows}
        level={0}
        band={null}
        color="var(--ink-soft)"
        marker="circle"
        print={axis.tick}
        ratios={axis.ratios}
      />
    </Figure>
  );
}

/** Interval as text; a dash for one of zero width, which means that it is not known. */
function printKnown(interval: Estimate, axis: Axis): string {
  return interval.lo < interval.hi ? axis.printInterval(interval) : '–';
}

/** Interval rows of two results of the lab. */

const mostFigures = 8;

/** Figures with a known change, in their order. Certain changes are chosen first, then the largest. */
export function mostChanged(rows: readonly FigureChange[]): FigureChange[] {
  const known = rows.filter(({ outcome }) => outcome !== 'unknown');
  const chosen = new Set(known.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, mostFigures));
  return known.filter((row) => chosen.has(row));
}

/** Below one for what is not certain. */
function weightOf({ ratio, delta, outcome }: FigureChange): number {
  const size = ratio === null ? Math.abs(delta?.center ?? 0) : Math.abs(Math.log(ratio.center));
  return outcome === 'changed' ? 1 + size : size / (1 + size);
}

/** Shortens names such as `TLSv1.3 / P-256 / full` to the parts in which they differ. */
export function withShortNames(rows: readonly FigureChange[]): FigureChange[] {
  const parts = rows.map(({ name }) => name.split(' / '));
  const differs = (index: number) => new Set(parts.map((each) => each[index])).size > 1;
  return rows.map((row, index) => {
    const name = (parts[index] ?? []).filter((_, place) => differs(place)).join(' / ');
    return name === '' ? row : { ...row, name };
  });
}

/** Two rows for each figure, one below the other. */
export function figureRows(figure: FigureName, rows: readonly FigureChange[]): IntervalRow[] {
  return rows.flatMap(({ name, from, to }) => {
    if (from === null || to === null) return [];
    const place = (estimate: Estimate) =>
      mapEstimate(estimate, (value) => placeOf(figure, value, from.center));
    return [
      { name: `${name}, first`, interval: place(from), hollow: null, result: 'first' },
      { name: `${name}, second`, interval: place(to), hollow: null, result: 'second' },
    ];
  });
}

/** Position of a value on the axis, relative to the center of the first result. */
function placeOf(figure: FigureName, value: number, first: number): number {
  if (figure === 'ms') return value;
  return figure === 'overhead' ? value - 1 : value / first - 1;
}

function axisOf(figure: FigureName): Axis {
  if (figure === 'ms') return msAxis('Added time');
  return changeAxis(figure === 'overhead' ? 'Difference' : 'Change from the first');
}

/** Both results of the lab on one axis; of many figures, those that changed most. */
export function FigureChart({ changes: { figure, headline, rows } }: { changes: FigureChanges }) {
  // Changes from about zero have no place on an axis of ratios.
  const onAxis = figure === 'ms' ? rows : rows.filter(({ ratio }) => ratio !== null);
  const shown = mostChanged(onAxis);
  const known = onAxis.filter(({ outcome }) => outcome !== 'unknown').length;
  return (
    <Section
      id="charts"
      title="Side by side"
      lead={shown.length < known ? `The ${shown.length} figures that changed most.` : null}
      card
    >
      <BothResults
        axis={axisOf(figure)}
        rows={figureRows(figure, withShortNames(shown))}
        caption={`${headline.title}.`}
        marks="Bars are 95 % CIs."
      />
    </Section>
  );
}

type QuestionsProps = { changes: RunChanges; unit: ShownUnit; onUnit: (unit: ShownUnit) => void };

/** Every metric of two different questions, without an outcome. */
export function BothQuestions({ changes, unit, onUnit }: QuestionsProps) {
  const { from, to, metrics, tolerance } = changes;
  const rowsOf = (primary: boolean) =>
    metrics
      .filter(({ id }) => metricOf(id).primary === primary)
      .toSorted((a, b) => cpuFirst(metricOf(a.id), metricOf(b.id)))
      .flatMap((change) =>
        ([from, to] as const).flatMap((run, place) => {
          const row = place === 0 ? change.from : change.to;
          return row === null ? [] : [questionRow(run, row, { unit, tolerance, place })];
        }),
      );
  return (
    <DeltaSection
      {...deltaParts(rowsOf(true), rowsOf(false), { tolerance, unit })}
      id="metrics"
      label="Every metric"
      caption="Every metric of both questions"
      of="Question"
      ci="95 % CI"
      sides={sharedSides(from, to)}
      one="start"
      onUnit={onUnit}
    />
  );
}

type RowOptions = { unit: ShownUnit; tolerance: number; place: number };

function questionRow(
  run: ComparedRun,
  row: ComparedMetric,
  { unit, tolerance, place }: RowOptions,
): ShownDelta {
  const { title, definition } = metricOf(row.id);
  const ratios = row.launches.length > 0 ? row.launches.map(({ ratio }) => ratio.center) : [];
  return {
    ...{
      id: `${row.id}-${place}`,
      anchor: `m-${row.id}-${place}`,
      meaning: definition,
      notes: [],
      look: null,
    },
    ...{ title: run.title, lines: [title] },
    ...shownDifference(row, { title: run.title, ratios, one: 'start', unit, tolerance }),
  };
}

/** Names of the sides, if both questions have the same. */
function sharedSides(from: ComparedRun, to: ComparedRun) {
  const [one, other] = [sidesOf(from.sides), sidesOf(to.sides)];
  const isSame = sideNames.every((side) => one[side].label === other[side].label);
  const names = { baseline: 'First side', comparison: 'Second side' };
  return isSame ? one : bySide((side) => ({ ...one[side], label: names[side] }));
}
