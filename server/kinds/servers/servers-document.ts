import { capitalized } from '../../../shared/base/cut.ts';
import { mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import { serversHistory } from '../../../shared/kinds/servers/servers.ts';
import {
  type CellFigures,
  type CellResult,
  type CellSettings,
  type Effect,
  type FactorName,
  factorNames,
  type LevelFigures,
  type LevelGroup,
  type LevelView,
  levelMetrics,
  type ServersCell,
  type ServersDocument,
  type ServersFacts,
  type ServersMetric,
  type ServersVisit,
  serversMetrics,
} from '../../../shared/kinds/servers/servers-result.ts';
import type { Figures } from '../../../shared/measurement/history-view.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import { launchInterval } from '../../method/statistics/intervals.ts';
import { meanOf } from '../../method/statistics/mean.ts';
import { holm } from '../../method/statistics/outcome-decision.ts';
import { figuresIn } from '../define-kind.ts';
import type { Frame } from '../kind.ts';
import { cellResult, readingsOf } from './cell-document.ts';

/** Findings of a sweep over servers, also while it goes on. */
export function serversFindings(
  { state }: Pick<Frame<unknown>, 'state'>,
  { cells, warnings }: ServersFacts,
  visits: readonly ServersVisit[],
) {
  const byCell = Map.groupBy(visits, ({ cell }) => cell);
  const effects = effectsOf(cells, visits);
  const results = cells.map((cell) => cellResult(cell, byCell.get(cell.index) ?? []));
  return {
    effects,
    warnings: [...warnings, ...generatorWarning(results)],
    roundsDone: Math.min(...cells.map(({ index }) => byCell.get(index)?.length ?? 0)),
    cells: results,
    // Much to compute, and nobody looks at it before the end.
    levels: isOver(state) ? levelsOf(cells, visits) : [],
    ranking: rankEffects(effects),
  };
}

function generatorWarning(cells: readonly CellResult[]): string[] {
  const limited = cells.filter(({ generatorLimited }) => generatorLimited).length;
  if (limited === 0) return [];
  return [
    `In ${limited} of ${cells.length} combinations, a request cost the load generator more CPU than the server, so requests per second are a lower bound there. Server CPU per request at full load is hardly affected. The ranking uses it.`,
  ];
}

const names: Record<FactorName, string> = {
  server: 'server',
  protocol: 'protocol',
  cipher: 'cipher',
  key: 'key',
  keepAlive: 'keep-alive',
  resumption: 'resumption',
  clientCertificates: 'client certificates',
  kTls: 'kernel TLS',
  concurrency: 'concurrency',
  document: 'document size',
};

/**
 * Ranks the factors over HTTPS, a sentence per factor, the largest first: its widest certain effect, or the largest possible one
 * if none is certain. Compares server CPU per request at load, which no load generator limits, or requests per second if it
 * could not be read.
 */
export function rankEffects(effects: readonly Effect[]): string[] {
  const overHttps = effects.filter(({ view }) => view === 'https');
  const metric = overHttps.some((effect) => effect.metric === 'cpu') ? 'cpu' : 'throughput';
  const own = overHttps.filter((effect) => effect.metric === metric);
  const factors = [...Map.groupBy(own, ({ factor }) => factor)].map(([factor, of]) => {
    const certain = of.filter((effect) => effect.certain).toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
    return { factor, certain, most: Math.max(...of.map(reachOf)) };
  });
  const size = ({ certain }: (typeof factors)[number]) => (certain === undefined ? 0 : sizeOf(certain));
  return factors
    .toSorted((a, b) => size(b) - size(a))
    .map(({ factor, certain, most }, place) => {
      const name = capitalized(names[factor]);
      if (certain === undefined) return `${name}: ${printMost(Math.exp(most))}.`;
      const leads = place === 0 && factors.length > 1 ? ' matters most' : '';
      return `${name}${leads}: ${printTimes(certain, metric)}.`;
    });
}

/** On a log scale, whichever way it goes. */
function sizeOf({ factorOf }: Effect): number {
  return Math.abs(Math.log(factorOf.center));
}

/** The far end of the interval. */
function reachOf({ factorOf: { lo, hi } }: Effect): number {
  return Math.max(Math.abs(Math.log(lo)), Math.abs(Math.log(hi)));
}

/** More than twice as much is not said to be none. */
function printMost(most: number): string {
  return most < 2
    ? `no difference above ${printNumber(100 * (most - 1), 1)} %`
    : `not known yet, up to ${printNumber(most, 1)}×`;
}

const quantities = { cpu: 'server CPU at full load', throughput: 'requests per second' };

/** Said of the larger side: "RSA-4096 has 6.1 times the server CPU at full load of P-256 (95 % CI 5.9 to 6.3)". */
function printTimes(
  { factorOf: { center, lo, hi }, from, to }: Effect,
  metric: keyof typeof quantities,
): string {
  const up = center >= 1;
  const [times, min, max] = up ? [center, lo, hi] : [1 / center, 1 / hi, 1 / lo];
  const print = (value: number) => printNumber(value, value < 10 ? 2 : 0);
  const [more, less] = up ? [to, from] : [from, to];
  return `${level(more)} has ${print(times)} times the ${quantities[metric]} of ${level(less)} (95 % CI ${print(min)} to ${print(max)})`;
}

function level(name: string): string {
  if (name === 'true') return 'on';
  if (name === 'false') return 'off';
  return name === 'null' ? 'the library’s choice' : name;
}

const significance = 0.05;
const views = ['https', 'overhead'] as const;

/**
 * Effect of each level against each earlier one of its factor: cells that differ in nothing else are paired within a
 * round, the pairs' log ratios are averaged, and the rounds' means carry the interval (Student's t). Holm's correction over
 * all effects of one metric and view.
 */
export function effectsOf(cells: readonly ServersCell[], visits: readonly ServersVisit[]): Effect[] {
  const paired = factorNames.map((factor) => ({ factor, pairings: pairingsOf(cells, factor) }));
  return serversMetrics.flatMap((metric) =>
    views.flatMap((view) => {
      const values = valuesOf(metric, view, visits);
      const effects = paired.flatMap(({ factor, pairings }) =>
        pairings.flatMap(({ from, to, pairs }) => {
          const found = effectOver(pairs, values);
          if (found === null) return [];
          const { pValue } = found;
          const factorOf = mapEstimate(found, Math.exp);
          return [{ factor, metric, view, from, to, pairs: pairs.length, factorOf, pValue }];
        }),
      );
      const adjusted = holm(effects.map(({ pValue }) => pValue));
      return effects.map((effect, index) => ({ ...effect, certain: (adjusted[index] ?? 1) < significance }));
    }),
  );
}

type Values = Map<number, Map<number, number>>;

/** By round and cell. */
function valuesOf(metric: ServersMetric, view: Effect['view'], visits: readonly ServersVisit[]): Values {
  const rounds = Map.groupBy(readingsOf(metric, visits), ({ round }) => round);
  const seen = ({ http, https }: Record<'http' | 'https', number>) =>
    view === 'https' ? https : https - http;
  return new Map(
    [...rounds].map(([round, of]) => [round, new Map(of.map((each) => [each.cell, seen(each)]))]),
  );
}

type Pairing = { from: string; to: string; pairs: (readonly [number, number])[] };

/** Pairs each level of a factor with each earlier one, cell by cell. */
function pairingsOf(cells: readonly ServersCell[], factor: FactorName): Pairing[] {
  const levels = [...new Set(cells.map(({ settings }) => String(settings[factor])))];
  const alike = Map.groupBy(cells, ({ settings }) => restOf(settings, [factor]));
  const at = (group: readonly ServersCell[], level: string) =>
    group.find(({ settings }) => String(settings[factor]) === level)?.index;
  return levels.flatMap((from, place) =>
    levels.slice(place + 1).map((to) => ({
      from,
      to,
      pairs: [...alike.values()].flatMap((group) => {
        const [one, other] = [at(group, from), at(group, to)];
        return one === undefined || other === undefined ? [] : [[one, other] as const];
      }),
    })),
  );
}

function effectOver(pairs: Pairing['pairs'], values: Values) {
  const units = [...values].flatMap(([round, ofCells]) => {
    const differences = pairs.flatMap(([one, other]) => {
      const [before, after] = [ofCells.get(one), ofCells.get(other)];
      return before === undefined || after === undefined ? [] : [after - before];
    });
    return differences.length === 0 ? [] : [{ launch: round, value: meanOf(differences) }];
  });
  return units.length < 2 ? null : launchInterval(units);
}

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
  return Map.groupBy(readingsOf(metric, visits), ({ cell }) => cell);
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

/** Key of the other settings, the same for cells that differ only in these factors. */
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
  const interval = launchInterval(units);
  if (interval === null) return null;
  const reach = (interval.hi - interval.lo) / 2;
  return mapEstimate({ center, lo: center - reach, hi: center + reach }, Math.exp);
}

/** Each cell for the history in SQL. */
export function cellFigures({ cells }: Pick<ServersDocument, 'cells'>): Figures {
  const records = cells.map(({ cell, throughput, cpu, latency, ...result }) => ({
    ...{ ...result, ...cell.settings, cell: cell.id, documentBytes: cell.settings.document },
    ...{ throughput: inUnit(throughput, 'PerS'), cpu: inUnit(cpu, 'Us'), latency: inUnit(latency, 'Us') },
  }));
  return figuresIn(serversHistory, records);
}

function inUnit(figures: CellFigures | null, unit: string): object | null {
  if (figures === null) return null;
  const { http, https, ...ratios } = figures;
  return { ...ratios, [`http${unit}`]: http, [`https${unit}`]: https };
}
