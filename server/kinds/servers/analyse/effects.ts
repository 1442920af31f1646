import { mapEstimate } from '../../../../shared/base/map-estimate.ts';
import {
  type CellSettings,
  type FactorName,
  factorNames,
  type ServersCell,
} from '../../../../shared/kinds/servers/servers.ts';
import {
  type Effect,
  type ServersMetric,
  type ServersVisit,
  serversMetrics,
} from '../../../../shared/kinds/servers/servers-result.ts';
import { holm } from '../../../method/statistics/holm.ts';
import { launchInterval } from '../../../method/statistics/launch-interval.ts';
import { meanOf } from '../../../method/statistics/mean.ts';
import { readVisit } from './cell-result.ts';

const significance = 0.05;
const views = ['https', 'overhead'] as const;

/**
 * What each level changes against each earlier one of its factor: cells that differ in nothing else are paired within a
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
  const rounds: Values = new Map();
  for (const visit of visits) {
    const reading = readVisit(metric, visit);
    if (reading === null) continue;
    const round = rounds.get(visit.round) ?? new Map<number, number>();
    rounds.set(visit.round, round);
    round.set(visit.cell, view === 'https' ? reading.https : reading.https - reading.http);
  }
  return rounds;
}

type Pairing = { from: string; to: string; pairs: (readonly [number, number])[] };

/** Of a factor: each level with each earlier one, cell by cell. */
function pairingsOf(cells: readonly ServersCell[], factor: FactorName): Pairing[] {
  const levels = [...new Set(cells.map(({ settings }) => String(settings[factor])))];
  const alike = Map.groupBy(cells, ({ settings }) => restOf(settings, factor));
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

function restOf(settings: CellSettings, factor: FactorName): string {
  return factorNames.map((name) => (name === factor ? '' : settings[name])).join(' ');
}

function effectOver(pairs: Pairing['pairs'], values: Values) {
  const units = [...values].flatMap(([round, ofCells]) => {
    const differences = pairs.flatMap(([one, other]) => {
      const [before, after] = [ofCells.get(one), ofCells.get(other)];
      return before === undefined || after === undefined ? [] : [after - before];
    });
    return differences.length === 0 ? [] : [{ launch: round, value: meanOf(differences) }];
  });
  return units.length < 2 ? null : launchInterval(units, 0.95);
}
