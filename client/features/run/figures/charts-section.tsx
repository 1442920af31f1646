import { metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import type { ViewState } from '../../../../shared/measurement/view-state.ts';
import { ChoicePills } from '../../../components/choice-pills.tsx';
import { SelectField } from '../../../components/form-fields.tsx';
import { Section } from '../../../components/section.tsx';
import { sidesOf } from '../../../format/side.ts';
import classes from '../run.module.css';
import { useViewState } from '../use-view-state.ts';
import { countWindows } from '../windows.ts';
import { BarsFigure } from './bars-figure.tsx';
import { DistributionFigure } from './distribution-figure.tsx';
import { LaunchesFigure } from './launches-figure.tsx';
import { LoadFigure } from './load-figure.tsx';
import { loadView } from './load-view.ts';
import { PairsFigure } from './pairs-figure.tsx';
import { ResourcesFigure } from './resources-figure.tsx';

const charts: { value: ViewState['chart']; label: string }[] = [
  { value: 'launches', label: 'Shift by launch' },
  { value: 'bars', label: 'Bars' },
  { value: 'load', label: 'Cost by load' },
  { value: 'pairs', label: 'Over time' },
  { value: 'percentiles', label: 'Percentiles' },
  { value: 'ecdf', label: 'ECDF' },
  { value: 'resources', label: 'CPU and memory' },
];

const scales = [
  { value: 'linear', label: 'Linear' },
  { value: 'log', label: 'Log' },
] as const;

const windowChoices = [
  { value: 'kept', label: 'Disturbed windows set aside' },
  { value: 'all', label: 'Nothing set aside' },
] as const;

/** One chart at a time; which one, of which metric and on which scale is in the address. */
export function ChartsSection({ document }: { document: ShownRun }) {
  const [asked, change] = useViewState();
  const absent = absentCharts(document);
  const view =
    asked.chart === 'launches' && absent.has('launches') ? { ...asked, chart: 'bars' as const } : asked;
  const ofMetric = view.chart === 'bars' || view.chart === 'pairs' || view.chart === 'launches';
  const scalable = view.chart === 'percentiles' || view.chart === 'ecdf';
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
            data={choices.map(({ id }) => ({ value: id, label: metricOf(id).title }))}
          />
        ) : null}
        {view.chart === 'pairs' && countWindows(document.blocks).aside > 0 ? (
          <ChoicePills
            legend="Windows"
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
  if (document.launches.length === 0) absent.add('launches');
  if (loadView(document) === null) absent.add('load');
  return absent;
}

function Chosen({ document, view }: { document: ShownRun; view: ViewState }) {
  const sides = sidesOf(document.sides);
  switch (view.chart) {
    case 'bars':
      return <BarsFigure document={document} metricId={view.m} sides={sides} />;
    case 'load':
      return <LoadFigure document={document} sides={sides} />;
    case 'pairs':
      return <PairsFigure document={document} metricId={view.m} sides={sides} all={view.windows === 'all'} />;
    case 'launches':
      return <LaunchesFigure document={document} metricId={view.m} sides={sides} />;
    case 'percentiles':
    case 'ecdf':
      return (
        <DistributionFigure
          key={view.chart}
          document={document}
          sides={sides}
          chart={view.chart}
          log={view.y === 'log'}
        />
      );
    case 'resources':
      return <ResourcesFigure document={document} sides={sides} />;
  }
}
