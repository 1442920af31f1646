import { z } from 'zod';
import { estimateSchema, verdictOutcomeSchema } from './comparison.ts';
import { environmentSchema } from './environment.ts';
import { armSchema } from './transport.ts';
import { countSchema, nonNegativeSchema } from './units.ts';

/** A browser run: the same journey in a real browser over both transports, in turns. What a visitor sees of TLS. */

/** One journey through all its pages. Times are sums over the documents, each from the start of its navigation. */
export const passSchema = z.strictObject({
  ttfbUs: nonNegativeSchema,
  /** Null where a document painted nothing. */
  fcpUs: nonNegativeSchema.nullable(),
  lcpUs: nonNegativeSchema.nullable(),
  loadUs: nonNegativeSchema,
  documents: countSchema,
  requests: countSchema,
  /** As encoded, with headers, inside TLS. */
  bytes: countSchema,
  /** Of the requests, those that the browser answered itself or that came back as 304. */
  cacheHits: countSchema,
});
export type Pass = z.infer<typeof passSchema>;

/** Two passes of one visitor: with an empty cache, then with what the first one left in it. */
export const journeyVisitSchema = z.strictObject({ arm: armSchema, cold: passSchema, warm: passSchema });
export type JourneyVisit = z.infer<typeof journeyVisitSchema>;

export const journeyBlockSchema = z.strictObject({
  /** A letter a visit: A baseline, B comparison, N twin. */
  order: z.string(),
  visits: z.array(journeyVisitSchema),
  /** Why it does not count; null when it does. */
  dropped: z.string().nullable(),
});
export type JourneyBlock = z.infer<typeof journeyBlockSchema>;

export const passKinds = ['cold', 'warm'] as const;
export type PassKind = (typeof passKinds)[number];
export const journeyTimes = ['ttfbUs', 'fcpUs', 'lcpUs', 'loadUs'] as const;
export type JourneyTime = (typeof journeyTimes)[number];

export const journeyTimeTitles: Record<JourneyTime, string> = {
  ttfbUs: 'Time to first byte',
  fcpUs: 'First contentful paint',
  lcpUs: 'Largest contentful paint',
  loadUs: 'Load',
};

export const journeyRowSchema = z.strictObject({
  pass: z.enum(passKinds),
  time: z.enum(journeyTimes),
  /** Medians over the visits, in µs. */
  http: estimateSchema.nullable(),
  https: estimateSchema.nullable(),
  delta: estimateSchema.nullable(),
  ratio: estimateSchema.nullable(),
  /** Of the twin, a second HTTP listener, in the same blocks. */
  nullRatio: estimateSchema.nullable(),
  outcome: verdictOutcomeSchema,
  reasons: z.array(z.string()),
});
export type JourneyRow = z.infer<typeof journeyRowSchema>;

export const browserRunSchema = z.strictObject({
  state: z.enum(['finished', 'incomplete']),
  startedAt: z.int(),
  endedAt: z.int(),
  seed: z.int(),
  journey: z.string(),
  target: z.string(),
  browser: z.string(),
  environment: environmentSchema,
  rows: z.array(journeyRowSchema),
  blocks: z.array(journeyBlockSchema),
  notes: z.array(z.string()),
});
export type BrowserRun = z.infer<typeof browserRunSchema>;
