import type { Estimate } from '../../shared/base/units.ts';
import type { Place } from '../../shared/kinds/comparison/questions.ts';
import { printCount, printTable } from './print-table.ts';
import {
  type Cell,
  type Expected,
  expectedOf,
  isNull,
  type NullName,
  type Observed,
  type Reference,
} from './sides-cells.ts';
import { binomialInterval } from './spread.ts';

/** Tallies of the bench's runs: false alarms of sides against themselves, and answers compared with expected ones. */

type Asked = { cell: Cell; runs: readonly Observed[] };

type NullRow = {
  bench: 'sides';
  place: Place | 'all';
  asks: NullName | 'all';
  /** Finished runs with a figure. */
  runs: number;
  /** Number of these whose verdict claims a difference, and number in which any row does. */
  claiming: number;
  claimingAnywhere: number;
  /** Intervals of server CPU at load that hold no difference. */
  holding: number;
  lost: number;
};

type QuestionRow = {
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

/** Expected answer to a question about handshakes, which opens a connection for each transaction. */
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

/** At most so many of a hundred runs of sides against themselves may claim a difference. */
const claimsInHundred = 5;

export function printSides(nulls: readonly NullRow[], questions: readonly QuestionRow[]): string {
  const parts = [
    ...(nulls.length > 1 ? [`Sides against themselves: server CPU at load\n${printNulls(nulls)}`] : []),
    ...(questions.length > 0
      ? [
          `µs of server CPU per transaction, the comparison’s less the baseline’s\n${printQuestions(questions)}`,
        ]
      : []),
  ];
  return parts.join('\n');
}

function printNulls(rows: readonly NullRow[]): string {
  const counted = (count: number, of: number) => printCount(count, of, binomialInterval(count, of));
  return printTable(
    [
      'place',
      'the same',
      'verdict claims a difference',
      '',
      'any row claims one',
      'interval holds none',
      'lost',
    ],
    rows.map((row) => [
      ...[row.place, row.asks, counted(row.claiming, row.runs), row.place === 'all' ? boundOf(row) : ''],
      ...[counted(row.claimingAnywhere, row.runs), counted(row.holding, row.runs), `${row.lost}`],
    ]),
  );
}

function boundOf({ claiming, runs }: NullRow): string {
  const atMost = Math.floor((runs * claimsInHundred) / 100);
  return `≤ ${atMost}: ${claiming <= atMost ? 'held' : 'missed'}`;
}

function printQuestions(rows: readonly QuestionRow[]): string {
  return printTable(
    ['question', 'place', 'said', 'expected', 'met', 'each holds the other', 'connections'],
    rows.map(({ asks, place, runs, expected, meets, repeats, problem }) => [
      ...[asks, place],
      problem ?? runs.map(({ deltaUs }) => printEstimate(deltaUs)).join('; '),
      ...[printExpected(expected), meets === null ? '' : meets.map(yesOrNo).join(', ')],
      ...[repeats === null ? '' : yesOrNo(repeats), printConnections(runs)],
    ]),
  );
}

function printExpected(expected: Expected): string {
  if (expected === null) return '';
  if (expected.by === 'direction') return expected.sign > 0 ? 'more' : 'less';
  return `${printEstimate(expected.us)}, ${expected.by}`;
}

/** Fewest connections of a run, for the baseline and the comparison. */
function printConnections(runs: readonly Observed[]): string {
  const pairs = runs.flatMap(({ sides }) =>
    sides === null ? [] : [sides.map(({ connections }) => connections)],
  );
  if (pairs.length === 0) return '';
  return [0, 1].map((side) => Math.min(...pairs.map((pair) => pair[side] ?? 0))).join(' and ');
}

/** `+31 µs (28 to 34)`; a point where the interval has no width. */
function printEstimate(estimate: Estimate | null): string {
  if (estimate === null) return 'none';
  const { center, lo, hi } = estimate;
  const shown = `${center < 0 ? '−' : '+'}${digits(Math.abs(center))} µs`;
  return lo === hi ? shown : `${shown} (${signed(lo)} to ${signed(hi)})`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : ''}${digits(Math.abs(value))}`;
}

function digits(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}

function yesOrNo(held: boolean): string {
  return held ? 'yes' : 'no';
}
