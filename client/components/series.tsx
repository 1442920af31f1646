import { NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { runEndpoints } from '../../shared/api/session-endpoints.ts';
import { lessOne, mapEstimate } from '../../shared/base/estimate-arithmetic.ts';
import {
  printChange,
  printChangeInterval,
  printDifference,
  printNumber,
  printSigned,
  scaleFor,
} from '../../shared/base/quantity.ts';
import type { Series, SeriesRun } from '../../shared/kinds/comparison/past.ts';
import { changesPath } from '../../shared/kinds/comparison/result-changes.ts';
import { mayCall } from '../api/identity.ts';
import { callEndpoint } from '../api/late-call.ts';
import { seriesQuery } from '../api/result-queries.ts';
import { median, printChanges, printCount, printWhen } from '../format/printed-figures.ts';
import { type Measure, type ShownUnit, tickPrinter } from '../format/shown-delta.ts';
import type { Side } from '../format/sides.ts';
import { ActionButton } from './action-button.tsx';
import { ProblemNotice } from './answer.tsx';
import { Card } from './card.tsx';
import { Legend, LongTable, XyFigure } from './data-table.tsx';
import classes from './form.module.css';
import { Fold } from './term.tsx';

type Props = {
  id: string;
  /** Metrics, or items of a price list, that it can show. */
  choices: readonly { value: string; label: string }[];
  /** The chosen one. */
  metric: string;
  onMetric: (metric: string) => void;
  /** Whether the unit of a metric is µs. */
  isTime: (metric: string) => boolean;
  unit: ShownUnit;
  /** The second side. */
  look: Pick<Side, 'color' | 'marker'>;
};

/** All runs of the series, unfolded if they have a step; nothing while this run is the only one. */
export function SeriesFold({ id, choices, metric, onMetric, ...figure }: Props) {
  const { data: series } = useQuery({
    ...seriesQuery(id, metric),
    enabled: mayCall(runEndpoints.showSeries),
  });
  const [unfolded, unfold] = useState(false);
  if (!unfolded && series !== undefined && series.levels.length > 1) unfold(true);
  if (series === undefined || series.runs.length < 2) return null;
  const title = choices.find(({ value }) => value === series.metric)?.label ?? series.metric;
  return (
    <Fold
      id="series"
      title="Series"
      lead={`${printCount(series.runs.length, 'run')} of the same question`}
      open={unfolded}
    >
      <Card>
        <div className={classes.seriesControls}>
          <NativeSelect
            label="Metric of the series"
            value={metric}
            onChange={(event) => onMetric(event.currentTarget.value)}
            data={[...choices]}
          />
          {mayCall(runEndpoints.pinBaseline) ? <Pin id={id} baseline={series.baseline} /> : null}
        </div>
        <SeriesFigure {...figure} shownId={id} title={title} series={series} />
      </Card>
    </Fold>
  );
}

function Pin({ id, baseline }: { id: string; baseline: string | null }) {
  const queryClient = useQueryClient();
  const isPinned = baseline === id;
  const pin = useMutation({
    mutationFn: () =>
      callEndpoint(runEndpoints[isPinned ? 'unpinBaseline' : 'pinBaseline'], { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['series'] }),
  });
  return (
    <>
      <ActionButton variant="default" pending={pin.isPending} onClick={() => pin.mutate()}>
        {isPinned ? 'Unpin reference' : 'Pin as reference'}
      </ActionButton>
      {baseline === null || isPinned ? null : (
        <Link to={changesPath({ from: baseline, to: id })}>Compare with the reference</Link>
      )}
      <ProblemNotice error={pin.error} />
    </>
  );
}

/** Fewer runs show no trend. */
const fewestRuns = 3;

type FigureProps = Pick<Props, 'isTime' | 'unit' | 'look'> & {
  series: Series;
  shownId: string;
  title: string;
};

function SeriesFigure({ series, shownId, title, unit, isTime, look }: FigureProps) {
  const rows = seriesRows(series);
  const placed = placedIn(unit, { ...series, isTime: isTime(series.metric) });
  const words = seriesInWords(series);
  const runs = { ...look, label: 'Run', dashed: false };
  const level = { label: 'Level', color: '#80868e', dashed: true, marker: 'circle' as const };
  const point = ({ place, ratio }: (typeof rows)[number]) => ({
    x: place,
    y: placed.run(place - 1, ratio.center),
  });
  const table = <SeriesTable rows={rows} shownId={shownId} placed={placed} />;
  if (rows.length < fewestRuns) return table;
  const drawn = whiskers(series, placed);
  const ends = drawn.flatMap(({ y }) => (Number.isNaN(y) ? [] : [y]));
  return (
    <XyFigure
      caption={`${title}: ${words}.`}
      marks="Whiskers are 95 % CIs. The large marker is this run. Hollow markers are runs with new versions."
      legend={<Legend items={[runs, level]} band="Where 95 % of single runs are expected" />}
      table={table}
      label={`${title}, run by run. ${words}.`}
      series={[
        {
          ...{ ...runs, line: false, markerSize: 4.5 },
          points: rows.filter(({ versions }) => versions.length === 0).map(point),
        },
        {
          ...{ ...runs, label: 'New versions', line: false, markerSize: 5.5, quiet: true },
          points: rows.filter(({ versions }) => versions.length > 0).map(point),
        },
        {
          ...{ ...runs, label: 'This run', line: false, markerSize: 8 },
          points: rows.filter(({ id }) => id === shownId).map(point),
        },
        { ...runs, label: '95 % CI', thin: true, markerSize: 0, points: drawn },
        { ...level, markerSize: 0, points: levelLine(series, placed) },
      ]}
      ribbon={noiseRibbon(series, placed)}
      level={0}
      x={{
        title: 'Run',
        min: 0.5,
        max: rows.length + 0.5,
        print: (place) => day(rows[place - 1]?.createdAt),
      }}
      y={{
        title: 'Difference',
        unit: '',
        print: tickPrinter(placed.unit, { from: Math.min(0, ...ends), to: Math.max(0, ...ends) }),
        printPoint: placed.print,
      }}
    />
  );
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** Empty between two runs. */
function day(createdAt: number | undefined): string {
  return createdAt === undefined ? '' : dayFormat.format(createdAt);
}

type TableProps = { rows: readonly SeriesRow[]; shownId: string; placed: Placed };

function SeriesTable({ rows, shownId, placed }: TableProps) {
  return (
    <LongTable
      caption="Runs of the series"
      first={20}
      what="run"
      narrow="scroll"
      rows={rows.toReversed()}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Run', cell: ({ url, createdAt }) => <Link to={url}>{printWhen(createdAt)}</Link> },
        {
          label: 'Difference',
          cell: ({ place, ratio }) => placed.print(placed.run(place - 1, ratio.center)),
        },
        {
          label: '95 % CI',
          cell: ({ place, ratio }) =>
            placed.printInterval(mapEstimate(ratio, (end) => placed.run(place - 1, end))),
        },
        { label: 'Notes', numeric: false, cell: (row) => notesOf(row, shownId).join(', ') || '–' },
      ]}
    />
  );
}

