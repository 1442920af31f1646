import { z } from 'zod';
import { exactly, excludes, mapEstimate } from '../../base/estimate-arithmetic.ts';
import { describe, requestSchemas } from '../../base/option-schema.ts';
import { printMs, printMsNumber, printNumber } from '../../base/quantity.ts';
import { countSchema, type Estimate, estimateSchema } from '../../base/units.ts';
import { documentFrame, type Headline, lifeEventSchema, seedSchema } from '../../measurement/measurement.ts';
import { linkInWords, linkRequestSchema, measuredLinkSchema } from '../comparison/link.ts';
import { linkWord } from '../comparison/link-text.ts';
import { printDifferenceOf } from '../comparison/shift.ts';
import { type HandshakeCell, handshakeCellSchema } from '../handshakes/handshakes.ts';
import { distanceOptions, distanceTable } from './options.ts';

/** Cost of a new connection at a distance: from its beginning to the first byte of the answer, over links. */

const distanceSchemaVersion = 1;

export const connectionNames = ['tcp', 'tls13', 'tls13-resumed', 'tls12', 'tls12-resumed'] as const;
export type ConnectionName = (typeof connectionNames)[number];

export const connectionTitles: Record<ConnectionName, string> = {
  tcp: 'TCP without TLS',
  tls13: 'TLS 1.3',
  'tls13-resumed': 'TLS 1.3, resumed',
  tls12: 'TLS 1.2',
  'tls12-resumed': 'TLS 1.2, resumed',
};

