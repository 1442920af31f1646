import { excludes } from './estimate-arithmetic.ts';
import type { Estimate, Unit } from './units.ts';

/**
 * Numbers as people read them. One printer for screen, sentence, Markdown and terminal, so that all show the same digits.
 * A scale is chosen once for a row: one unit and one number of decimals, fine enough for two significant digits of its smallest value.
 */
export type Scale = {
  /** Written after the number: `µs`, `MB/s`. */
  symbol: string;
  /** Values are divided by this before printing. */
  divisor: number;
  decimals: number;
};

type Step = { symbol: string; divisor: number };

const ladders: Record<Unit, Step[]> = {
  'transactions/s': [{ symbol: 'transactions/s', divisor: 1 }],
  transactions: [{ symbol: 'transactions', divisor: 1 }],
  percent: [{ symbol: '%', divisor: 1 }],
  us: [
    { symbol: 'µs', divisor: 1 },
    { symbol: 'ms', divisor: 1e3 },
    { symbol: 's', divisor: 1e6 },
  ],
  bytes: byteLadder(''),
  'bytes/s': byteLadder('/s'),
};

function byteLadder(suffix: string): Step[] {
  return ['B', 'kB', 'MB', 'GB'].map((symbol, power) => ({
    symbol: symbol + suffix,
    divisor: 1000 ** power,
  }));
}

const mostDecimals = 3;

/** The scale for values that stand in one row. `finest` are values, such as the delta, whose digits must show as well. */
export function scaleFor(unit: Unit, values: readonly number[], finest: readonly number[] = []): Scale {
  const largest = Math.max(0, ...values.map(Math.abs));
  const ladder = ladders[unit];
  const step = ladder.findLast((candidate) => largest >= candidate.divisor) ?? ladder[0];
  if (step === undefined) throw new Error(`no scale for ${unit}`);
  const shown = [...values, ...finest]
    .map((value) => Math.abs(value) / step.divisor)
    .filter((value) => value > 0);
  const decimals = shown.length === 0 ? 0 : 1 - Math.floor(Math.log10(Math.min(...shown)));
  return { ...step, decimals: Math.min(mostDecimals, Math.max(0, decimals)) };
}

/** How many times as much, with two significant digits at least: `0.84`, `1.2`, `35`. */
export function printFactor(factor: number): string {
  return printNumber(factor, factor < 1 ? 2 : factor < 10 ? 1 : 0);
}

/** `9.87 ms`, `121.3 ms`. */
export function printMs(ms: number): string {
  return `${printMsNumber(ms)} ms`;
}

export function printMsNumber(ms: number): string {
  return printNumber(ms, msDecimals(ms));
}

export function msDecimals(ms: number): number {
  return Math.abs(ms) < 10 ? 2 : 1;
}

/** `12,345.6`, without the unit. A minus sign is a real one. */
export function printNumber(value: number, decimals: number): string {
  const rounded = Math.abs(value).toFixed(decimals);
  const [whole = '0', fraction] = rounded.split('.');
  const grouped = /^\d{4,}$/.test(whole) ? groupDigits(whole) : whole;
  const text = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  return value < 0 && Number(rounded) !== 0 ? `−${text}` : text;
}

/** `12.3 µs`. */
export function printQuantity(value: number, scale: Scale): string {
  return `${printNumber(value / scale.divisor, scale.decimals)} ${scale.symbol}`;
}

/** `+2.6 µs`, `−0.4 µs`. */
export function printDifference(value: number, scale: Scale): string {
  return `${printSigned(value, scale)} ${scale.symbol}`;
}

/** `+2.6`, without the unit, for the first end of an interval. */
export function printSigned(value: number, { divisor, decimals }: Scale): string {
  return signOf(printNumber(value / divisor, decimals));
}

/** `+2.6`, `−0.4`; what rounds to nothing has no sign. */
export function printAdded(value: number, decimals: number): string {
  const text = printNumber(value, decimals);
  return Number(value.toFixed(decimals)) === 0 ? text : signOf(text);
}

/** `9.2 (8.9 to 9.4)`: microseconds, without the unit. */
export function printUsEstimate({ center, lo, hi }: Estimate, decimals = 1): string {
  return `${printNumber(center, decimals)} (${printNumber(lo, decimals)} to ${printNumber(hi, decimals)})`;
}

/** A ratio as a change: 1.213 is `+21 %`, 0.84 is `−16 %`. */
export function printChange(ratio: number, decimals = changeDecimals(ratio)): string {
  return `${signOf(printNumber(percentOf(ratio), decimals))} %`;
}

/** A change of 1,000 % or more has three digits: to get 7,156 % from two sides, a reader would need six digits of each. */
function percentOf(ratio: number): number {
  const percent = (ratio - 1) * 100;
  return Math.abs(percent) < 1000 ? percent : Number(percent.toPrecision(3));
}

/** An interval that ends above it says nothing about its end. */
const mostRatio = 1001;

/** `+20 to +22 %`: both ends with the decimals that the interval's width deserves. Noise alone prints `−96 to over +100,000 %`. */
export function printChangeInterval(ratio: Estimate): string {
  const decimals = intervalDecimals(ratio);
  const lo = signOf(printNumber(percentOf(ratio.lo), decimals));
  const hi = signOf(printNumber(percentOf(Math.min(ratio.hi, mostRatio)), decimals));
  return `${lo} to ${ratio.hi > mostRatio ? 'over ' : ''}${hi} %`;
}

/**
 * Decimals of a change in percent, from the width of its interval: one digit finer than its half-width's first. An end
 * that only just is on one side of no change is not rounded on to it.
 */
