import { z } from 'zod';
import { countSchema, nonNegativeSchema } from '../../base/units.ts';

/** One visit of a side, page by page and request by request, and what its pages looked like on the way. */

/** The parts of a request in their order; those that did not take place are 0. */
const requestParts = ['queuedUs', 'dnsUs', 'connectUs', 'tlsUs', 'waitUs', 'receiveUs'] as const;
type RequestPart = (typeof requestParts)[number];

/** Beyond these, requests are counted. Most pages have fewer, and a document must stay small. */
export const mostRequests = 40;
export const mostPages = 6;
/** Of the pictures of one page, and of each in bytes of JPEG. */
export const mostFrames = 6;
export const mostFrameBytes = 20_000;
/** Of all pictures of a side. */
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

export const waterfallSchema = z.strictObject({ cold: pagesSchema, warm: pagesSchema });
export type Waterfall = z.infer<typeof waterfallSchema>;

/** Of each page of the first visit, what it looked like from when on. */
export const filmSchema = z
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
