import { z } from 'zod';
import { armSchema, bySideSchema, transportSchema } from '../../base/transport-schema.ts';
import { countSchema, nonNegativeSchema, permalinkIdSchema } from '../../base/units.ts';
import { seedSchema } from '../../measurement/measurement.ts';
import { browserActionSchema } from '../../scenario/browser-actions.ts';
import { stuckSchema } from '../../scenario/stuck.ts';
import { targetRequestSchema } from '../../target/target.ts';
import { estimateSchema, verdictOutcomeSchema } from '../comparison/comparison.ts';
import { labFrame } from '../lab/lab-frame.ts';

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

/** What a side answered with: what is compared is TLS alone only when this is the same. */
export const spokenSchema = z.strictObject({
  protocols: z.array(z.string()),
  encodings: z.array(z.string()),
});
export type Spoken = z.infer<typeof spokenSchema>;

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
  baseline: estimateSchema.nullable(),
  comparison: estimateSchema.nullable(),
  delta: estimateSchema.nullable(),
  ratio: estimateSchema.nullable(),
  /** Of the twin, a second listener like the baseline's, in the same blocks. */
  twinRatio: estimateSchema.nullable(),
  outcome: verdictOutcomeSchema,
  reasons: z.array(z.string()),
});
export type JourneyRow = z.infer<typeof journeyRowSchema>;

export const browserRequestSchema = z.strictObject({
  kind: z.literal('journey'),
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
  /** Of six visits each: two for each of the baseline, the comparison and the twin. */
  blocks: z.int().min(6, 'an interval needs 6 blocks').max(40).default(10),
  seed: seedSchema.optional(),
});
export type BrowserRequest = z.infer<typeof browserRequestSchema>;
export type BrowserRequestInput = z.input<typeof browserRequestSchema>;

/** What is known of it beside its blocks. */
export const journeyFactsSchema = z.strictObject({
  seed: seedSchema,
  /** Name and version; empty before it has begun. */
  browser: z.string(),
  /** What each side spoke; null before anything was visited. */
  spoken: bySideSchema(spokenSchema).nullable(),
  /** Whether the twin is a process of its own. */
  ownTwin: z.boolean(),
  /** Where a visit came to a stop; of several the last. */
  stuck: stuckSchema.optional(),
});
export type JourneyFacts = z.infer<typeof journeyFactsSchema>;

/** What stands at the permalink. */
export const browserDocumentSchema = z.strictObject({
  ...labFrame,
  kind: z.literal('journey'),
  request: browserRequestSchema,
  /** Name and version; empty before it has begun. */
  browser: z.string(),
  sides: bySideSchema(z.strictObject({ transport: transportSchema })),
  rows: z.array(journeyRowSchema),
  blocks: z.array(journeyBlockSchema),
  stuck: stuckSchema.optional(),
  /** Sentences: what was compared, and what was counted. */
  notes: z.array(z.string()),
});
export type BrowserDocument = z.infer<typeof browserDocumentSchema>;

/** All that a screen or a report shows of it. */
export type BrowserFigures = Pick<
  BrowserDocument,
  'sides' | 'rows' | 'blocks' | 'notes' | 'browser' | 'seed' | 'request'
>;

export function journeyName({ journey }: BrowserRequest): string {
  return journey?.name ?? 'Search';
}
