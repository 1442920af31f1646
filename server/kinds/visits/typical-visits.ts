import { type BySide, bySide } from '../../../shared/base/transport.ts';
import type { Visit } from '../../../shared/kinds/visits/visits.ts';
import type { Waterfall } from '../../../shared/kinds/visits/waterfall.ts';
import { median } from '../../method/statistics/quantile.ts';

/** A visit with what it did request by request. */
export type SeenVisit = Visit & { waterfall: Waterfall };

/** Of each side, the visit whose first load is nearest to the median: a real one, and no rare one. Null before both have one. */
export function typicalVisits(seen: readonly SeenVisit[]): BySide<Waterfall> | null {
  const typical = bySide((side) => {
    const own = seen.filter(({ arm }) => arm === side);
    if (own.length === 0) return null;
    const middle = median(own.map(({ cold }) => cold.loadUs));
    const away = ({ cold }: SeenVisit) => Math.abs(cold.loadUs - middle);
    return own.reduce((best, each) => (away(each) < away(best) ? each : best)).waterfall;
  });
  const { baseline, comparison } = typical;
  return baseline === null || comparison === null ? null : { baseline, comparison };
}
