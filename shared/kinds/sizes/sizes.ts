import { z } from 'zod';
import { capitalized } from '../../base/cut.ts';
import { exactSchemas, requestSchemas } from '../../base/option-schema.ts';
import { cipherNameSchema, negotiatedTlsSchema } from '../../base/tls-profile.ts';
import { countSchema, estimateSchema, nonNegativeSchema } from '../../base/units.ts';
import { estimateColumns, type HistoryView } from '../../measurement/history-view.ts';
import { documentFrame, seedSchema } from '../../measurement/measurement.ts';
import { measuredServerSchema, targetRequestSchema } from '../../target/target.ts';
import { placementSchema } from '../comparison/at-load.ts';
import { verdictOutcomeSchema } from '../comparison/comparison.ts';
import { hostUseSchema } from '../comparison/slot.ts';
import { sizesTable } from './options.ts';

/**
 * How the time of a request grows with its document. `straight`: T = Offset + Size/Rate, the study's line. `records`: the
 * same and a cost for each TLS record, T = Offset + Size/Rate + c·⌈Size/16384⌉.
 */

/** A TLS record holds up to 2^14 bytes of plaintext (RFC 8446, section 5.1). */
export const recordBytes = 16_384;

const sizeFormSchema = z.enum(['straight', 'records']);
export type SizeForm = z.infer<typeof sizeFormSchema>;

const sizeResidualSchema = z.strictObject({
  /** Bytes of the document. */
  size: z.int().positive(),
  /** Measured value less the line's value, in percent of the measured one. */
  percent: z.number(),
  /** Standard error of that over the rounds, in percentage points. */
  errorPercent: nonNegativeSchema,
});
export type SizeResidual = z.infer<typeof sizeResidualSchema>;

/** A line with 95 % intervals over the rounds. Times in µs of latency, or of server CPU. */
const sizeLineSchema = z.strictObject({
  form: sizeFormSchema,
  /** T of a document without bytes; with `records`, also without its first record. */
  offsetUs: estimateSchema,
  /** 1/Rate: what each byte adds. */
  usPerByte: estimateSchema,
  /** Rate in bytes per ms; null where the interval of 1/Rate reaches zero. */
  bytesPerMs: estimateSchema.nullable(),
  /** c, what each record adds; null for `straight`. */
  recordUs: estimateSchema.nullable(),
  /** Weighted: the share of Σ w(T − T̄)² that the line explains, w = 1/T². Null when every size takes the same time. */
  rSquared: z.number().nullable(),
  /** Akaike's criterion with the correction for few sizes, to choose between forms; null with too few sizes for it. */
  aicc: z.number().nullable(),
  residuals: z.array(sizeResidualSchema),
  /** F test of what the line misses against what varies between rounds; null where nothing is left to test with. */
  lackOfFit: z
    .strictObject({
      f: nonNegativeSchema,
      degrees: z.tuple([countSchema, countSchema]),
      pValue: z.number().min(0).max(1),
    })
    .nullable(),
  /** In sentences: why it does not hold over these sizes. Empty where it does. */
  refusals: z.array(z.string()),
});
export type SizeLine = z.infer<typeof sizeLineSchema>;

const sizeFitSchema = z.strictObject({
  straight: sizeLineSchema,
  /** Null without TLS, and where the sizes do not tell records from bytes. */
  records: sizeLineSchema.nullable(),
  /** The form with the lower criterion; a cost per record below zero is never chosen. */
  chosen: sizeFormSchema,
  /** Straight lines through the sizes up to 16 KiB and from 64 KiB on, if the chosen line is rejected. */
  pieces: z.array(sizeLineSchema),
});
export type SizeFit = z.infer<typeof sizeFitSchema>;

export type LineTerms = { offsetUs: number; usPerByte: number; recordUs: number | null };

/** T in µs of a document of `size` bytes. */
export function timeAt({ offsetUs, usPerByte, recordUs }: LineTerms, size: number): number {
  return offsetUs + size * usPerByte + (recordUs === null ? 0 : recordUs * Math.ceil(size / recordBytes));
}

export function chosenLine({ straight, records, chosen }: SizeFit): SizeLine {
  return chosen === 'records' && records !== null ? records : straight;
}

/**
 * Sizes: what a request takes by the size of its document, on an open connection, over HTTP and over
 * HTTPS with each chosen cipher suite: its latency with one user, its CPU at load. Sizes in bytes, times in µs.
 */

const documentSizeSchema = exactSchemas(sizesTable).sizes.element;

export const sizesRequestSchema = z.strictObject({
  kind: z.literal('sizes'),
  target: targetRequestSchema.prefault('nginx'),
  /** One https arm for each suite; null for the library's own choice. */
  ...requestSchemas(sizesTable),
});
export type SizesRequest = z.infer<typeof sizesRequestSchema>;
export type SizesRequestInput = z.input<typeof sizesRequestSchema>;

/** Load while CPU is read: all users on one arm at a time, as fast as they can. */
const sizesLoadSchema = z.strictObject({
  users: z.int().positive(),
  /** That the server's processes may run on; null where that is not known. */
  cores: z.int().positive().nullable(),
});