const tls13 = { version: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256' } as const;
const tls12 = { version: 'TLSv1.2', cipher: 'ECDHE-ECDSA-AES128-GCM-SHA256' } as const;

/** The handshake that a connection begins with; null without TLS. */
export const cellOf: Record<ConnectionName, HandshakeCell | null> = {
  tcp: null,
  tls13: cell(tls13, 'full'),
  'tls13-resumed': cell(tls13, 'resumed'),
  tls12: cell(tls12, 'full'),
  'tls12-resumed': cell(tls12, 'resumed'),
};

function cell(
  protocol: Pick<HandshakeCell, 'version' | 'cipher'>,
  resumption: HandshakeCell['resumption'],
): HandshakeCell {
  const id = [protocol.version, protocol.cipher, 'P-256', 'X25519', 1, resumption].join('/');
  return handshakeCellSchema.parse({ id, ...protocol, key: 'P-256', group: 'X25519', bytes: 1, resumption });
}

export const distanceRequestSchema = z.strictObject({
  kind: z.literal('distance'),
  ...requestSchemas(distanceTable),
  /** Paths, such as `"metro"`, `"25ms,50mbit"` or `{"roundTripMs": 25}`. */
  links: describe(
    distanceTable.links,
    z
      .array(linkRequestSchema)
      .min(1)
      .max(distanceTable.links.most)
      .refine((links) => new Set(links.map(linkWord)).size === links.length, 'each link is named once')
      .default(() => distanceTable.links.default.map((link) => ({ ...link }))),
  ),
});
export type DistanceRequest = z.infer<typeof distanceRequestSchema>;

/** One kind of connection over one link. */
const distancePlaceSchema = z.strictObject({
  /** Connections that were timed. */
  connections: countSchema,
  /** From the beginning to the first byte of the answer: median of the rounds, with its interval. */
  ms: estimateSchema.nullable(),
  /** Excess over the time without a link in the same round, in round trips as the link made them. */
  roundTrips: estimateSchema.nullable(),
  /** More than TCP without TLS in the same round, in ms; null for TCP itself. */
  overTcpMs: estimateSchema.nullable(),
});
export type DistancePlace = z.infer<typeof distancePlaceSchema>;

const distanceRowSchema = z.strictObject({
  connection: z.enum(connectionNames),
  /** Flights of the handshake, on the wire; 0 without TLS. */
  flights: countSchema,
  /** Round trips that it should take: TCP's, those of the flights, and the request's. Null where it was not negotiated. */
  expected: countSchema.nullable(),
  /** Without a link, on this machine. */
  here: distancePlaceSchema,
  /** On each link, in their order. */
  places: z.array(distancePlaceSchema),
  /** Milliseconds more for each millisecond of round trip: the slope of a line through all links. Null with one link. */
  slope: estimateSchema.nullable(),
  /** Why it could not be measured; null where it was. */
  reason: z.string().nullable(),
});
export type DistanceRow = z.infer<typeof distanceRowSchema>;

const distanceFacts = {
  seed: seedSchema,
  plan: z.strictObject({ rounds: countSchema, roundsPlanned: countSchema, connections: countSchema }),
  links: z.array(measuredLinkSchema),
  rows: z.array(distanceRowSchema),
  warnings: z.array(z.string()),
};
const distanceFactsSchema = z.strictObject(distanceFacts);
export type DistanceFacts = z.infer<typeof distanceFactsSchema>;

/** Document at the permalink. */
export const distanceDocumentSchema = z.strictObject({
  schemaVersion: z.literal(distanceSchemaVersion),
  ...documentFrame,
  kind: z.literal('distance'),
  request: distanceRequestSchema,
  ...distanceFacts,
});
export type DistanceDocument = z.infer<typeof distanceDocumentSchema>;

/** Findings in sentences: the same on the page, in Markdown, and in a terminal. */

type Found = Pick<DistanceDocument, 'links' | 'rows'>;

/** Place of the longest link. */
export function farthestOf(links: Found['links']): number {
  const roundTrips = links.map(({ roundTripMs }) => roundTripMs);
  return roundTrips.indexOf(Math.max(...roundTrips));
}

/** A connection over the longest link. */
function placeAt({ links, rows }: Found, name: DistanceRow['connection']): DistancePlace | null {
  return rows.find(({ connection }) => connection === name)?.places[farthestOf(links)] ?? null;
}

/** Time that TLS adds on the longest link. Null while nothing was measured there. */
export function distanceHeadline(found: Found): Headline | null {
  const link = found.links[farthestOf(found.links)];
  const plain = placeAt(found, 'tcp')?.ms ?? null;
  const more = placeAt(found, 'tls13')?.overTcpMs ?? null;
  if (link === undefined || plain === null || more === null) return null;
  const us = (ms: number) => 1000 * ms;
  const printed = printDifferenceOf({
    ...{ unit: 'us', baseline: exactly(us(plain.center)), outcome: 'overhead' },
    comparison: exactly(us(plain.center + more.center)),
    delta: mapEstimate(more, us),
    ratio: mapEstimate(more, (ms) => 1 + ms / plain.center),
  });
  if (printed === null) return null;
  const delays =
    more.lo > 0
      ? `delays the first byte by ${printed.amount}`
      : more.hi < 0
        ? `brings the first byte ${printed.amount} sooner`
        : 'does not measurably delay the first byte';
  return {
    title: `At ${printNumber(link.roundTripMs, 0)} ms round trip, HTTPS ${delays}`,
    second: `${printed.change?.signed} (${printed.values}): ${tripsInWords(more.center / link.roundTripMs)}`,
    third: `95 % CI ${printed.ends} ${printed.symbol}, over ${linkInWords(link)}, with TLS 1.3.`,
  };
}

/** `one round trip`, `1.4 round trips`. */
function tripsInWords(trips: number): string {
  const whole = Math.round(trips);
  if (Math.abs(trips - whole) > slack) return `${printNumber(trips, 1)} round trips`;
  return whole === 1 ? 'one round trip' : `${whole === 0 ? 'no' : printNumber(whole, 0)} round trips`;
}

/** Findings below the headline. */
export function distanceSentences(found: Found): string[] {
  const older = placeAt(found, 'tls12')?.overTcpMs ?? null;
  const resumed = placeAt(found, 'tls12-resumed')?.overTcpMs ?? null;
  const { rows } = found;
  return [
    ...(older === null ? [] : [`TLS 1.2 adds ${addedTime(older)}${rangeOf(older)}.`]),
    ...(resumed === null
      ? []
      : [`TLS 1.2 adds ${addedTime(resumed)}${rangeOf(resumed)} when it resumes a session.`]),
    ...disagreements(rows),
  ];
}

/** No more than the interval says. */
function addedTime(more: Estimate): string {
  return excludes(more, 0) ? printMs(more.center) : 'no measurable time';
}

function rangeOf({ lo, hi }: Estimate): string {
  return ` (${printMsNumber(lo)} to ${printMsNumber(hi)} ms)`;
}

/** Tolerated difference in round trips: the interval includes a handshake's own work only in part. */
const slack = 0.1;

/** Sentences about connections whose slope differs from the round trips of their flights. */
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

/** Schemas of its request, document, and events; its command line is its table of options. */
export const distance = {
  request: distanceRequestSchema,
  facts: distanceFactsSchema,
  block: z.never(),
  document: distanceDocumentSchema,
  event: lifeEventSchema,
  command: {
    options: distanceOptions,
    help: 'Measures what a new connection costs at a distance: TCP, TLS 1.3 and TLS 1.2, full and resumed, over links of several round trips.',
  },
};
