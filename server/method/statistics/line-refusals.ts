import { printNumber } from '../../../shared/base/quantity.ts';
import type { SizeResidual } from '../../../shared/kinds/sizes/size-line.ts';
import { studentQuantile } from './student-t.ts';

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
export function lineRefusals(residuals: readonly SizeResidual[], rounds: number): string[] {
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
