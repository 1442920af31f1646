import { printChange, printChangeInterval } from '../../../../shared/base/quantity.ts';
import type { Series, SeriesRun } from '../../../../shared/kinds/comparison/series.ts';
import { printCount } from '../../../format/count.ts';
import { printWhen } from '../../../format/when.ts';

/** A series for its chart and table. Places along x start at 1, and values are changes: 0.21 for +21 %. */

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
export function levelLine({ levels }: Series): { x: number; y: number }[] {
  return levels.flatMap(({ from, to, ratio }) => [
    { x: from + 0.5, y: ratio.center - 1 },
    { x: to + 0.5, y: ratio.center - 1 },
    { x: to + 0.5, y: Number.NaN },
  ]);
}

/** The interval of each run, drawn as a separate line. */
export function whiskers({ runs }: Series): { x: number; y: number }[] {
  return runs.flatMap(({ ratio }, index) => [
    { x: index + 1, y: ratio.lo - 1 },
    { x: index + 1, y: ratio.hi - 1 },
    { x: index + 1, y: Number.NaN },
  ]);
}

export function noiseRibbon({ levels }: Series): { x: number; lo: number; hi: number }[] {
  return levels.flatMap(({ from, to, noise }) =>
    [from, to].map((edge) => ({ x: edge + 0.5, lo: noise.lo - 1, hi: noise.hi - 1 })),
  );
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
    ...(isBaseline ? ['Baseline'] : []),
    ...(step === null ? [] : [`Step ${printStep(step)}`]),
    ...versions,
  ];
}

function printStep(step: NonNullable<SeriesRow['step']>): string {
  return `${printChange(step.center, 1)} (${printChangeInterval(step)})`;
}