export function intervalDecimals({ lo, hi }: Estimate): number {
  const halfWidth = ((hi - lo) / 2) * 100;
  const usual = halfWidth >= 10 ? 0 : halfWidth >= 0.1 ? 1 : 2;
  const nearest = Math.min(Math.abs(lo - 1), Math.abs(hi - 1)) * 100;
  if (!excludes({ lo, hi }, 1) || nearest >= 0.5 / 10 ** usual) return usual;
  return Math.min(mostDecimals, Math.ceil(-Math.log10(nearest)));
}

/**
 * Decimals of an estimate and its interval, those of its half-width's first digit. An end that only just is on one side of
 * zero is not rounded on to it.
 */
export function estimateDecimals({ lo, hi }: Estimate, divisor = 1): number {
  const halfWidth = (hi - lo) / 2 / divisor;
  const usual = halfWidth === 0 ? mostDecimals : Math.max(0, -Math.floor(Math.log10(halfWidth)));
  const nearest = Math.min(Math.abs(lo), Math.abs(hi)) / divisor;
  if (!excludes({ lo, hi }, 0) || nearest >= 0.5 / 10 ** usual) return usual;
  return Math.ceil(-Math.log10(nearest));
}

function groupDigits(digits: string): string {
  let grouped = digits;
  for (let at = digits.length - 3; at > 0; at -= 3) grouped = `${grouped.slice(0, at)},${grouped.slice(at)}`;
  return grouped;
}

/** A share: 0.012 is `1.2 %`. */
export function printShare(share: number): string {
  return `${printNumber(share * 100, share < 0.1 ? 1 : 0)} %`;
}

function changeDecimals(ratio: number): number {
  return Math.abs(ratio - 1) < 0.1 ? 1 : 0;
}

function signOf(text: string): string {
  return text.startsWith('−') ? text : `+${text}`;
}

/** `3`, `6 to 8`. */
export function printRange({ minimum, maximum }: { minimum: number; maximum: number }): string {
  return minimum === maximum ? String(minimum) : `${minimum} to ${maximum}`;
}

/** `7 %` of 0.07, without decimals. */
export function printWholePercent(ratio: number): string {
  return `${printNumber(100 * ratio, 0)} %`;
}

/** Ends of an axis that several rows share, in the unit of their values: a change of 0.2 is a fifth more. */
export type ShiftAxis = { from: number; to: number };

type Span = { lo: number; hi: number };

/** An interval ends in an arrow if it is more than this many times wider than the axis would be without it. */
const muchWider = 10;
/** Room beside the tolerance, as a share of it. */
const roomBeside = 1.5;

/**
 * The one axis of a table, of a chart below it, and of text. It contains zero, the tolerance, and all of `held`, which is the metric of
 * the verdict, whatever its outcome is. Other intervals are contained too, unless they are ten times wider than an axis without them.
 * @param held the narrowest of the others if empty
 * @param tolerance what is too little to matter, on both sides of zero
 */
export function shiftAxis(held: readonly Span[], others: readonly Span[], tolerance: number): ShiftAxis {
  const needed = held.length > 0 ? held : others.toSorted((a, b) => widthOf(a) - widthOf(b)).slice(0, 1);
  const core = hullOf([{ lo: -roomBeside * tolerance, hi: roomBeside * tolerance }, ...needed]);
  const most = widthOf(core) === 0 ? Number.POSITIVE_INFINITY : muchWider * widthOf(core);
  const { lo, hi } = hullOf([core, ...others.filter((each) => widthOf(each) <= most)]);
  return { from: lo, to: hi };
}

function widthOf({ lo, hi }: Span): number {
  return hi - lo;
}

function hullOf(spans: readonly Span[]): Span {
  return {
    lo: Math.min(0, ...spans.map(({ lo }) => lo)),
    hi: Math.max(0, ...spans.map(({ hi }) => hi)),
  };
}

/** Round values within a range, about `count` of them. */
export function niceTicks(from: number, to: number, count: number): number[] {
  const rough = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(from / step);
  const length = Math.floor(to / step) - first + 1;
  return Array.from({ length }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** No more digits than a round number has: `2.5`, `−10`, `1,000`. */
function printTick(value: number): string {
  const rounded = Number(value.toPrecision(3));
  const [, fraction = ''] = String(Math.abs(rounded)).split('.');
  return printNumber(rounded, fraction.length);
}

/** A label of an axis of ratios, from the change: `×1.2` for 0.2, `×1`, `×0.5`. */
export function printRatioTick(change: number): string {
  return `×${printTick(1 + change)}`;
}

/** A label of an axis of changes: `+2.5 %` for 0.025, `0 %`, `−10 %`. It has no more digits than the tick. */
export function printChangeTick(change: number): string {
  const percent = Number((change * 100).toPrecision(3));
  return percent === 0 ? '0 %' : `${signOf(printTick(percent))} %`;
}

/** Labels of an axis of differences in time, all in the unit of the largest: `+0.5 ms` for 500. */
export function usTicks(largestUs: number): (us: number) => string {
  const { symbol, divisor } = scaleFor('us', [largestUs]);
  return (us) => `${us === 0 ? '0' : signOf(printTick(us / divisor))} ${symbol}`;
}

/** Round ratios between two ratios, about `count` of them: evenly apart as ratios, or as decades and their fifths and halves. */
export function ratioTicks(from: number, to: number, count: number): number[] {
  if (to / from < 4) return niceTicks(from, to, count).filter((ratio) => ratio > 0);
  const first = Math.floor(Math.log10(from));
  const decades = Array.from({ length: Math.ceil(Math.log10(to)) - first + 1 }, (_, index) => first + index);
  const ratios = decades.flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)));
  return ratios.filter((ratio) => ratio >= from && ratio <= to);
}
