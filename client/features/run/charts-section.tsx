import { lazy } from 'react';
import { lowered } from '../../../shared/base/cut.ts';
import { printNumber, printQuantity, scaleFor } from '../../../shared/base/quantity.ts';
import { type BySide, labelsOf, type SideName, sideNames } from '../../../shared/base/transport.ts';
import { titleOfMetric } from '../../../shared/kinds/comparison/at-load.ts';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import { type MetricId, quantityOf } from '../../../shared/kinds/comparison/metric.ts';
import type { ShownRun } from '../../../shared/kinds/comparison/run.ts';
import { scaleOf, shiftOf } from '../../../shared/kinds/comparison/shift.ts';
import { partOfSide } from '../../../shared/report/report.ts';
import type { ViewState } from '../../../shared/results/shown-measurement.ts';
import { titleOfLoad } from '../../../shared/words/side-words.ts';
import { Section } from '../../components/card.tsx';
import { DataTable, Figure, Legend } from '../../components/data-table.tsx';
import { SelectField } from '../../components/form-fields.tsx';
import { ChoicePills } from '../../components/pills.tsx';
import { axisIn } from '../../format/printed-figures.ts';
import { type Sides, sidesOf } from '../../format/sides.ts';
import { EmptyFigure, useViewState } from './conclusion.tsx';
import { DistributionFigure } from './distribution-figure.tsx';
import { countWindows } from './live-blocks.tsx';
import { PairsFigure } from './pairs-figure.tsx';
import { LaunchesFigure, ResourcesFigure } from './resources-figure.tsx';
import classes from './run.module.css';

const charts: { value: ViewState['chart']; label: string }[] = [
  { value: 'launches', label: 'Difference by start' },
  { value: 'load', label: 'Cost by load' },
  { value: 'pairs', label: 'Over time' },
  { value: 'percentiles', label: 'Percentiles' },
  { value: 'resources', label: 'CPU and memory' },
];

const scales = [
  { value: 'linear', label: 'Linear' },
  { value: 'log', label: 'Log' },
] as const;

const windowChoices = [
  { value: 'kept', label: 'Disturbed samples discarded' },
  { value: 'all', label: 'Nothing discarded' },
] as const;

/** One chart at a time; which one, of which metric and on which scale is in the address. */
export function ChartsSection({ document }: { document: ShownRun }) {
  const [asked, change] = useViewState();
  const absent = absentCharts(document);
  const view =
    asked.chart === 'launches' && absent.has('launches') ? { ...asked, chart: 'pairs' as const } : asked;
  const ofMetric = view.chart === 'pairs' || view.chart === 'launches';
  const scalable = view.chart === 'percentiles';
  const choices = document.metrics.filter(
    ({ id, baseline, comparison }) => id === view.m || baseline !== null || comparison !== null,
  );
  return (
    <Section id="charts" title="Charts" card>
      <div className={classes.chartsSectionControls}>
        <ChoicePills
          legend="Chart"
          name="chart"
          value={view.chart}
          onChange={(chart) => change({ chart })}
          choices={charts.filter(({ value }) => value === view.chart || !absent.has(value))}
        />
        {ofMetric ? (
          <SelectField
            form={view}
            set={change}
            name="m"
            aria-label="Metric of the chart"
            data={choices.map(({ id }) => ({ value: id, label: titleOfMetric(id, document) }))}
          />
        ) : null}
        {view.chart === 'pairs' && countWindows(document.blocks).aside > 0 ? (
          <ChoicePills
            legend="Samples"
            name="windows"
            value={view.windows}
            onChange={(windows) => change({ windows })}
            choices={windowChoices}
          />
        ) : null}
        {scalable ? (
          <ChoicePills
            legend="Scale of latency"
            name="scale"
            value={view.y}
            onChange={(y) => change({ y })}
            choices={scales}
          />
        ) : null}
      </div>
      <Chosen document={document} view={view} />
    </Section>
  );
}

function absentCharts(document: ShownRun): ReadonlySet<ViewState['chart']> {
  const absent = new Set<ViewState['chart']>();
  if (document.launches.length < 2) absent.add('launches');
  if (loadView(document) === null) absent.add('load');
  return absent;
}

