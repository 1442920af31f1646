import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { binomialInterval } from '../binomial-interval.ts';
import { printCount, printTable } from '../print-table.ts';
import type { Observed } from './observe.ts';
import type { Expected } from './reference.ts';
import type { NullRow, QuestionRow } from './tally.ts';

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

/** Of the baseline and the comparison, the fewest that a run had. */
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