/** Values of a series in a unit. Places begin at 0. */
type Placed = Pick<Measure, 'unit' | 'print' | 'printInterval'> & {
  run(place: number, ratio: number): number;
  level(level: Series['levels'][number], ratio: number): number;
};

/** In percent if the metric is no time, or if a run's is unknown. A level is on the median of its runs' first sides. */
export function placedIn(
  unit: ShownUnit,
  { isTime, runs }: Pick<Series, 'runs'> & { isTime: boolean },
): Placed {
  const firsts = runs.flatMap(({ first }) => first ?? []);
  if (unit === 'us' && isTime && firsts.length === runs.length) {
    const scale = scaleFor(
      'us',
      firsts,
      firsts.map((first) => first / 100),
    );
    return {
      unit,
      run: (place, ratio) => (firsts[place] ?? Number.NaN) * lessOne(ratio),
      level: ({ from, to }, ratio) => median(firsts.slice(from, to)) * lessOne(ratio),
      print: (us) => printDifference(us, scale),
      printInterval: ({ lo, hi }) => `${printSigned(lo, scale)} to ${printDifference(hi, scale)}`,
    };
  }
  const places = {
    run: (_: unknown, ratio: number) => lessOne(ratio),
    level: (_: unknown, ratio: number) => lessOne(ratio),
  };
  if (unit === 'ratio') {
    const print = (change: number) => `×${printNumber(1 + change, 3)}`;
    return { ...places, unit, print, printInterval: ({ lo, hi }) => `${print(lo)} to ${print(hi)}` };
  }
  return {
    ...places,
    unit: 'percent',
    print: (change) => printChange(1 + change, 1),
    printInterval: printChanges,
  };
}

