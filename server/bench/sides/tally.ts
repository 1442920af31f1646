import type { Place } from '../../../shared/kinds/comparison/questions.ts';
import { type Cell, isNull, type NullName } from './cells.ts';
import type { Observed } from './observe.ts';
import { type Expected, expectedOf, type Reference } from './reference.ts';

/** What the runs of the bench come to: false alarms of sides against themselves, and answers beside what is known. */

type Asked = { cell: Cell; runs: readonly Observed[] };

export type NullRow = {
  bench: 'sides';
  place: Place | 'all';
  asks: NullName | 'all';
  /** Finished runs with a figure. */
  runs: number;
  /** Of them, those whose verdict claims a difference, and those in which any row does. */
  claiming: number;
  claimingAnywhere: number;
  /** Intervals of server CPU at load that hold no difference. */
  holding: number;
  lost: number;
};

export type QuestionRow = {
  bench: 'sides';
  place: Place;
  asks: string;
  runs: readonly Observed[];
  expected: Expected;
  /** Whether each run's interval meets what is expected; null where nothing is. */
  meets: boolean[] | null;
  /** Whether each run's interval holds the center of the others; null with fewer than two. */
  repeats: boolean | null;
  /** Why there is no figure. */
  problem: string | null;
};

export function tallyNulls(asked: readonly Asked[]): NullRow[] {
  const rows = asked.flatMap(({ cell, runs }) =>
    isNull(cell) ? [nullRow(cell.place, cell.asks as NullName, runs)] : [],
  );
  const everything = asked.flatMap(({ cell, runs }) => (isNull(cell) ? runs : []));
  return [...rows, nullRow('all', 'all', everything)];
}

function nullRow(place: NullRow['place'], asks: NullRow['asks'], runs: readonly Observed[]): NullRow {
  const finished = runs.filter(({ state, ratio }) => state === 'finished' && ratio !== null);
  return {
    ...({ bench: 'sides', place, asks, runs: finished.length } as const),
    claiming: finished.filter(({ outcome }) => outcome === 'overhead').length,
    claimingAnywhere: finished.filter(({ claims }) => claims.length > 0).length,
    holding: finished.filter(({ ratio }) => ratio !== null && ratio.lo <= 1 && ratio.hi >= 1).length,
    lost: runs.length - finished.length,
  };
}

/** @param linked the library of `openssl speed`; another one’s primitives cost something else */
export function tallyQuestions(
  asked: readonly Asked[],
  reference: Reference | null,
  linked: string | null,
): QuestionRow[] {
  return asked.flatMap(({ cell, runs }) => {
    if (isNull(cell) || runs.length === 0) return [];
    const answered = runs.filter(({ deltaUs }) => deltaUs !== null);
    const expected = reference === null ? null : expectedIn(cell, answered, reference, linked);
    return [
      {
        ...({ bench: 'sides', place: cell.place, asks: cell.asks } as const),
        ...{ runs, expected, repeats: repeats(answered) },
        meets: expected === null ? null : answered.map((run) => meets(run, expected)),
        problem: answered.length > 0 ? null : (runs.at(-1)?.said ?? null),
      },
    ];
  });
}

/** Of questions about handshakes, which open a connection for each transaction. */
function expectedIn(
  { place, request }: Cell,
  answered: readonly Observed[],
  reference: Reference,
  linked: string | null,
): Expected {
  const [run] = answered;
  if (run?.sides == null || request.connectionPolicy !== 'connection-per-transaction') return null;
  const own = place === 'node' || place === 'storefront';
  const isLinked = linked !== null && run.library?.startsWith(linked) === true;
  return expectedOf(run.sides, reference, { own, library: isLinked ? run.library : null });
}

/** Two intervals meet where they overlap; a direction is met by a center on its side. */
function meets({ deltaUs }: Observed, expected: NonNullable<Expected>): boolean {
  if (deltaUs === null) return false;
  if (expected.by === 'direction') return Math.sign(deltaUs.center) === expected.sign;
  return deltaUs.lo <= expected.us.hi && deltaUs.hi >= expected.us.lo;
}

function repeats(runs: readonly Observed[]): boolean | null {
  if (runs.length < 2) return null;
  return runs.every(({ deltaUs: own }) =>
    runs.every(
      ({ deltaUs: other }) =>
        own !== null && other !== null && own.lo <= other.center && own.hi >= other.center,
    ),
  );
}
