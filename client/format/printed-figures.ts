import { lessOne, mapEstimate } from '../../shared/base/estimate-arithmetic.ts';
import {
  printChange,
  printChangeInterval,
  printNumber,
  printQuantity,
  type Scale,
  scaleFor,
} from '../../shared/base/quantity.ts';
import type { Estimate } from '../../shared/base/units.ts';

/** `40 s`, `1 min 20 s`, `10 min`, `1 h 5 min`. */
export function printDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return joinParts(Math.floor(whole / 60), 'min', whole % 60, 's');
  const minutes = Math.round(whole / 60);
  return joinParts(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/** Time still to go: `about 41 s left`, `about 3 min 20 s left`. Finer the nearer the end, so that it is seen to fall. */
export function printTimeLeft(seconds: number): string {
  if (seconds < 3) return 'a moment left';
  const step = seconds < 90 ? 1 : seconds < 600 ? 5 : 60;
  return `about ${printDuration(Math.round(seconds / step) * step)} left`;
}

function joinParts(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** A ratio as a change: 0.21 for 1.21. */
export function changeOf(ratio: Estimate): Estimate {
  return mapEstimate(ratio, lessOne);
}

/** `+19.8 to +22.2 %`, of an interval of changes. */
export function printChanges(change: Estimate): string {
  return printChangeInterval(mapEstimate(change, (value) => 1 + value));
}

/** `1 block`, `12 blocks`, `3 launches`, `1,204 requests`. */
export function printCount(count: number, one: string, many = `${one}s`): string {
  return `${printNumber(count, 0)} ${count === 1 ? one : many}`;
}

const spaceBeforeUnit = /(?<=\d) (?=(?:%|µs|ms|s|[kMG]?B|cores?)(?!\w))/g;

/** A sentence whose figures do not lose their unit to the next line. */
export function keepUnits(sentence: string): string {
  return sentence.replace(spaceBeforeUnit, '\u00a0');
}

const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** `21 Nov 2026, 14:05`, in the reader's time zone. `unixMs` in milliseconds. */
export function printWhen(unixMs: number): string {
  return moment.format(unixMs);
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** `14:05`, for what stands below its day. */
export function printClock(unixMs: number): string {
  return clock.format(unixMs);
}

/** `just now`, `5 min ago`, `3 h ago`, then the date. */
export function printAgo(unixMs: number, nowMs: number): string {
  const minutes = Math.floor((nowMs - unixMs) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return printWhen(unixMs);
}

/** `12.3 (11.9 to 12.8)`. */
export function printInterval(estimate: Estimate | null | undefined, decimals: number): string {
  if (estimate == null) return '–';
  const print = (value: number) => printNumber(value, decimals);
  return `${print(estimate.center)} (${print(estimate.lo)} to ${print(estimate.hi)})`;
}

/** `+20 % (+18 to +22 %)`. */
export function printRatio(ratio: Estimate | null | undefined): string {
  return ratio == null ? '–' : `${printChange(ratio.center)} (${printChangeInterval(ratio)})`;
}

/** 20 for a ratio of 1.2. */
export function percentOf(ratio: number): number {
  return 100 * (ratio - 1);
}

/** For an even number of values, the mean of the middle two; NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = Math.floor(sorted.length / 2);
  const lower = Math.ceil(sorted.length / 2) - 1;
  return ((sorted[lower] ?? Number.NaN) + (sorted[upper] ?? Number.NaN)) / 2;
}

/** Axis of values in a scale: its ticks have one decimal at most, and its points all that a table prints. */
export function axisIn({ symbol, divisor, decimals }: Scale) {
  const print = (digits: number) => (value: number) => printNumber(value / divisor, digits);
  return { title: symbol, unit: symbol, print: print(Math.min(1, decimals)), printPoint: print(decimals) };
}

/** `0 B`, `84 kB`, `1.25 MB`: one amount that stands alone. */
export function printBytes(bytes: number): string {
  return printQuantity(bytes, scaleFor('bytes', [bytes]));
}

/** A share in percent without trailing zeros: 0.05 is `5 %`, 0.0634 with two digits `6.3 %`. */
export function printPercent(share: number, digits = 3): string {
  return `${Number((share * 100).toPrecision(digits))} %`;
}
