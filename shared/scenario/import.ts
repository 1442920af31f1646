import { z } from 'zod';
import { browserActionSchema, stuckSchema } from './browser-actions.ts';
import { extractionSchema, methodSchema, scenarioSchema } from './scenario.ts';

/** Site for which requests were recorded or written: the demo shop, or an origin. */
export const siteSchema = z.union([
  z.literal('storefront'),
  z.string().max(300).refine(isOrigin, 'must be "storefront" or an origin such as http://127.0.0.1:8080'),
]);
export type Site = z.infer<typeof siteSchema>;

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.parse(text)?.origin === text;
}

/** Exchanges between a browser and its servers, in the order in which the requests left. */

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

/** Part of a source without a place in a recording, a scenario, or a list of actions. */
export const unsupportedSchema = z.strictObject({
  /** The line of a text, the entry of a HAR, the step of a DevTools recording, from 1. Null: the whole of it. */
  line: z.int().positive().nullable(),
  reason: z.string(),
});
export type Unsupported = z.infer<typeof unsupportedSchema>;

export const recordingLimits = {
  exchanges: 10_000,
  /** Length of one response that is kept for correlation, in UTF-16 units. */
  responseBodyLength: 512 * 1024,
  /** Length of all such responses together. */
  responseBodiesLength: 16 * 1024 * 1024,
} as const;

/** The value of the first header of that name, in any case of its letters. */
export function headerOf(headers: RecordedHeaders, name: string): string | undefined {
  return headers.find(([candidate]) => candidate.toLowerCase() === name)?.[1];
}

/** Result of importing a file: a scenario, the parts that could not be imported, and the user's choices. */

const importFormats = ['har', 'playwright', 'devtools', 'curl', 'json'] as const;
export const importFormatSchema = z.enum(importFormats);
export type ImportFormat = z.infer<typeof importFormatSchema>;

/** Requests that did not become steps, and the switch that would have kept them. */
const leftOutSchema = z.strictObject({
  reason: z.enum(['static_file', 'third_party']),
  count: z.int().positive(),
  /** Hosts of third parties, types of static files; at most twenty. */
  what: z.array(z.string()).max(20),
});
export type LeftOut = z.infer<typeof leftOutSchema>;

export const usePlaces = ['path', 'query', 'form', 'json', 'header'] as const;

/** A value that a request sent and an earlier response had brought, letter by letter. */
const correlationSchema = z.strictObject({
  /** The rule, and the index of the step whose response has the value. */
  extract: extractionSchema,
  step: z.int().min(0),
  uses: z
    .array(
      z.strictObject({
        step: z.int().min(0),
        place: z.enum(usePlaces),
        /** The field, JSON path or header; the number of the segment, from 1, in a path. */
        name: z.string(),
      }),
    )
    .min(1),
  /** Whether the scenario has it: from the start when the value looks made by a machine. */
  accepted: z.boolean(),
});
export type Correlation = z.infer<typeof correlationSchema>;

/** A document and what it loaded. */
const pageGroupSchema = z.strictObject({
  name: z.string(),
  firstStep: z.int().min(0),
  steps: z.int().positive(),
  staticFiles: z.int().min(0),
  thirdParties: z.int().min(0),
});
export type PageGroup = z.infer<typeof pageGroupSchema>;

/** A value that stands as `${secret:name}` in everything that is kept, and is asked for at launch. */
const secretSchema = z.strictObject({
  name: z.string(),
  why: z.string(),
  /** Whether its value stays as it is in the source, because the user said so. Left out: that is not up to the user. */
  declined: z.boolean().optional(),
});
export type Secret = z.infer<typeof secretSchema>;

export const trafficChoicesSchema = z.strictObject({
  staticFiles: z.boolean().default(false),
  /** Steps have no host of their own, so a kept request of a third party goes to the target. */
  thirdParties: z.boolean().default(false),
  /** 1 keeps the pauses, 0.5 halves them, 0 removes them. */
  thinkTimeScale: z.number().min(0).max(100).default(1),
  /** Names of variables; left out: those that look made by a machine. */
  accepted: z.array(z.string()).optional(),
  /** Names of secrets that are none: their values stay in the scenario. */
  declined: z.array(z.string()).optional(),
});
export type TrafficChoices = z.infer<typeof trafficChoicesSchema>;

export const importReportSchema = z.strictObject({
  /** Or a recording in the dashboard. */
  format: z.enum([...importFormats, 'recording']),
  /** Null: nothing in it is a request by itself; the actions become requests when a browser replays them. */
  scenario: scenarioSchema.nullable(),
  /** Site of its first document; null if the source names none. */
  site: siteSchema.nullable(),
  actions: z.array(browserActionSchema),
  unsupported: z.array(unsupportedSchema),
  pages: z.array(pageGroupSchema),
  leftOut: z.array(leftOutSchema),
  correlations: z.array(correlationSchema),
  secrets: z.array(secretSchema),
  /** Sentences on what was changed or may surprise. */
  notes: z.array(z.string()),
  /** Action at which a replay got stuck; requests sent before that are kept. */
  stuck: stuckSchema.optional(),
});
export type ImportReport = z.infer<typeof importReportSchema>;
