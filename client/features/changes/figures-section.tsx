import { NativeSelect } from '@mantine/core';
import { printChange, printChangeTick, printMs } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import { cpuFirst, type MetricId, metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type {
  ComparedMetric,
  MetricChange,
  RunChanges,
} from '../../../shared/kinds/comparison/result-changes.ts';
import { printOverhead, wordOfChange } from '../../../shared/words/change-words.ts';
import { Card, Section } from '../../components/card.tsx';
import { DataTable, Figure, Legend } from '../../components/data-table.tsx';
import { type IntervalRow, IntervalRows } from '../../components/delta-section.tsx';
import { useAddress } from '../../components/links.tsx';
import { changeOf, printChanges } from '../../format/printed-figures.ts';
import { type Side, sidesOf } from '../../format/sides.ts';
import classes from './changes.module.css';

/** Interval rows of both results, as changes: 0.21 for +21 %. Rows of the first result are pale. */

/** A change whose ratio is known in both results. */
type Drawable = MetricChange & { from: WithRatio; to: WithRatio };
type WithRatio = ComparedMetric & { ratio: Estimate };

export function drawableOf(metrics: readonly MetricChange[]): Drawable[] {
  return metrics.filter((row): row is Drawable => hasRatio(row.from) && hasRatio(row.to));
}

function hasRatio(row: ComparedMetric | null): row is WithRatio {
  return row !== null && row.ratio !== null && row.outcome !== 'refused';
}

/** Only the primary metrics. */
export function primaryOf(rows: readonly Drawable[]): Drawable[] {
  return rows.filter(({ id }) => metricOf(id).primary).toSorted(cpuFirst);
}

/** Two rows for each metric, one above the other. */
export function rowsOfBoth(rows: readonly Drawable[]): IntervalRow[] {
  return rows.flatMap(({ id, from, to }) => [
    { name: `${nameOf(id)}, first`, interval: changeOf(from.ratio), hollow: null, pale: true },
    { name: `${nameOf(id)}, second`, interval: changeOf(to.ratio), hollow: null },
  ]);
}

const shortNames: Partial<Record<MetricId, string>> = {
  cpu_at_load: 'Server CPU',
  latency_p50: 'Median latency',
};

function nameOf(id: MetricId): string {
  return shortNames[id] ?? metricOf(id).title;
}

/** For one metric: each launch of the first result and their total, then the same for the second. */
export function launchRows({ from, to }: Drawable): IntervalRow[] {
  return [...rowsOfRun(from, 'First', true), ...rowsOfRun(to, 'Second', false)];
}

function rowsOfRun({ launches, ratio, twinRatio }: WithRatio, name: string, pale: boolean): IntervalRow[] {
  const starts = launches.length < 2 ? [] : launches;
  return [
    ...starts.map(({ launch, ratio: own, twinRatio: twin }) => ({
      name: `${name}, start ${launch + 1}`,
      interval: changeOf(own),
      hollow: twin === null ? null : twin - 1,
      pale,
    })),
    {
      name: starts.length === 0 ? name : `${name}, all`,
      interval: changeOf(ratio),
      hollow: twinRatio === null ? null : twinRatio.center - 1,
      strong: true,
      pale,
    },
  ];
}

const overheads = changeAxis('Difference');

export function FiguresSection({ changes }: { changes: RunChanges }) {
  const drawable = drawableOf(changes.metrics);
  const first = drawable[0];
  if (first === undefined) return null;
  const primary = primaryOf(drawable);
  return (
    <Section id="charts" title="Side by side">
      {primary.length === 0 ? null : (
        <Card>
          <BothResults
            axis={overheads}
            look={lookOf(changes)}
            rows={rowsOfBoth(primary)}
            caption={`Differences in both results. ${changesInWords(primary, changes.tolerance)}.`}
            marks="Bars are 95 % CIs."
          />
        </Card>
      )}
      <Card>
        <Launches changes={changes} drawable={drawable} usual={first.id} />
      </Card>
    </Section>
  );
}

function lookOf({ to }: RunChanges) {
  return sidesOf(to.sides).comparison;
}

function changesInWords(rows: readonly Drawable[], tolerance: number): string {
  return rows
    .map((row) => `${metricOf(row.id).title}: ${wordOfChange(row, tolerance).toLowerCase()}`)
    .join('; ');
}

type LaunchesProps = { changes: RunChanges; drawable: readonly Drawable[]; usual: MetricId };

function Launches({ changes, drawable, usual }: LaunchesProps) {
  const ids = drawable.map(({ id }) => id);
  const [metric, choose] = useAddress<MetricId>(
    'm',
    ids,
    ids.includes('cpu_at_load') ? 'cpu_at_load' : usual,
  );
  const row = drawable.find(({ id }) => id === metric);
  if (row === undefined) return null;
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
        axis={overheads}
        look={lookOf(changes)}
        rows={launchRows(row)}
        caption={`${metricOf(metric).title} start by start: ${printOverhead(row.from)} in the first result, ${printOverhead(row.to)} in the second.`}
        marks="Bars are 95 % CIs. The bar of a start covers the variation within that start. Hollow circles are the control."
      />
    </>
  );
}

export type Axis = {
  name: string;
  ratios: boolean;
  tick(value: number): string;
  print(value: number): string;
  printInterval(interval: Estimate): string;
};

/** Values are changes: 0.21 for +21 %. */
export function changeAxis(name: string): Axis {
  return {
    ...{ name, ratios: true, tick: printChangeTick, printInterval: printChanges },
    print: (change) => printChange(1 + change),
  };
}

export function msAxis(name: string): Axis {
  return {
    ...{ name, ratios: false, print: printMs },
    tick: (ms) => `${Number(ms.toPrecision(3))} ms`,
    printInterval: ({ lo, hi }) => `${printMs(lo)} to ${printMs(hi)}`,
  };
}

type Props = {
  rows: readonly IntervalRow[];
  axis: Axis;
  look: Pick<Side, 'color' | 'marker' | 'dashed'>;
  caption: string;
  marks: string;
};

/** Two results on one axis: rows of the first are pale. */
export function BothResults({ rows, axis, look: { color, marker, dashed }, caption, marks }: Props) {
  return (
    <Figure
      height={null}
      caption={caption}
      marks={marks}
      legend={
        <Legend
          items={[
            { label: 'First', color: `${color}80`, marker, dashed },
            { label: 'Second', color, marker, dashed },
          ]}
        />
      }
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
        color={color}
        marker={marker}
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