function Chosen({ document, view }: { document: ShownRun; view: ViewState }) {
  const sides = sidesOf(document.sides);
  switch (view.chart) {
    case 'load':
      return <LoadFigure document={document} sides={sides} />;
    case 'pairs':
      return <PairsFigure document={document} view={view} sides={sides} />;
    case 'launches':
      return <LaunchesFigure document={document} view={view} sides={sides} />;
    case 'percentiles':
      return <DistributionFigure document={document} sides={sides} log={view.y === 'log'} />;
    case 'resources':
      return <ResourcesFigure document={document} sides={sides} />;
  }
}

const BarChart = lazy(() => import('../../charts/bar-chart.tsx'));

function LoadFigure({ document, sides }: { document: ShownRun; sides: Sides }) {
  const points = loadView(document);
  if (points === null) return <EmptyFigure>This run measured server CPU at one load only.</EmptyFigure>;
  const caption = loadInSentence(points, labelsOf(document.sides));
  const centers = points.flatMap((point) => sideNames.flatMap((side) => point[side]?.center ?? []));
  const scale = scaleFor('us', centers);
  const axis = axisIn(scale);
  return (
    <Figure
      height={90 + points.length * 90}
      caption={`${caption}.`}
      marks="Whiskers are 95 % CIs."
      legend={<Legend items={[sides.baseline, sides.comparison]} />}
      table={
        <DataTable
          caption="Server CPU per transaction by load, with 95 % CIs"
          rows={points}
          keyOf={({ id }) => id}
          of={({ id }) => quantityOf(id)}
          columns={[
            { label: 'Load', cell: ({ title }) => title },
            ...sideNames.map((side) => ({
              label: sides[side].label,
              part: partOfSide[side],
              cell: (point: LoadPoint) => print(point, side),
            })),
            { label: 'Difference', part: 'change', cell: ({ shift }) => shift?.center ?? '–' },
            { label: '95 % CI', part: 'change', cell: ({ shift }) => shift?.interval ?? '–' },
          ]}
        />
      }
    >
      <BarChart
        label={`Bars with 95 % CIs, from the lightest load to the heaviest. ${caption}.`}
        categories={points.map(({ title }) => title)}
        series={sideNames.map((side) => ({ ...sides[side], bars: points.map((point) => point[side]) }))}
        value={axis}
      />
    </Figure>
  );
}

/** With the digits of the row. */
function print(point: LoadPoint, side: SideName): string {
  const estimate = point[side];
  if (estimate === null) return '–';
  const { printPoint } = axisIn(point.scale);
  return `${printQuantity(estimate.center, point.scale)} (${printPoint(estimate.lo)} to ${printPoint(estimate.hi)})`;
}

type Shown = Pick<ShownRun, 'metrics' | 'plan' | 'atLoad' | 'asked'>;

/** CPU per transaction at the loads that it was read at, the lightest first; null for fewer than two loads. */
export function loadView(run: Shown): LoadPoint[] | null {
  const rows = (['cpu_lone', 'cpu_half_load', 'cpu_at_load'] as const).flatMap((id) =>
    run.metrics.filter((row) => row.id === id && (row.baseline ?? row.comparison) !== null),
  );
  return rows.length < 2 ? null : rows.map((row) => pointOf(row, run));
}

/** "Server CPU per transaction with HTTPS: +119 µs with one user, +105 µs at half load, +87 µs at full load". */
export function loadInSentence(points: readonly LoadPoint[], { comparison }: BySide<string>): string {
  const findings = points.map(({ finding }) => finding);
  return `Server CPU per transaction with ${comparison}: ${findings.join(', ')}`;
}

type LoadPoint = ReturnType<typeof pointOf>;

function pointOf(row: MetricComparison, run: Shown) {
  const { id, baseline, comparison } = row;
  const title = titleOf(row.id, run);
  const shift = shiftOf(row);
  const amount = shift === null ? 'not available' : (shift.absolute ?? shift.interval);
  /** `+87 µs at full load`. */
  const finding = `${amount} ${inSentence(title)}`;
  return { id, title, finding, baseline, comparison, shift, scale: scaleOf(row) };
}

function titleOf(id: MetricId, run: Shown): string {
  if (id === 'cpu_lone') return 'With one user';
  if (id === 'cpu_at_load') return titleOfLoad(run.atLoad ?? null);
  const { ratePerS } = run.plan;
  if (ratePerS === null) return 'At half load';
  const rate = `${printNumber(ratePerS, 0)} transactions/s`;
  return run.asked.ratePerS === null ? `At half load, ${rate}` : `At ${rate}`;
}

/** Without what stands behind a comma. */
function inSentence(title: string): string {
  const [first = ''] = title.split(', ');
  return lowered(first);
}
