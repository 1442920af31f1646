import { z } from 'zod';
import { describe, requestSchemas } from '../../base/option-schema.ts';
import { type BySide, bySide, type KnownSide, type Transport } from '../../base/transport.ts';
import { armSchema, bySideSchema, knownSideSchema } from '../../base/transport-schema.ts';
import { countSchema, estimateSchema, nonNegativeSchema, permalinkIdSchema } from '../../base/units.ts';
import { documentFrame, seedSchema } from '../../measurement/measurement.ts';
import { browserActionSchema, stuckSchema } from '../../scenario/browser-actions.ts';
import { targetRequestSchema } from '../../target/target.ts';
import { verdictOutcomeSchema } from '../comparison/comparison.ts';
import { linkRequestSchema, measuredLinkSchema } from '../comparison/link.ts';
import { linkWord } from '../comparison/link-text.ts';
import { type VisitProtocol, visitProtocolNames, visitsTable } from './options.ts';

/** One visit of a side, page by page and request by request, and what its pages looked like on the way. */

/** The parts of a request in their order; those that did not take place are 0. */
const requestParts = ['queuedUs', 'dnsUs', 'connectUs', 'tlsUs', 'waitUs', 'receiveUs'] as const;
type RequestPart = (typeof requestParts)[number];

/** Beyond these, requests are counted. Most pages have fewer, and a document must stay small. */
export const mostRequests = 40;
export const mostPages = 6;
/** Largest number of pictures of one page, and size of each in bytes of JPEG. */
export const mostFrames = 6;
export const mostFrameBytes = 20_000;
/** Largest size of all pictures of a side. */
export const mostFilmBytes = 150_000;

const pageRequestSchema = z.strictObject({
  /** Path without its query, with the host where it is another one. */
  name: z.string(),
  /** Such as `document`, `script`. */
  type: z.string(),
  protocol: z.string(),
  status: countSchema,
  /** Whether no request left the browser. */
  cached: z.boolean(),
  bytes: countSchema,
  /** From the start of the page's navigation. */
  startUs: nonNegativeSchema,
  ...(Object.fromEntries(requestParts.map((part) => [part, nonNegativeSchema])) as Record<
    RequestPart,
    typeof nonNegativeSchema
  >),
});
export type PageRequest = z.infer<typeof pageRequestSchema>;

/** From the start of the navigation; null where nothing was painted. */
export const visitTimesSchema = z.strictObject({
  ttfbUs: nonNegativeSchema,
  fcpUs: nonNegativeSchema.nullable(),
  lcpUs: nonNegativeSchema.nullable(),
  loadUs: nonNegativeSchema,
});

const visitedPageSchema = z.strictObject({
  /** Without its query. */
  path: z.string(),
  ...visitTimesSchema.shape,
  requests: z.array(pageRequestSchema).max(mostRequests),
  /** How many more there were. */
  more: countSchema,
});
export type VisitedPage = z.infer<typeof visitedPageSchema>;

const pagesSchema = z.array(visitedPageSchema).max(mostPages);

const waterfallSchema = z.strictObject({
  ...{ cold: pagesSchema, warm: pagesSchema },
  resumed: pagesSchema.optional(),
});
export type Waterfall = z.infer<typeof waterfallSchema>;

/** Pictures of each page of the first visit, each with the time from which the page looked like it. */
const filmSchema = z
  .array(
    z.strictObject({
      path: z.string(),
      frames: z
        .array(
          z.strictObject({
            /** From the start of the page's navigation. */
            atUs: nonNegativeSchema,
            /** JPEG in Base64. */
            picture: z.base64(),
          }),
        )
        .max(mostFrames),
    }),
  )
  .max(mostPages);
export type Film = z.infer<typeof filmSchema>;

/** Visits of a browser: the same journey over both transports, in turns. They show the cost of TLS to a visitor. */

/** One journey through all its pages. Times are sums over the documents, each from the start of its navigation. */
const passSchema = visitTimesSchema.extend({
  documents: countSchema,
  requests: countSchema,
  /** Encoded bytes with headers, inside TLS. */
  bytes: countSchema,
  /** Requests that the browser answered from its cache, or that came back as 304. */
  cacheHits: countSchema,
  /** Connections that were opened, of the origin; absent in visits before they were counted. */
  connections: countSchema.optional(),
  /** CPU of the server's processes during the journey; absent where they cannot be read. */
  serverCpuUs: nonNegativeSchema.optional(),
  /** Whether the server resumed a TLS session for it, by its own account; absent where it does not say. */
  tlsResumed: z.boolean().optional(),
});
export type Pass = z.infer<typeof passSchema>;

