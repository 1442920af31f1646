import { printNumber } from '../../../shared/base/quantity.ts';
import type { AttributionPart } from '../../../shared/kinds/comparison/attribution.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { scaled, sum } from './estimates.ts';

/** What a transaction of the run needs of TLS, and what each piece costs the server by itself. */
export type Ingredients = {
  /** Server CPU a transaction: the comparison side less the baseline, in microseconds. */
  deltaUs: Estimate;
  fullPerTransaction: number;
  resumedPerTransaction: number;
  /** Both ways, of the encrypted side. */
  bytesPerTransaction: number;
  /** Of the server, in microseconds. */
  fullUs: Estimate;
  /** Null when no connection resumed. */
  resumedUs: Estimate | null;
  bulkUsPerByte: Estimate;
};

type Attributed = { parts: AttributionPart[]; addsUp: boolean; sentence: string };

/**
 * Splits a difference into parts that are known and the rest. Half-widths of independent pieces add in quadrature; counts
 * are exact. Of a difference that may be none there are no shares. The parts do not add up when handshakes and bytes together are surely more than the whole.
 */
export function attributeDelta(given: Ingredients): Attributed {
  const { deltaUs, fullPerTransaction, resumedPerTransaction, bytesPerTransaction } = given;
  const handshakes = sum([
    scaled(given.fullUs, fullPerTransaction),
    ...(given.resumedUs === null ? [] : [scaled(given.resumedUs, resumedPerTransaction)]),
  ]);
  const bulk = scaled(given.bulkUsPerByte, bytesPerTransaction);
  const rest = sum([deltaUs, scaled(handshakes, -1), scaled(bulk, -1)]);
  const addsUp = rest.hi >= 0;
  const shareOf = (us: Estimate) => (deltaUs.lo > 0 ? us.center / deltaUs.center : null);
  const parts: AttributionPart[] = [
    { part: 'handshakes', us: handshakes, share: shareOf(handshakes), formula: handshakeFormula(given) },
    { part: 'bulk', us: bulk, share: shareOf(bulk), formula: bulkFormula(given) },
    {
      part: 'rest',
      us: rest,
      share: shareOf(rest),
      formula: `${micro(deltaUs.center)} − ${micro(handshakes.center)} − ${micro(bulk.center)}`,
    },
  ];
  return { parts, addsUp, sentence: sentenceOf(given, { handshakes, bulk, rest, addsUp }) };
}

function handshakeFormula({ fullPerTransaction, resumedPerTransaction, fullUs, resumedUs }: Ingredients) {
  const full = `${count(fullPerTransaction)} full × ${micro(fullUs.center)}`;
  return resumedUs === null || resumedPerTransaction === 0
    ? full
    : `${full} + ${count(resumedPerTransaction)} resumed × ${micro(resumedUs.center)}`;
}

function bulkFormula({ bytesPerTransaction, bulkUsPerByte }: Ingredients): string {
  return `${printNumber(bytesPerTransaction, 0)} bytes × ${printNumber(bulkUsPerByte.center * 1000, 2)} ns`;
}

function sentenceOf(
  { deltaUs }: Ingredients,
  {
    handshakes,
    bulk,
    rest,
    addsUp,
  }: { handshakes: Estimate; bulk: Estimate; rest: Estimate; addsUp: boolean },
): string {
  const known = `handshakes ${micro(handshakes.center)}, encrypting the bytes ${micro(bulk.center)}`;
  if (!addsUp) {
    return `The parts do not add up: ${known}, together more than the ${micro(deltaUs.center)} that the run shows. One of the two measurements was disturbed, or the server does less than the lab assumes.`;
  }
  if (deltaUs.lo <= 0) {
    return `The run cannot tell its difference in server CPU at load from none (${micro(deltaUs.lo)} to ${micro(deltaUs.hi)} a transaction). In the lab its parts cost: ${known} a transaction.`;
  }
  return `Of ${micro(deltaUs.center)} more server CPU a transaction at load: ${known}, and ${micro(rest.center)} (${micro(rest.lo)} to ${micro(rest.hi)}) for the rest, which is records, copies and system calls.`;
}

function micro(us: number): string {
  return `${printNumber(us, Math.abs(us) < 10 ? 1 : 0)} µs`;
}

function count(number: number): string {
  return printNumber(number, number >= 100 ? 0 : number >= 1 ? 2 : 3);
}