/** `http`, or the index of a suite in the request. */
export const sizeArmSchema = z.union([z.literal('http'), z.int().min(0).max(3)]);
export type SizeArm = z.infer<typeof sizeArmSchema>;

/** µs of latency: from the request's first byte sent to the answer's last byte read. */
const timesOfSize = {
  medianUs: nonNegativeSchema,
  p12_5: nonNegativeSchema,
  p87_5: nonNegativeSchema,
  p2_5: nonNegativeSchema,
  p97_5: nonNegativeSchema,
  /** Server CPU of one transaction at load; null where it cannot be read. */
  cpuUs: nonNegativeSchema.nullable(),
  atLoad: z.strictObject({
    transactions: countSchema,
    /** Cores that the server used meanwhile; null where its CPU cannot be read. */
    busyCores: nonNegativeSchema.nullable(),
  }),
};

/** One size over one arm, from all passes of a round. */
const roundPointSchema = z.strictObject({
  size: documentSizeSchema,
  arm: sizeArmSchema,
  /** Successful transactions of one user, in passes that were not set aside. */
  transactions: countSchema,
  ...timesOfSize,
});
export type RoundPoint = z.infer<typeof roundPointSchema>;

/** The second http listener against the first, the geometric mean over the sizes; null where it cannot be read. */
const twinRatiosSchema = z.strictObject({
  latency: z.number().positive().nullable(),
  cpu: z.number().positive().nullable(),
});
export type TwinRatios = z.infer<typeof twinRatiosSchema>;

/** A finished part of a sweep, as stored. */
export const sizeRoundSchema = z.strictObject({
  round: countSchema,
  /** Launch of the servers that it was measured on; rounds of one launch share their processes. */
  launch: countSchema.default(0),
  /** A visit that failed is not there. */
  points: z.array(roundPointSchema),
  twin: twinRatiosSchema,
  /** Share of the passes that the machine disturbed, of one user and at load, left out of every point. */
  asideShare: z.number().min(0).max(1),
  /** Null where it cannot be read. */
  machine: hostUseSchema.nullable(),
});
export type SizeRound = z.infer<typeof sizeRoundSchema>;

/** Facts about an arm, without its times. */
const armFactsSchema = z.strictObject({
  arm: sizeArmSchema,
  /** Requested suite; null for http and for the library's own choice. */
  suite: cipherNameSchema.nullable(),
  /** Null for http, and until a connection stands. */
  negotiated: negotiatedTlsSchema.nullable(),
  /** Median of opening a connection, TLS handshake included: in no other time here. Null until it is known. */
  connectUs: nonNegativeSchema.nullable(),
});
export type ArmFacts = z.infer<typeof armFactsSchema>;

export const sizesFactsSchema = z.strictObject({
  /** Seed of the order of the visits. */
  seed: seedSchema,
  /** Server of the first suite as found and configured; null for one that was running already, and until it has started. */
  server: measuredServerSchema.nullable(),
  /** Null until the servers have started. */
  load: sizesLoadSchema.nullable(),
  /** Placement of the first suite's servers; null if nothing was pinned, and until they have started. */
  placement: placementSchema.nullable(),
  /** http, then one for each suite. */
  arms: z.array(armFactsSchema),
  /** Speed of the link to the target; null on one machine and where it is not known. */
  linkBytesPerS: z.number().positive().nullable(),
  warnings: z.array(z.string()),
});
export type SizesFacts = z.infer<typeof sizesFactsSchema>;

/** One size over one arm, over all rounds. */
const sizePointSchema = z.strictObject({
  size: documentSizeSchema,
  rounds: countSchema,
  transactions: countSchema,
  /** Geometric means over the rounds of each round's median and percentiles; CPU is that of all transactions over their number. */
  ...timesOfSize,
});
export type SizePoint = z.infer<typeof sizePointSchema>;

const armResultSchema = armFactsSchema.extend({
  points: z.array(sizePointSchema),
  /** Null with fewer than three rounds or two sizes. */
  latency: sizeFitSchema.nullable(),
  /** Fit of server CPU at load. */
  cpu: sizeFitSchema.nullable(),
});
export type ArmResult = z.infer<typeof armResultSchema>;

/** How two lines differ. Intervals are paired: the same rounds on both sides. */
const lineDifferenceSchema = z.strictObject({
  /** Form of the https line; the http line is straight. */
  form: sizeFormSchema,
  /** Neither line is refused. */
  holds: z.boolean(),
  /** ΔOffset: what HTTPS adds to a request whatever its size, the first record included. */
  offsetUs: estimateSchema,
  /** Δ(1/Rate): what HTTPS adds for each byte, records included (c ÷ 16,384). */
  usPerByte: estimateSchema,
  /** 100·(1 − Rate of https ÷ Rate of http), records included; null where the interval of a 1/Rate reaches zero. */
  rateLossPercent: estimateSchema.nullable(),
});
export type LineDifference = z.infer<typeof lineDifferenceSchema>;

