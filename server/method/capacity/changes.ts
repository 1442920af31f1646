import type { CapacityChange, CapacityLoad } from '../../../shared/kinds/comparison/capacity.ts';
import { scaled, sum } from '../statistics/estimates.ts';
import { coresOf, difference, type Term, termsOf } from './cores.ts';
import type { CostSource } from './costs.ts';

type Idea = { title: string; change: Partial<CapacityLoad>; note: string | null };

/** What could be done about the load, each thing by itself, the one that saves most first. What saves nothing is left out. */
export function changesOf(load: CapacityLoad, costs: CostSource): CapacityChange[] {
  const now = termsOf(load, costs);
  return ideasFor(load)
    .map(({ title, change, note }) => {
      const then = termsOf({ ...load, ...change }, costs);
      return {
        title,
        cores: atCeiling(then, load),
        saves: scaled(difference(now, then), 1 / load.utilisation),
        note: [note, guessOf(now, then)].filter((each) => each !== null).join(' ') || null,
      };
    })
    .filter(({ saves }) => saves.center > 0)
    .sort((a, b) => b.saves.center - a.saves.center);
}

/** Cores that a load takes when none of them may be busier than the ceiling. */
export function atCeiling(terms: readonly Term[], { utilisation }: CapacityLoad) {
  return scaled(sum(terms.map(coresOf)), 1 / utilisation);
}

/** A typical figure beside a measured one is another machine's. */
function guessOf(now: readonly Term[], then: readonly Term[]): string | null {
  const isTypical = ({ cost }: Term) => cost.source === 'typical';
  return then.filter(isTypical).length > now.filter(isTypical).length
    ? 'Uses a typical figure, because that handshake was not measured.'
    : null;
}

function ideasFor({ keepAlive, connectionsPerVisit, resumption, key, group }: CapacityLoad): Idea[] {
  const ideas: (Idea | false)[] = [
    !keepAlive && { title: 'Keep connections alive', change: { keepAlive: true }, note: null },
    keepAlive &&
      connectionsPerVisit > 1 && {
        title: 'Use one connection per visit, as with HTTP/2',
        change: { connectionsPerVisit: 1 },
        note: null,
      },
    !resumption && {
      title: 'Resume sessions',
      change: { resumption: true },
      note: 'Multiple servers must share their ticket keys.',
    },
    key !== 'P-256' && {
      title: 'Use a P-256 certificate',
      change: { key: 'P-256' },
      note: key.startsWith('ML-DSA') ? 'A quantum computer could forge it while it is valid.' : null,
    },
    group !== 'X25519' && {
      title: 'Use X25519 key agreement',
      change: { group: 'X25519' },
      note: group.includes('MLKEM') ? 'A quantum computer could later decrypt traffic recorded today.' : null,
    },
  ];
  return ideas.filter((idea) => idea !== false);
}
