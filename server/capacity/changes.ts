import type { CapacityChange, CapacityLoad } from '../../shared/capacity.ts';
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
    ? 'Reckoned with a typical figure, as that handshake was not measured.'
    : null;
}

function ideasFor({ keepAlive, connectionsPerVisit, resumption, key, group }: CapacityLoad): Idea[] {
  const ideas: (Idea | false)[] = [
    !keepAlive && { title: 'Keep connections alive', change: { keepAlive: true }, note: null },
    keepAlive &&
      connectionsPerVisit > 1 && {
        title: 'One connection a visit, as with HTTP/2',
        change: { connectionsPerVisit: 1 },
        note: null,
      },
    !resumption && {
      title: 'Resume sessions',
      change: { resumption: true },
      note: 'Several servers have to share their ticket keys.',
    },
    key !== 'P-256' && {
      title: 'A certificate with a P-256 key',
      change: { key: 'P-256' },
      note: key.startsWith('ML-DSA')
        ? 'It does not withstand a quantum computer that could forge it while it is valid.'
        : null,
    },
    group !== 'X25519' && {
      title: 'X25519 for the key agreement',
      change: { group: 'X25519' },
      note: group.includes('MLKEM')
        ? 'What is recorded today could then be read by a quantum computer later.'
        : null,
    },
  ];
  return ideas.filter((idea) => idea !== false);
}
