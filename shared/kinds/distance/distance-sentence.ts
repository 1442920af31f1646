import { printMs, printMsNumber, printNumber } from '../../base/quantity.ts';
import type { Estimate } from '../comparison/comparison.ts';
import { linkInWords } from '../comparison/link.ts';
import { connectionTitles, type DistanceDocument, type DistanceRow } from './distance.ts';

/** What was found, in sentences: the same on the page, in Markdown and in a terminal. */

type Found = Pick<DistanceDocument, 'links' | 'rows'>;

/** Place of the longest link. */
export function farthestOf(links: Found['links']): number {
  const roundTrips = links.map(({ roundTripMs }) => roundTripMs);
  return roundTrips.indexOf(Math.max(...roundTrips));
}

/** The first is the headline: what TLS adds on the longest link. Empty while nothing was measured there. */
export function distanceSentences({ links, rows }: Found): string[] {
  const far = farthestOf(links);
  const link = links[far];
  const at = (name: DistanceRow['connection']) =>
    rows.find(({ connection }) => connection === name)?.places[far] ?? null;
  const [plain, full] = [at('tcp')?.ms ?? null, at('tls13')?.ms ?? null];
  const more = at('tls13')?.overTcpMs ?? null;
  if (link === undefined || plain === null || full === null || more === null) return [];
  const older = at('tls12')?.overTcpMs ?? null;
  const resumed = at('tls12-resumed')?.overTcpMs ?? null;
  return [
    `TLS 1.3 adds ${addedTime(more)} to a new connection over ${linkInWords(link)}`,
    `95 % CI ${printMs(more.lo)} to ${printMs(more.hi)}. The first byte arrives after ${printMs(full.center)}, without TLS after ${printMs(plain.center)}.`,
    ...(older === null ? [] : [`TLS 1.2 adds ${addedTime(older)}${rangeOf(older)}.`]),
    ...(resumed === null
      ? []
      : [`TLS 1.2 adds ${addedTime(resumed)}${rangeOf(resumed)} when it resumes a session.`]),
    ...disagreements(rows),
  ];
}

/** No more than the interval says. */
function addedTime({ center, lo, hi }: Estimate): string {
  return lo <= 0 && hi >= 0 ? 'no measurable time' : printMs(center);
}

function rangeOf({ lo, hi }: Estimate): string {
  return ` (${printMsNumber(lo)} to ${printMsNumber(hi)} ms)`;
}

/** So much of a round trip is no disagreement: a handshake's own work is in the interval only in part. */
const slack = 0.1;

/** Where the slope is not the round trips that the flights say. */
function disagreements(rows: readonly DistanceRow[]): string[] {
  return rows.flatMap(({ connection, expected, slope }) => {
    if (expected === null || slope === null) return [];
    if (slope.lo - slack <= expected && expected <= slope.hi + slack) return [];
    return [
      `${connectionTitles[connection]} should take ${expected} round trips by its flights, but took ${printTrips(slope)}.`,
    ];
  });
}

/** `3.01 (2.99 to 3.04)`. */
export function printTrips({ center, lo, hi }: Estimate): string {
  return `${printNumber(center, 2)} (${printNumber(lo, 2)} to ${printNumber(hi, 2)})`;
}

/** `121.3 (121.1 to 121.8)`. */
export function printMsEstimate({ center, lo, hi }: Estimate): string {
  return `${printMsNumber(center)} (${printMsNumber(lo)} to ${printMsNumber(hi)})`;
}
