import { z } from 'zod';
import { methodSchema } from './scenario.ts';

/** Where requests were recorded or written for: the built-in storefront, or an origin. */
export const siteSchema = z.union([
  z.literal('storefront'),
  z.string().max(300).refine(isOrigin, 'must be "storefront" or an origin such as http://127.0.0.1:8080'),
]);
export type Site = z.infer<typeof siteSchema>;

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.parse(text)?.origin === text;
}

/** What a browser and its servers said to each other, in the order in which the requests left. */

const resourceTypes = ['document', 'xhr', 'stylesheet', 'script', 'image', 'font', 'media', 'other'] as const;
const resourceTypeSchema = z.enum(resourceTypes);
export type ResourceType = z.infer<typeof resourceTypeSchema>;

const headersSchema = z.array(z.tuple([z.string(), z.string()])).max(200);
/** Names as sent, in their order; a name may come twice. */
export type RecordedHeaders = z.infer<typeof headersSchema>;

export const exchangeSchema = z.strictObject({
  /** Its place in the source, from 1: the entry of a HAR. */
  number: z.int().positive(),
  /** Since the first request of the recording. */
  startedAtMs: z.number().min(0),
  durationMs: z.number().min(0),
  method: methodSchema,
  /** Such as `https://shop.example:8443`. */
  origin: z.string(),
  /** Path and query as sent. Kept apart from the origin, as `${secret:…}` in it would not survive a URL parser. */
  path: z.string(),
  requestHeaders: headersSchema,
  requestBody: z.string().nullable(),
  status: z.int().min(100).max(599),
  responseHeaders: headersSchema,
  /** Null: none, binary, or not recorded. */
  responseBody: z.string().nullable(),
  resourceType: resourceTypeSchema,
});
export type Exchange = z.infer<typeof exchangeSchema>;

/** What of a source has no place in a recording, a scenario or a list of actions. */
export const unsupportedSchema = z.strictObject({
  /** The line of a text, the entry of a HAR, the step of a DevTools recording, from 1. Null: the whole of it. */
  line: z.int().positive().nullable(),
  reason: z.string(),
});
export type Unsupported = z.infer<typeof unsupportedSchema>;

export const recordingLimits = {
  exchanges: 10_000,
  /** Of one response that is kept for correlation, in UTF-16 units. */
  responseBodyLength: 512 * 1024,
  /** Of all such responses together. */
  responseBodiesLength: 16 * 1024 * 1024,
} as const;

/** The value of the first header of that name, in any case of its letters. */
export function headerOf(headers: RecordedHeaders, name: string): string | undefined {
  return headers.find(([candidate]) => candidate.toLowerCase() === name)?.[1];
}
