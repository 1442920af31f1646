import { z } from 'zod';
import { bySideSchema, transportSchema } from '../../base/transport-schema.ts';
import { countSchema, nonNegativeSchema } from '../../base/units.ts';

/** Behavior of a real browser's cache with the storefront, cold and warm, over both transports. */

const cacheSourceSchema = z.enum(['network', 'cache', 'revalidated', 'not_stored']);
export type CacheSource = z.infer<typeof cacheSourceSchema>;

const cachedResourceSchema = z.strictObject({
  /** Path and query, without the origin. */
  path: z.string(),
  type: z.string(),
  status: z.int(),
  /**
   * `network`: fetched and storable. `cache`: no request left the browser. `revalidated`: the origin said 304.
   * `not_stored`: fetched, and its headers forbid storing it.
   */
  source: cacheSourceSchema,
  /** Encoded bytes that came over the network, headers included; 0 from the cache. */
  bytes: countSchema,
  contentEncoding: z.string(),
  cacheControl: z.string(),
  sensitive: z.boolean(),
});
export type CachedResource = z.infer<typeof cachedResourceSchema>;

const cacheVisitSchema = z.strictObject({
  requests: countSchema,
  fromNetwork: countSchema,
  fromCache: countSchema,
  revalidated: countSchema,
  notStored: countSchema,
  bytes: countSchema,
  /** Navigation start to the load event, summed over the pages. */
  loadMs: nonNegativeSchema,
  /**
   * One entry a path; the counts above are counts of these. A resource that several pages of the visit use is shown by its
   * use that reached furthest, with the bytes of all.
   */
  resources: z.array(cachedResourceSchema),
});
export type CacheVisit = z.infer<typeof cacheVisitSchema>;

const cacheSideSchema = z.strictObject({
  transport: transportSchema,
  cold: cacheVisitSchema,
  warm: cacheVisitSchema,
});
export type CacheSide = z.infer<typeof cacheSideSchema>;

export const cacheReportSchema = z.strictObject({
  /** Null when the section could not be measured; then `findings` says why. */
  ...bySideSchema(cacheSideSchema.nullable()).shape,
  browser: z.string().nullable(),
  findings: z.array(z.string()),
  /** The browser is still visiting. The sides come with the end of the run. */
  underWay: z.literal(true).optional(),
});
export type CacheReport = z.infer<typeof cacheReportSchema>;
