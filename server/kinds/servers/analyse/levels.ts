import { mapEstimate } from '../../../../shared/base/map-estimate.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import {
  type CellSettings,
  type FactorName,
  factorNames,
  type ServersCell,
} from '../../../../shared/kinds/servers/servers.ts';
import {
  type LevelFigures,
  type LevelGroup,
  type LevelView,
  levelMetrics,
  type ServersMetric,
  type ServersVisit,
} from '../../../../shared/kinds/servers/servers-result.ts';
import { launchInterval } from '../../../method/statistics/launch-interval.ts';
import { meanOf } from '../../../method/statistics/mean.ts';
import { readVisit } from './cell-result.ts';

/** A view with more groups is left out: nobody reads so many bars. */
const mostGroups = 200;

/** The means of every level of every factor that varies, and of the levels of every two of them. */
export function levelsOf(cells: readonly ServersCell[], visits: readonly ServersVisit[]): LevelView[] {
  const varying = factorNames.filter(
    (factor) => new Set(cells.map(({ settings }) => settings[factor])).size > 1,
  );
  const pairs = varying.flatMap((one, place) => varying.slice(place + 1).map((other) => [one, other]));
  const readings = new Map(levelMetrics.map((metric) => [metric, readAll(metric, visits)]));
  return [...varying.map((factor) => [factor]), ...pairs].flatMap((by) => {
    const view = viewOf(by, cells, readings);
    return view.groups.length > mostGroups ? [] : [view];
  });
}

type Reading = { round: number; http: number; https: number };
/** By cell: logarithms. */
type Readings = Map<number, Reading[]>;

function readAll(metric: ServersMetric, visits: readonly ServersVisit[]): Readings {
  const cells: Readings = new Map();
  for (const visit of visits) {
    const reading = readVisit(metric, visit);
    if (reading === null) continue;
    const own = cells.get(visit.cell) ?? [];
    cells.set(visit.cell, own);
    own.push({ round: visit.round, http: reading.http, https: reading.https });
  }
  return cells;
}

/**
 * Groups are over the same cells but for their levels: cells whose rest was not measured at every level are in none of them,
 * as a mean over other cells says nothing of the level. Where no rest has them all, groups are of the cells that there are.
 */
function viewOf(
  by: FactorName[],
  cells: readonly ServersCell[],
  readings: ReadonlyMap<ServersMetric, Readings>,
): LevelView {
  const throughput = readings.get('throughput');
  const levelOf = ({ settings }: ServersCell) => by.map((factor) => settings[factor]).join(' ');
  const measured = cells.filter(({ index }) => (throughput?.get(index)?.length ?? 0) >= 2);
  const every = new Set(measured.map(levelOf)).size;
  const alike = Map.groupBy(measured, ({ settings }) => restOf(settings, by));
  const whole = [...alike.values()].filter((of) => of.length === every);
  const matched = whole.length > 0;
  const counted = Map.groupBy(matched ? whole.flat() : measured, levelOf);
  const groups = [...Map.groupBy(cells, levelOf)].map(([level, [first]]): LevelGroup => {
    const of = counted.get(level) ?? [];
    const figures = levelMetrics.map((metric) => [metric, figuresOf(of, readings.get(metric))] as const);
    return {
      levels: by.map((factor) => first?.settings[factor] ?? null),
      cells: of.length,
      ...(Object.fromEntries(figures) as Record<(typeof levelMetrics)[number], LevelFigures | null>),
    };
  });
  return { factors: by, matched, groups };
}

function restOf(settings: CellSettings, by: readonly FactorName[]): string {
  return factorNames.map((name) => (by.includes(name) ? '' : settings[name])).join(' ');
}

function figuresOf(cells: readonly ServersCell[], readings: Readings | undefined): LevelFigures | null {
  const own = cells.flatMap(({ index }) => {
    const read = readings?.get(index) ?? [];
    return read.length < 2 ? [] : [read];
  });
  const over = (of: (reading: Reading) => number) => meanOver(own, of);
  const [http, https, ratio] = [
    over((each) => each.http),
    over((each) => each.https),
    over((each) => each.https - each.http),
  ];
  return http === null || https === null || ratio === null ? null : { http, https, ratio };
}

/**
 * The mean of the cells' own means. Each round says by how much its visits were off them, in the mean over those that it
 * has, and the rounds' spread is the interval (Student's t): a visit that failed moves no mean towards the other cells.
 */
function meanOver(cells: readonly Reading[][], of: (reading: Reading) => number): Estimate | null {
  const means: number[] = [];
  /** By round: how many visits there were, and the sum of what they were off. */
  const rounds = new Map<number, { visits: number; off: number }>();
  for (const read of cells) {
    const mean = meanOf(read.map(of));
    means.push(mean);
    for (const reading of read) {
      const round = rounds.get(reading.round) ?? { visits: 0, off: 0 };
      rounds.set(reading.round, round);
      round.visits++;
      round.off += of(reading) - mean;
    }
  }
  if (rounds.size < 2) return null;
  const center = meanOf(means);
  const units = [...rounds].map(([launch, { visits, off }]) => ({ launch, value: center + off / visits }));
  const interval = launchInterval(units, 0.95);
  if (interval === null) return null;
  const reach = (interval.hi - interval.lo) / 2;
  return mapEstimate({ center, lo: center - reach, hi: center + reach }, Math.exp);
}
