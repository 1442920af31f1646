import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import {
  type LineTerms,
  recordBytes,
  type SizeForm,
  type SizeLine,
} from '../../../shared/kinds/sizes/size-line.ts';
import { inverse } from './estimates.ts';
import { estimateOf, jackknife } from './jackknife.ts';
import { missErrors, testLackOfFit } from './lack-of-fit.ts';
import { lineRefusals } from './line-refusals.ts';
import { sumOf } from './mean.ts';
import { fitRelative, type RelativeFit } from './relative-fit.ts';
import { poolOf, type SizeTable } from './size-table.ts';

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
export function termsOf(sizes: readonly number[], times: readonly number[], form: SizeForm): LineTerms {
  const [offsetUs = Number.NaN, usPerByte = Number.NaN, recordUs = Number.NaN] =
    fitTimes(sizes, times, form)?.coefficients ?? [];
  return { offsetUs, usPerByte, recordUs: form === 'records' ? recordUs : null };
}

/** From µs a byte to bytes a ms; null where no byte need cost anything. */
export function rateOf(usPerByte: Estimate): Estimate | null {
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