/**
 * Passes of one visitor: with an empty cache; immediately after, with the cache and the connections of the first; and if asked for,
 * once the server has closed the connections.
 */
const visitSchema = z.strictObject({
  ...{ arm: armSchema, cold: passSchema, warm: passSchema },
  resumed: passSchema.optional(),
});
export type Visit = z.infer<typeof visitSchema>;

/** Properties of a side's answers: only if they are the same, TLS alone is compared. */
const spokenSchema = z.strictObject({
  protocols: z.array(z.string()),
  encodings: z.array(z.string()),
  /** TLS as Chromium names it; null without TLS. */
  tls: z.strictObject({ protocol: z.string(), cipher: z.string(), group: z.string() }).nullable(),
  /** Absent if the scripts were not watched. */
  scripts: z
    .strictObject({
      /** Whether all documents were secure contexts (`isSecureContext`). */
      secureContext: z.boolean(),
      /** APIs that only secure contexts have, and that scripts used, such as `crypto.subtle`. */
      used: z.array(z.string()),
    })
    .optional(),
});
export type Spoken = z.infer<typeof spokenSchema>;

/** Index of the link that it was measured over; absent for loopback itself. */
const linkPlace = { link: countSchema.optional() };

export const visitsBlockSchema = z.strictObject({
  /** A letter a visit: A baseline, B comparison, N twin. */
  order: z.string(),
  visits: z.array(visitSchema),
  /** Why it does not count; null when it does. */
  dropped: z.string().nullable(),
  ...linkPlace,
});
export type VisitsBlock = z.infer<typeof visitsBlockSchema>;

export const passKinds = ['cold', 'warm', 'resumed'] as const;
export type PassKind = (typeof passKinds)[number];

/** Passes of each visit. */
export function passesOf({ resumed }: Pick<VisitsRequest, 'resumed'>): PassKind[] {
  return passKinds.filter((pass) => resumed || pass !== 'resumed');
}

export const passTitles: Record<PassKind, string> = {
  ...{ cold: 'First visit', warm: 'Second visit', resumed: 'Resumed visit' },
};

export const visitTimes = ['ttfbUs', 'fcpUs', 'lcpUs', 'loadUs'] as const;
export type VisitTime = (typeof visitTimes)[number];
/** Each has a row per pass. Server CPU has one where it was read. */
export const visitQuantities = [...visitTimes, 'serverCpuUs'] as const;
export type VisitQuantity = (typeof visitQuantities)[number];

export const visitTimeTitles: Record<VisitQuantity, string> = {
  ttfbUs: 'Time to first byte',
  fcpUs: 'First contentful paint',
  lcpUs: 'Largest contentful paint',
  loadUs: 'Load',
  serverCpuUs: 'Server CPU',
};

export function timeInSentence(time: VisitQuantity): string {
  return time === 'serverCpuUs' ? 'server CPU' : visitTimeTitles[time].toLowerCase();
}

const visitRowSchema = z.strictObject({
  pass: z.enum(passKinds),
  time: z.enum(visitQuantities),
  /** Medians over the visits, in µs. */
  baseline: estimateSchema.nullable(),
  comparison: estimateSchema.nullable(),
  delta: estimateSchema.nullable(),
  ratio: estimateSchema.nullable(),
  /** Ratio of the twin, a second listener like the baseline's, in the same blocks. */
  twinRatio: estimateSchema.nullable(),
  /** Comparison divided by baseline, for each block. */
  pairs: z.array(z.number()),
  outcome: verdictOutcomeSchema,
  reasons: z.array(z.string()),
  ...linkPlace,
});
export type VisitRow = z.infer<typeof visitRowSchema>;

