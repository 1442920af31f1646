import { printQuantity, scaleFor } from '../../shared/base/quantity.ts';

/** `0 B`, `84 kB`, `1.25 MB`: one amount that stands alone. */
export function printBytes(bytes: number): string {
  return printQuantity(bytes, scaleFor('bytes', [bytes]));
}
