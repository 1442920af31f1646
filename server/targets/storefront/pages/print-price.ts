import { printNumber } from '../../../../shared/base/quantity.ts';

/** 123405 as `1,234.05`. */
export function printPrice(cents: number): string {
  return printNumber(cents / 100, 2);
}
