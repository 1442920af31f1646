import { type CapacityLoad, type PartName, partNames } from '../../../shared/kinds/comparison/capacity.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { scaled, sum } from '../statistics/estimates.ts';
import type { Cost, CostSource } from './costs.ts';
import { demandOf } from './demand.ts';

/** What each part of a load costs by itself, and how much of it there is in a second. */
export type Term = {
  part: PartName;
  /** The same for the same figure. */
  figure: string;
  count: number;
  cost: Cost;
};

/** Every source but the last may lack a figure. */
export function termsOf(load: CapacityLoad, costs: CostSource): Term[] {
  const demand = demandOf(load);
  return partNames.map((part) => ({
    part,
    figure: figureOf(part, load),
    count: demand[part],
    cost: costOf(part, load, costs),
  }));
}

/** Cores that are busy, of a second of CPU a second each. */
export function coresOf({ count, cost }: Term): Estimate {
  return scaled(cost.value, count / 1e6);
}

/** Without TLS: requests and the connections that they come on. */
export function isClear({ part }: Pick<Term, 'part'>): boolean {
  return part === 'request' || part === 'connection';
}

/** What one load takes less what another does. Figures that both have cancel before their intervals are added. */
export function difference(more: readonly Term[], less: readonly Term[]): Estimate {
  const terms = new Map<string, Term>();
  const note = (term: Term, sign: number) => {
    const count = (terms.get(term.figure)?.count ?? 0) + sign * term.count;
    terms.set(term.figure, { ...term, count });
  };
  for (const term of more) note(term, 1);
  for (const term of less) note(term, -1);
  return sum([...terms.values()].map(coresOf));
}

function figureOf(part: PartName, { version, key, group }: CapacityLoad): string {
  if (part === 'full') return `full/${key}/${group}`;
  return part === 'resumed' && version === 'TLSv1.3' ? `resumed/${group}` : part;
}

function costOf(part: PartName, { key, group }: CapacityLoad, costs: CostSource): Cost {
  const asked: Record<PartName, () => Cost | null> = {
    request: costs.request,
    connection: costs.connection,
    full: () => costs.full(key, group),
    resumed: () => costs.resumed(group),
    byte: costs.byte,
  };
  const cost = asked[part]();
  if (cost === null) throw new Error(`nothing knows what "${part}" costs`);
  return cost;
}