export const visitsRequestSchema = z.strictObject({
  kind: z.literal('visits'),
  target: targetRequestSchema.default({ kind: 'storefront' }),
  /** Null: the storefront is searched. */
  journey: z
    .strictObject({
      name: z.string().trim().min(1).max(100),
      actions: z.array(browserActionSchema).min(1).max(500),
      /** Id of the stored scenario that it comes from. */
      scenario: permalinkIdSchema.nullable().default(null),
    })
    .nullable()
    .default(null),
  ...requestSchemas(visitsTable),
  /** Paths, such as `"100ms,1%"` or `{"roundTripMs": 100}`; none for loopback itself. */
  links: describe(
    visitsTable.links,
    z
      .array(linkRequestSchema)
      .max(visitsTable.links.most)
      .refine((links) => new Set(links.map(linkWord)).size === links.length, 'each link is named once')
      .default(() => []),
  ),
});
export type VisitsRequest = z.infer<typeof visitsRequestSchema>;

/** Facts about visits, without their blocks. */
export const visitsFactsSchema = z.strictObject({
  /** Seed of the order of the visits. */
  seed: seedSchema,
  /** Name and version; empty before it has begun. */
  browser: z.string(),
  /** Properties of each side's answers; null before anything was visited. */
  spoken: bySideSchema(spokenSchema).nullable(),
  /** Responses of all visits to each side that came over the network, by protocol: icons and the browser's other wishes too. */
  arrived: bySideSchema(z.record(z.string(), countSchema)).optional(),
  /** Whether the twin is a process of its own. */
  ownTwin: z.boolean(),
  /** Visit of each side whose first load is nearest to the median; absent before there is one. */
  waterfalls: bySideSchema(waterfallSchema).optional(),
  /** The request's links as they were measured. */
  links: z.array(measuredLinkSchema).optional(),
  /** Left out before it was made, and where it would show a secret. */
  film: bySideSchema(filmSchema).optional(),
  /** Why there is none, in a sentence. */
  unfilmed: z.string().optional(),
  /** Place where a visit got stuck; the last if there were several. */
  stuck: stuckSchema.optional(),
});
export type VisitsFacts = z.infer<typeof visitsFactsSchema>;

/** Bumped when the stored document changes shape. */
const visitsSchemaVersion = 1;

/** Document at the permalink. */
export const visitsDocumentSchema = z.strictObject({
  schemaVersion: z.literal(visitsSchemaVersion),
  ...documentFrame,
  kind: z.literal('visits'),
  request: visitsRequestSchema,
  ...visitsFactsSchema.omit({ ownTwin: true, unfilmed: true }).shape,
  sides: bySideSchema(knownSideSchema),
  rows: z.array(visitRowSchema),
  blocks: z.array(visitsBlockSchema),
  /** Sentences: what was compared, and what was counted. */
  notes: z.array(z.string()),
});
export type VisitsDocument = z.infer<typeof visitsDocumentSchema>;

/** All that a screen or a report shows of it. */
export type VisitsFigures = Pick<
  VisitsDocument,
  | 'sides'
  | 'rows'
  | 'blocks'
  | 'notes'
  | 'browser'
  | 'seed'
  | 'request'
  | 'spoken'
  | 'links'
  | 'waterfalls'
  | 'film'
>;

/** Seconds after which idle connections are closed for visitors who come back then: longer than a page pauses between its requests. */
export function idleOf({ resumed, links }: VisitsRequest): number | undefined {
  const longestMs = Math.max(0, ...links.map(({ roundTripMs }) => roundTripMs));
  return resumed ? Math.ceil(3 + (3 * longestMs) / 1000) : undefined;
}

export function journeyName({ journey, target, objects }: VisitsRequest): string {
  if (journey !== null) return journey.name;
  if (target.kind !== 'managed') return 'Search';
  return objects === 1 ? 'A page with 1 object' : `A page with ${objects} objects`;
}

/**
 * The sides as results know them. HTTP/3 is no transport of its own here: its side is a server of HTTP/2 that answers over UDP too,
 * which the browser is told to use alone.
 */
export function sidesOfVisits(request: Pick<VisitsRequest, 'baseline' | 'comparison'>): BySide<KnownSide> {
  return bySide((side) => {
    const protocol = request[side];
    const name = protocol === 'h2' || protocol === 'h3' ? { name: visitProtocolNames[protocol] } : {};
    return { transport: transportOf(protocol), ...name };
  });
}

function transportOf(protocol: VisitProtocol): Transport {
  return protocol === 'h3' ? 'h2' : protocol;
}
