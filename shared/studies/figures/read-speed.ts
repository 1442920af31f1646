import { printNumber } from '../../base/quantity.ts';
import type { Estimate } from '../../kinds/comparison/comparison.ts';
import { type SpeedDocument, type SpeedRow, speedSizes } from '../../kinds/speed/speed.ts';
import { mapped, quotientOf, type Read, type SpeedFigure } from './figure.ts';

/** Figures of the speed table: those of `openssl speed`, where it has them. */
export function readSpeed(
  { row: id, over }: SpeedFigure,
  document: Pick<SpeedDocument, 'rows' | 'unavailable'>,
): Read {
  const row = document.rows.find((each) => each.id === id);
  const other = document.rows.find((each) => each.id === over);
  if (row === undefined) return { missing: whyMissing(id, document) };
  if (over === undefined) return [{ values: [row.bytes === null ? rateOf(row) : megabytesOf(row)] }];
  if (other === undefined) return { missing: whyMissing(over, document) };
  return [{ values: [quotientOf(rateOf(row), rateOf(other))] }];
}

function rateOf({ openssl, operationsPerS }: SpeedRow): Estimate {
  return openssl.status === 'measured' ? openssl.operationsPerS : operationsPerS;
}

function megabytesOf(row: SpeedRow): Estimate {
  return mapped(rateOf(row), (perS) => (perS * (row.bytes ?? 0)) / 1e6);
}

function whyMissing(id: string, { unavailable }: Pick<SpeedDocument, 'unavailable'>): string {
  const [primitive = '', , bytes] = id.split('/');
  const found = unavailable.find((each) => each.primitive === primitive);
  if (found !== undefined) return `${primitive} is not in OpenSSL here: ${found.reason}`;
  const size = Number(bytes);
  if (bytes !== undefined && !speedSizes.some((each) => each === size))
    return `Blocks of ${printNumber(size, 0)} bytes are not measured.`;
  return `${primitive} is not part of the speed table.`;
}