/** A series for its chart and table. Places along x start at 1. */

type SeriesRow = SeriesRun & {
  place: number;
  /** The step to the level that begins with this run; null for any other run. */
  step: NonNullable<Series['levels'][number]['step']> | null;
  isBaseline: boolean;
};

/** Oldest first. */
export function seriesRows({ runs, levels, baseline }: Series): SeriesRow[] {
  return runs.map((run, index) => ({
    ...run,
    place: index + 1,
    step: levels.find(({ from }) => from === index)?.step ?? null,
    isBaseline: run.id === baseline,
  }));
}

/** The mean of each level, from half a place before its first run to half a place after its last. NaN separates levels. */
export function levelLine({ levels }: Series, placed: Placed): { x: number; y: number }[] {
  return levels.flatMap((level) => {
    const y = placed.level(level, level.ratio.center);
    const [from, to] = [level.from + 0.5, level.to + 0.5];
    return [
      { x: from, y },
      { x: to, y },
      { x: to, y: Number.NaN },
    ];
  });
}

/** The interval of each run, drawn as a separate line. */
export function whiskers({ runs }: Series, placed: Placed): { x: number; y: number }[] {
  return runs.flatMap(({ ratio }, index) => [
    { x: index + 1, y: placed.run(index, ratio.lo) },
    { x: index + 1, y: placed.run(index, ratio.hi) },
    { x: index + 1, y: Number.NaN },
  ]);
}

export function noiseRibbon({ levels }: Series, placed: Placed): { x: number; lo: number; hi: number }[] {
  return levels.flatMap((level) => {
    const [lo, hi] = [placed.level(level, level.noise.lo), placed.level(level, level.noise.hi)];
    return [level.from, level.to].map((edge) => ({ x: edge + 0.5, lo, hi }));
  });
}

/** "1 step in 12 runs: −6.1 % (−8.0 to −4.2 %) on 21 Nov 2026, 14:05". */
export function seriesInWords(series: Series): string {
  const count = printCount(series.runs.length, 'run');
  const steps = seriesRows(series).flatMap(({ step, createdAt }) =>
    step === null ? [] : [`${printStep(step)} on ${printWhen(createdAt)}`],
  );
  if (steps.length > 0) return `${printCount(steps.length, 'step')} in ${count}: ${steps.join('; ')}`;
  const [level] = series.levels;
  if (level === undefined) {
    return series.runs.length === 0 ? 'No run in this series has this metric' : `${count}, without a level`;
  }
  const range = printChangeInterval({ center: level.ratio.center, ...level.noise });
  return `No step in ${count}; without a change, 95 % of runs fall within ${range}`;
}

export function notesOf({ id, step, isBaseline, versions }: SeriesRow, shownId: string): string[] {
  return [
    ...(id === shownId ? ['This run'] : []),
    ...(isBaseline ? ['Reference'] : []),
    ...(step === null ? [] : [`Step ${printStep(step)}`]),
    ...versions,
  ];
}

function printStep(step: NonNullable<SeriesRow['step']>): string {
  return `${printChange(step.center, 1)} (${printChangeInterval(step)})`;
}