const crossoverSchema = z.strictObject({
  /** Overhead of HTTPS that it is about. */
  percent: z.number().positive(),
  /** `line`: from the chosen lines. `sizes`: from the measured sizes alone, where a line is refused. */
  by: z.enum(['line', 'sizes']),
  /** Smallest document from which on the overhead stays below, within the measured sizes; null when it never does. */
  bytes: nonNegativeSchema.nullable(),
  /** 95 %; null where it would leave the measured sizes. */
  interval: z.strictObject({ lo: nonNegativeSchema, hi: nonNegativeSchema }).nullable(),
});
export type Crossover = z.infer<typeof crossoverSchema>;

/** An https arm against http, in latency or in server CPU at load. */
const sizeOverheadSchema = z.strictObject({
  /** https divided by http, and https less http, size by size. */
  points: z.array(
    z.strictObject({ size: documentSizeSchema, ratio: estimateSchema, deltaUs: estimateSchema }),
  ),
  /** Difference with straight lines on both sides, the form that the study reports. */
  straight: lineDifferenceSchema,
  /** With the cost of records; null where the line chosen for https has none. */
  records: lineDifferenceSchema.nullable(),
  crossovers: z.array(crossoverSchema),
});
export type SizeOverhead = z.infer<typeof sizeOverheadSchema>;

const sizeComparisonSchema = z.strictObject({
  /** Index of its suite in the request. */
  arm: z.int().min(0).max(3),
  latency: sizeOverheadSchema.nullable(),
  cpu: sizeOverheadSchema.nullable(),
  verdict: z.strictObject({ sentence: z.string(), outcome: verdictOutcomeSchema }),
});
export type SizeComparison = z.infer<typeof sizeComparisonSchema>;

/** Bumped when the stored document changes shape. */
const sizesSchemaVersion = 1;

/** Document at the permalink. */
export const sizesDocumentSchema = z.strictObject({
  schemaVersion: z.literal(sizesSchemaVersion),
  ...documentFrame,
  kind: z.literal('sizes'),
  request: sizesRequestSchema,
  ...sizesFactsSchema.shape,
  /** http, then one for each suite. */
  arms: z.array(armResultSchema),
  /** Each https arm against http. Empty until three rounds are there. */
  comparisons: z.array(sizeComparisonSchema),
  /** The second http listener divided by the first, 95 % over the rounds; null with fewer than three. */
  twinRatios: z.strictObject({ latency: estimateSchema.nullable(), cpu: estimateSchema.nullable() }),
  /** Sizes that are in no line and no comparison, of any arm, so that all have the same. */
  leftOut: z.array(z.strictObject({ size: documentSizeSchema, reason: z.string() })),
  rounds: z.array(sizeRoundSchema),
});
/** Findings from the rounds. */
export type SizesFindings = Pick<SizesDocument, 'arms' | 'comparisons' | 'twinRatios' | 'leftOut'>;
export type SizesDocument = z.infer<typeof sizesDocumentSchema>;

/** The claims of each verdict one by one, so that the first of them is a headline. */
export function sizeSentences({ comparisons }: Pick<SizesDocument, 'comparisons'>): string[] {
  return comparisons.flatMap(({ verdict }) =>
    verdict.sentence.split('; ').map((claim) => capitalized(claim)),
  );
}

/** SQL view of the sizes of a sweep. */
export const sizesHistory: HistoryView = {
  name: 'v_sizes',
  table: 'size_figures',
  row: 'one row for each document size of a sweep, over HTTP and over each HTTPS suite',
  columns: [
    { name: 'target', type: 'text', about: 'Server started, or the two origins' },
    { name: 'transport', type: 'text', about: 'http or https' },
    { name: 'cipher', type: 'text', about: 'Cipher suite; null for http' },
    { name: 'size_bytes', type: 'integer', about: 'Size of the document' },
    { name: 'rounds', type: 'integer', about: 'Rounds that visited it' },
    { name: 'transactions', type: 'integer', about: 'Requests that succeeded' },
    { name: 'latency_us', type: 'real', about: 'Median latency, µs' },
    { name: 'latency_p2_5_us', type: 'real', about: '2.5th percentile, µs' },
    { name: 'latency_p12_5_us', type: 'real', about: '12.5th percentile, µs' },
    { name: 'latency_p87_5_us', type: 'real', about: '87.5th percentile, µs' },
    { name: 'latency_p97_5_us', type: 'real', about: '97.5th percentile, µs' },
    { name: 'cpu_us', type: 'real', about: 'Server CPU per request at full load, µs' },
    { name: 'connect_us', type: 'real', about: 'Opening a connection, handshake included, µs' },
    ...estimateColumns('latency_ratio', 'https divided by http; null for http'),
    ...estimateColumns('latency_delta_us', 'https minus http, µs; null for http'),
    ...estimateColumns('cpu_ratio', 'https divided by http; null for http'),
    ...estimateColumns('cpu_delta_us', 'https minus http, µs; null for http'),
  ],
};
