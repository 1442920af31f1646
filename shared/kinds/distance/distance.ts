import { z } from 'zod';
import { describe, requestSchemas } from '../../base/option-schema.ts';
import { countSchema } from '../../base/units.ts';
import { documentFrame, seedSchema } from '../../measurement/measurement.ts';
import { estimateSchema } from '../comparison/comparison.ts';
import { linkRequestSchema, measuredLinkSchema } from '../comparison/link.ts';
import { linkWord } from '../comparison/link-text.ts';
import { type HandshakeCell, handshakeCellSchema } from '../handshakes/handshakes.ts';
import { distanceTable } from './options.ts';

/** What a new connection costs at a distance: from its beginning to the first byte of the answer, over links. */

export const distanceSchemaVersion = 1;

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
  /** What of it is more than without a link in the same round, in round trips as the link made them. */
  roundTrips: estimateSchema.nullable(),
  /** More than TCP without TLS in the same round, in ms; null for TCP itself. */
  overTcpMs: estimateSchema.nullable(),
});
export type DistancePlace = z.infer<typeof distancePlaceSchema>;

const distanceRowSchema = z.strictObject({
  connection: z.enum(connectionNames),
  /** Of the handshake, on the wire; 0 without TLS. */
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
export const distanceFactsSchema = z.strictObject(distanceFacts);
export type DistanceFacts = z.infer<typeof distanceFactsSchema>;

/** What stands at the permalink. */
export const distanceDocumentSchema = z.strictObject({
  schemaVersion: z.literal(distanceSchemaVersion),
  ...documentFrame,
  kind: z.literal('distance'),
  request: distanceRequestSchema,
  ...distanceFacts,
});
export type DistanceDocument = z.infer<typeof distanceDocumentSchema>;
