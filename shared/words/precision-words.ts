import {
  printChangeInterval,
  printDifference,
  printNumber,
  printSigned,
  type Scale,
} from '../base/quantity.ts';
import { scaleOf } from '../base/shift.ts';
import type { MetricComparison } from '../kinds/comparison/comparison.ts';
import type { Interval, Precision, Widening } from '../kinds/comparison/precision.ts';
import { listed } from './listed.ts';

/** What an interval rests on, in words: on the page, in the terminal and in Markdown. */

/** `5 launches`, `12 blocks of one launch`: what an interval is over. */
export function unitsInWords({ launches, pairs }: Pick<MetricComparison, 'launches' | 'pairs'>): string {
  if (launches.length > 1) return `${printNumber(launches.length, 0)} launches`;
  return `${printNumber(pairs.length, 0)} blocks${launches.length === 1 ? ' of one launch' : ''}`;
}

/** The interval from this run alone; null where it is not known, or is the one that stands. */
export function printPlain(row: MetricComparison): string | null {
  const plain = row.precision?.plain ?? null;
  return plain === null ? null : printInterval(row, plain);
}

/**
 * In sentences: `From 5 launches and 12 earlier runs.`, `Widened by 0.4 % for drift.` Empty where nothing was noted.
 */
export function describePrecision(row: MetricComparison): string[] {
  const { precision } = row;
  if (precision === undefined) return [];
  const { prior, isNoisierThanPast, betweenRuns, widenings } = precision;
  const units = unitsInWords(row);
  return [
    ...(prior === null
      ? [`From ${units} alone${isNoisierThanPast ? ', which varied more than usual' : ''}.`]
      : [`From ${units} and ${sourceOf(prior)}.`]),
    ...(betweenRuns === null
      ? []
      : [`Includes how much runs differ from one another, by ${sourceOf(betweenRuns)}.`]),
    ...(widenings.length === 0
      ? []
      : [`Widened by ${listed(widenings.map((each) => widenedBy(row, each)))}.`]),
  ];
}

/** `12 earlier runs`. */
function sourceOf({ from, runs }: NonNullable<Precision['prior']>): string {
  if (from === 'shipped') return 'a typical spread, because this machine has too few earlier runs';
  return `${printNumber(runs, 0)} earlier ${runs === 1 ? 'run' : 'runs'}`;
}

const causes: Record<Widening['name'], string> = {
  drift: 'drift',
  twin: 'the twin',
  'carry-over': 'carry-over between bursts',
};

/** `0.4 % for drift`. */
function widenedBy(row: MetricComparison, { name, by }: Widening): string {
  const amount =
    row.ratio === null
      ? printDifference(by, scaleOf(row)).replace('+', '')
      : `${printNumber(Math.expm1(by) * 100, by < 0.001 ? 2 : 1)} %`;
  return `${amount} for ${causes[name]}`;
}

function printInterval(row: MetricComparison, { lo, hi }: Interval): string {
  if (row.ratio === null) return printEnds({ lo, hi }, scaleOf(row));
  return printChangeInterval({ lo: Math.exp(lo), center: row.ratio.center, hi: Math.exp(hi) });
}

function printEnds({ lo, hi }: Interval, scale: Scale): string {
  return `${printSigned(lo, scale)} to ${printDifference(hi, scale)}`;
}
