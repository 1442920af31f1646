import { mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import {
  type Crossover,
  chosenLine,
  type LineDifference,
  type LineTerms,
  recordBytes,
  type SizeFit,
  type SizeForm,
  type SizeLine,
  type SizeOverhead,
  type SizeResidual,
  timeAt,
} from '../../../shared/kinds/sizes/sizes.ts';
import { fPValue, studentQuantile } from './distributions.ts';
import { inverse } from './estimates.ts';
import { estimateOf, type Jackknifed, jackknife, type Left } from './intervals.ts';
import { meanOf, sumOf } from './mean.ts';
import { fitRelative, type RelativeFit } from './relative-fit.ts';

/** Fewer say nothing of how well a line is known. */
const fewestRounds = 3;

/**
 * T = Offset + Size/Rate, with `records` + c·⌈Size/16384⌉, weighted 1/T² on one time a size; intervals by the delete-one-round
 * jackknife, weights drawn anew each time. R² is weighted alike. Null with fewer than three rounds, and where the sizes
 * do not tell the terms apart.
 * Source of the form: Goldberg, Buff and Schmitt, WebPerf, 1998.
 */
export function fitSizeLine(table: SizeTable, form: SizeForm): SizeLine | null {
  const rounds = table.us.length;
  const pool = poolOf(table);
  const times = pool(null);
  const fit = rounds < fewestRounds ? null : fitTimes(table.sizes, times, form);
  if (fit === null) return null;
  const [offsetUs, usPerByte, recordUs = null] = jackknife(rounds, (left) => {
    const terms = termsOf(table.sizes, pool(left), form);
    return [terms.offsetUs, terms.usPerByte, ...(terms.recordUs === null ? [] : [terms.recordUs])];
  }).map(estimateOf);
  if (offsetUs == null || usPerByte == null) return null;
  const byRound = table.us.map((round) =>
    fit.missesOf(round.map((us, size) => us / (times[size] ?? Number.NaN) - 1)),
  );
  const errors = missErrors(byRound);
  const residuals = table.sizes.map((size, index) => ({
    size,
    percent: 100 * (fit.misses[index] ?? Number.NaN),
    errorPercent: 100 * (errors[index] ?? Number.NaN),
  }));
  const free = times.length - fit.coefficients.length;
  return {
    ...{ form, offsetUs, usPerByte, recordUs, residuals },
    bytesPerMs: rateOf(usPerByte),
    rSquared: weightedRSquared(times, fit.misses),
    aicc: aiccOf(fit.misses, fit.coefficients.length),
    lackOfFit: testLackOfFit(fit.misses, byRound, fit.coefficients.length),
    refusals: free < 1 ? [] : lineRefusals(residuals, rounds),
  };
}

/** NaN where the sizes do not tell the terms apart. */
function termsOf(sizes: readonly number[], times: readonly number[], form: SizeForm): LineTerms {
  const [offsetUs = Number.NaN, usPerByte = Number.NaN, recordUs = Number.NaN] =
    fitTimes(sizes, times, form)?.coefficients ?? [];
  return { offsetUs, usPerByte, recordUs: form === 'records' ? recordUs : null };
}

/** From µs a byte to bytes a ms; null where no byte need cost anything. */
function rateOf(usPerByte: Estimate): Estimate | null {
  return usPerByte.lo <= 0 ? null : inverse(usPerByte, 1000);
}

function fitTimes(sizes: readonly number[], times: readonly number[], form: SizeForm): RelativeFit | null {
  const straight = [sizes.map(() => 1), sizes];
  const terms =
    form === 'straight' ? straight : [...straight, sizes.map((size) => Math.ceil(size / recordBytes))];
  return fitRelative(terms, times);
}

/** 1 − Σw(T − fit)² ÷ Σw(T − T̄)², w = 1/T² and T̄ the mean weighted alike. */
function weightedRSquared(times: readonly number[], misses: readonly number[]): number | null {
  const mean = sumOf(times.map((time) => 1 / time)) / sumOf(times.map((time) => 1 / time ** 2));
  const spread = sumOf(times.map((time) => (1 - mean / time) ** 2));
  return spread === 0 ? null : 1 - sumOf(misses.map((miss) => miss ** 2)) / spread;
}

/** Differences below this are rounding, and choose nothing. */
const leastMiss = 1e-9;

/**
 * n ln(RSS/n) + 2k + 2k(k + 1)/(n − k − 1), k the terms and the variance. Source: Hurvich and Tsai, Biometrika 76, 1989.
 */
function aiccOf(misses: readonly number[], terms: number): number | null {
  const n = misses.length;
  const k = terms + 1;
  if (n - k - 1 < 1) return null;
  const squares = Math.max(sumOf(misses.map((miss) => miss ** 2)), n * leastMiss ** 2);
  return n * Math.log(squares / n) + 2 * k + (2 * k * (k + 1)) / (n - k - 1);
}

/**
 * F test of what a line misses over all rounds against what it misses differently from round to round, the pure error.
 * A round may have an offset and a rate of its own (drift): only what no line takes up counts. With m sizes, p terms and
 * n rounds, F = [n Σē²/(m − p)] ÷ [Σ(e − ē)²/((n − 1)(m − p))], degrees m − p and (n − 1)(m − p).
 * Source: Draper and Smith, Applied Regression Analysis, section 2.1, with each round's own line taken out as blocks are.
 */
type LackOfFit = { f: number; degrees: [number, number]; pValue: number };

/** A relative difference of doubles that should be none. */
const rounding = 1e-9;

/**
 * @param misses of the line over all rounds, by size, relative
 * @param byRound what is left of each round's deviations, by round, then size
 * @returns null where the line goes through every size, or the rounds agree exactly
 */
function testLackOfFit(
  misses: readonly number[],
  byRound: readonly (readonly number[])[],
  terms: number,
): LackOfFit | null {
  const free = misses.length - terms;
  const rounds = byRound.length;
  const lack = rounds * misses.reduce((sum, miss) => sum + miss ** 2, 0);
  const pure = missErrors(byRound).reduce((sum, error) => sum + error ** 2 * rounds * (rounds - 1), 0);
  if (free < 1 || pure < rounding ** 2) return null;
  const degrees: [number, number] = [free, (rounds - 1) * free];
  const f = (lack / degrees[0]) * (degrees[1] / pure);
  return { f, degrees, pValue: fPValue(f, degrees) };
}

/** Standard error of each size's miss over the rounds. */
function missErrors(byRound: readonly (readonly number[])[]): number[] {
  const rounds = byRound.length;
  return (byRound[0] ?? []).map((_, size) => {
    const misses = byRound.map((round) => round[size] ?? Number.NaN);
    const mean = meanOf(misses);
    const squares = misses.reduce((sum, miss) => sum + (miss - mean) ** 2, 0);
    return Math.sqrt(squares / (rounds - 1) / rounds);
  });
}

const mostPercent = 10;
/** That some size of a line that is true is refused. */
const risk = 0.05;
/**
 * Less than this refuses no line, however certain it is: every server bends a little where its buffers end, and a sweep of
 * a minute knows most of its points to 1 %.
 */
const leastPercent = 5;

/**
 * Why a line must not be used: it misses a size by more than 10 %, or by more than 5 % and more standard errors than chance
 * does. With 24 sizes and well known errors those are 3 (5 % over all sizes); an error from n rounds takes Student's quantile.
 */
function lineRefusals(residuals: readonly SizeResidual[], rounds: number): string[] {
  const mostErrors = studentQuantile(1 - risk / residuals.length, rounds - 1);
  const coarse = worstBy(residuals, ({ percent }) => Math.abs(percent), mostPercent);
  if (coarse !== null) {
    const noise = inErrors(coarse.residual) <= mostErrors;
    return [
      `${missOf(coarse.residual)} (${mostPercent} % is allowed)${coarse.others}.${noise ? ' That may be noise: more rounds would decide it.' : ''}`,
    ];
  }
  const sure = worstBy(residuals, inErrors, mostErrors);
  if (sure === null) return [];
  const { residual, others } = sure;
  return [`${missOf(residual)} (${errorsOf(residual)}; ${tenths(mostErrors)} are allowed)${others}.`];
}

/** The worst of those over what is allowed, and how many others there are. */
function worstBy(
  residuals: readonly SizeResidual[],
  measure: (residual: SizeResidual) => number,
  allowed: number,
): { residual: SizeResidual; others: string } | null {
  const over = residuals.filter((residual) => measure(residual) > allowed);
  const [residual, ...rest] = over.toSorted((a, b) => measure(b) - measure(a));
  if (residual === undefined) return null;
  const others = rest.length === 1 ? ', and 1 more size' : `, and ${rest.length} more sizes`;
  return { residual, others: rest.length === 0 ? '' : others };
}

function inErrors({ percent, errorPercent }: SizeResidual): number {
  return Math.abs(percent) <= leastPercent ? 0 : Math.abs(percent) / errorPercent;
}

function errorsOf(residual: SizeResidual): string {
  const errors = inErrors(residual);
  return Number.isFinite(errors) ? `${tenths(errors)} standard errors` : 'the same in every round';
}

function missOf({ size, percent }: SizeResidual): string {
  return `It misses ${printNumber(size, 0)} bytes by ${tenths(Math.abs(percent))} %`;
}

function tenths(value: number): string {
  return printNumber(value, 1);
}

/** Overheads, in percent, for which a crossover is computed. */
const crossoverPercents = [5, 10, 20, 50, 100] as const;

type Arm = { table: SizeTable; fit: SizeFit };

/**
 * An https arm against http. Both tables have the same sizes and the same rounds; a round is left out of both at once, so
 * what a round does to both arms is in no interval. Null when the intervals cannot be had.
 */
export function compareSizes(plain: Arm, secure: Arm): SizeOverhead | null {
  const { sizes } = plain.table;
  const [poolPlain, poolSecure] = [poolOf(plain.table), poolOf(secure.table)];
  const estimates = jackknife(plain.table.us.length, (left) => {
    const [plainUs, secureUs] = [poolPlain(left), poolSecure(left)];
    return plainUs.flatMap((us, size) => {
      const other = secureUs[size] ?? Number.NaN;
      return [Math.log(other / us), other - us];
    });
  }).map(estimateOf);
  const points = sizes.flatMap((size, index) => {
    const [logs, deltaUs] = [estimates[2 * index], estimates[2 * index + 1]];
    return logs == null || deltaUs == null ? [] : [{ size, ratio: mapEstimate(logs, Math.exp), deltaUs }];
  });
  const straight = compareLines(plain, secure, 'straight');
  if (straight === null || points.length < sizes.length) return null;
  const { chosen } = secure.fit;
  const records = chosen === 'records' ? compareLines(plain, secure, 'records') : null;
  const best = records ?? straight;
  return {
    points,
    straight: straight.difference,
    records: records?.difference ?? null,
    crossovers: best.difference.holds
      ? best.crossovers
      : crossoverPercents.map((percent) => crossoverOfSizes(points, percent)),
  };
}

function compareLines(
  plain: Arm,
  secure: Arm,
  form: SizeForm,
): { difference: LineDifference; crossovers: Crossover[] } | null {
  const { sizes } = plain.table;
  const range = { from: sizes[0] ?? Number.NaN, to: sizes.at(-1) ?? Number.NaN };
  const [poolPlain, poolSecure] = [poolOf(plain.table), poolOf(secure.table)];
  const all = jackknife(plain.table.us.length, (left) => {
    const one = termsOf(sizes, poolPlain(left), 'straight');
    const other = termsOf(sizes, poolSecure(left), form);
    const { offsetUs, usPerByte } = withRecords(other);
    return [
      offsetUs - one.offsetUs,
      usPerByte - one.usPerByte,
      100 * (1 - one.usPerByte / usPerByte),
      usPerByte,
      ...crossoverPercents.map((percent) => Math.log(crossoverSize(one, other, percent / 100, range))),
    ];
  });
  const [offset, perByte, loss, own, ...crossings] = all;
  const [offsetUs, usPerByte] = [estimateIn(offset), estimateIn(perByte)];
  if (offsetUs === null || usPerByte === null) return null;
  const ownPerByte = estimateIn(own);
  const hasRates =
    plain.fit.straight.bytesPerMs !== null && ownPerByte !== null && rateOf(ownPerByte) !== null;
  const line = form === 'straight' ? secure.fit.straight : chosenLine(secure.fit);
  return {
    difference: {
      ...{ form, offsetUs, usPerByte },
      holds: plain.fit.straight.refusals.length === 0 && line.refusals.length === 0,
      rateLossPercent: hasRates ? estimateIn(loss) : null,
    },
    crossovers: crossoverPercents.map((percent, index) => crossoverOfLines(crossings[index], percent, range)),
  };
}

/** Adds records to a line: the first to a request's fixed cost, a share of the next one to each byte. */
function withRecords({ offsetUs, usPerByte, recordUs }: LineTerms): { offsetUs: number; usPerByte: number } {
  const record = recordUs ?? 0;
  return { offsetUs: offsetUs + record, usPerByte: usPerByte + record / recordBytes };
}

function crossoverOfLines(
  found: Jackknifed | undefined,
  percent: number,
  { from, to }: { from: number; to: number },
): Crossover {
  const logs = estimateIn(found);
  const bytes = Math.exp(found?.center ?? Number.NaN);
  const { lo, hi } = mapEstimate(logs, Math.exp) ?? { lo: Number.NaN, hi: Number.NaN };
  return {
    ...{ percent, by: 'line' },
    bytes: Number.isFinite(bytes) ? bytes : null,
    interval: hi <= to ? { lo: Math.max(from, lo), hi } : null,
  };
}

type Point = SizeOverhead['points'][number];

/** By the centers of the measured sizes; its interval by their ends. */
function crossoverOfSizes(points: readonly Point[], percent: number): Crossover {
  const from = (end: keyof Estimate) => {
    const last = points.findLastIndex(({ ratio }) => ratio[end] >= 1 + percent / 100);
    return points[last + 1]?.size ?? null;
  };
  const [bytes, lo, hi] = [from('center'), from('lo'), from('hi')];
  return { percent, by: 'sizes', bytes, interval: lo === null || hi === null ? null : { lo, hi } };
}

function estimateIn(found: Jackknifed | undefined): Estimate | null {
  return found === undefined ? null : estimateOf(found);
}

/**
 * The smallest document from which on `secure` takes less than (1 + share) times what `plain` takes, within the measured
 * sizes; NaN when that is so from no size on. Between two steps of records the difference of both is linear in the size,
 * so its sign at the ends tells.
 * @param from smallest measured size in bytes
 * @param to largest
 */
export function crossoverSize(
  plain: LineTerms,
  secure: LineTerms,
  share: number,
  { from, to }: { from: number; to: number },
): number {
  const over = (size: number) => timeAt(secure, size) - (1 + share) * timeAt(plain, size);
  const step = secure.recordUs === null ? to : recordBytes;
  let below = Number.NaN;
  for (let end = to; end >= from; end = start(end, step) - 1) {
    const begin = Math.max(from, start(end, step));
    const [atBegin, atEnd] = [over(begin), over(end)];
    if (!(atEnd < 0)) return below;
    if (atBegin >= 0) return begin + ((end - begin) * atBegin) / (atBegin - atEnd);
    below = begin;
  }
  return below;
}

/** First size with as many records. */
function start(size: number, step: number): number {
  return step * (Math.ceil(size / step) - 1) + 1;
}

/**
 * The study's line and, over TLS, the line with a cost per record, and which of them to use. The choice is Akaike's
 * criterion with the correction for few sizes (AICc): it needs no level of significance, and 24 sizes are few. An F test
 * of c = 0 would compare nested lines too, but at a risk that someone has to set.
 * Source: Burnham and Anderson, Model Selection and Multimodel Inference, 2002, section 2.4.
 * Null with fewer than three rounds or two sizes.
 */
export function fitSizes(table: SizeTable, { encrypted }: { encrypted: boolean }): SizeFit | null {
  const straight = fitSizeLine(table, 'straight');
  if (straight === null) return null;
  const records = encrypted ? fitSizeLine(table, 'records') : null;
  const chosen: SizeForm = records !== null && isBetter(records, straight) ? 'records' : 'straight';
  const fit: SizeFit = { straight, records, chosen, pieces: [] };
  return chosenLine(fit).refusals.length === 0 ? fit : { ...fit, pieces: piecesOf(table) };
}

type Judged = { aicc: number | null; recordUs: { center: number } | null };

function isBetter(records: Judged, straight: Judged): boolean {
  return (
    records.aicc !== null &&
    straight.aicc !== null &&
    records.aicc < straight.aicc &&
    (records.recordUs?.center ?? 0) > 0
  );
}

/** One record, and four and more, where the steps of records hardly show. */
const ranges: ((size: number) => boolean)[] = [
  (size) => size <= recordBytes,
  (size) => size >= 4 * recordBytes,
];

function piecesOf(table: SizeTable): SizeFit['pieces'] {
  return ranges.flatMap((inRange) => fitSizeLine(selectSizes(table, inRange), 'straight') ?? []);
}

/** Times of one arm in µs: what every round measured at every size. */
export type SizeTable = {
  /** Bytes, ascending. */
  sizes: readonly number[];
  /** By round, then size; all above zero. */
  us: readonly (readonly number[])[];
  /** Transactions behind each mean, by round, then size; null where the times are medians. */
  weights: readonly (readonly number[])[] | null;
};

/**
 * One time a size from all rounds but one: the geometric mean of medians, or of means that of all transactions together (a
 * ratio of sums, which keeps garbage collection in). Both are smooth in the rounds, as the jackknife needs.
 */
function poolOf({ sizes, us, weights }: SizeTable): (left: Left) => number[] {
  const own = us.map((round, index) =>
    weights === null
      ? round.map((time) => ({ value: Math.log(time), weight: 1 }))
      : round.map((time, size) => {
          const weight = weights[index]?.[size] ?? Number.NaN;
          return { value: time * weight, weight };
        }),
  );
  const nothing = { value: 0, weight: 0 };
  const sums = sizes.map((_, size) =>
    own.reduce((sum, round) => {
      const { value, weight } = round[size] ?? nothing;
      return { value: sum.value + value, weight: sum.weight + weight };
    }, nothing),
  );
  return (left) =>
    sums.map((sum, size) => {
      const { value, weight } = (left === null ? null : own[left]?.[size]) ?? nothing;
      const mean = (sum.value - value) / (sum.weight - weight);
      return weights === null ? Math.exp(mean) : mean;
    });
}

/** The same rounds with the sizes that are wanted alone. */
function selectSizes({ sizes, us, weights }: SizeTable, wanted: (size: number) => boolean): SizeTable {
  const only = (row: readonly number[]) => row.filter((_, index) => wanted(sizes[index] ?? 0));
  return { sizes: only(sizes), us: us.map(only), weights: weights?.map(only) ?? null };
}
