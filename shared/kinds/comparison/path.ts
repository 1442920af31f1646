import { z } from 'zod';
import { printNumber, printQuantity, printShare, scaleFor } from '../../base/quantity.ts';
import { type BySide, labelsOf, sideNames, type Transport } from '../../base/transport.ts';
import { bySideSchema } from '../../base/transport-schema.ts';
import { nonNegativeSchema } from '../../base/units.ts';
import type { RoundTrip } from '../../target/preflight.ts';

/** The path to a target: how long its round trip is, and what part of a latency that is. */

const pathSideSchema = z.strictObject({
  /** With what a link adds. */
  roundTripUs: nonNegativeSchema,
  /** Of a transaction, at the least: large requests and responses wait for more. */
  roundTrips: nonNegativeSchema,
  /** Median of a transaction. */
  latencyUs: nonNegativeSchema,
});

export const pathSchema = bySideSchema(pathSideSchema);
export type Path = z.infer<typeof pathSchema>;

/** `HTTP: 1 round trip of 0.42 ms, 13 % of the median latency. HTTPS: …` */
export function describePath(path: Path, sides: BySide<{ transport: Transport }>): string {
  const labels = labelsOf(sides);
  const sentences = sideNames.map((side) => {
    const { roundTripUs, roundTrips, latencyUs } = path[side];
    const trips = printNumber(roundTrips, 1).replace(/\.0$/, '');
    const share = printShare(shareOf(roundTrips * roundTripUs, latencyUs));
    return `${labels[side]}: ${trips} round ${trips === '1' ? 'trip' : 'trips'} of ${printUs(roundTripUs)}, ${share} of the median latency.`;
  });
  return sentences.join(' ');
}

/**
 * `Round trip 0.42 ms, 13 % of the 3.1 ms until a response begins.`
 * @param firstByteUs from sending a request on an open connection; null where none was answered
 */
export function describeRoundTrip({ minimumUs }: RoundTrip, firstByteUs: number | null): string {
  const trip = `Round trip ${printUs(minimumUs)}`;
  if (firstByteUs === null) return `${trip}.`;
  return `${trip}, ${printShare(shareOf(minimumUs, firstByteUs))} of the ${printUs(firstByteUs)} until a response begins.`;
}

/** The path may have been slower when its round trip was measured. */
function shareOf(pathUs: number, us: number): number {
  return Math.min(1, pathUs / Math.max(1, us));
}

function printUs(us: number): string {
  return printQuantity(us, scaleFor('us', [us]));
}
