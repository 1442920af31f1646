import { z } from 'zod';
import { requestSchemas } from '../../base/option-schema.ts';
import { countSchema, estimateSchema, nonNegativeSchema } from '../../base/units.ts';
import { cellsEventsSchema, documentFrame, seedSchema } from '../../measurement/measurement.ts';
import { speedOptions, speedTable } from './options.ts';

/** The speed table: what the primitives of TLS cost by themselves, in this runtime and in `openssl speed`. */

/** Bytes of one block. */
export const speedSizes = [16, 64, 256, 1024, 8192, 16_384] as const;

export const primitiveGroups = ['digest', 'cipher', 'signature', 'agreement', 'kem'] as const;
const primitiveGroupSchema = z.enum(primitiveGroups);
export type PrimitiveGroup = z.infer<typeof primitiveGroupSchema>;

export const primitiveGroupTitles: Record<PrimitiveGroup, string> = {
  digest: 'Digests and message authentication codes',
  cipher: 'Ciphers',
  signature: 'Signatures',
  agreement: 'Key agreement',
  kem: 'Key encapsulation',
};

/** `client` and `server` are what each end of a handshake does for its share of a hybrid group. */
const speedOperations = [
  'digest',
  'encrypt',
  'sign',
  'verify',
  'generate',
  'agree',
  'encapsulate',
  'decapsulate',
  'client',
  'server',
] as const;
const speedOperationSchema = z.enum(speedOperations);
export type SpeedOperation = z.infer<typeof speedOperationSchema>;

/** Number of calls of a primitive, and the CPU time that they took together. */
export const timedSchema = z.strictObject({
  operation: speedOperationSchema,
  calls: countSchema,
  cpuUs: nonNegativeSchema,
});
export type Timed = z.infer<typeof timedSchema>;

export const speedRequestSchema = z.strictObject({
  kind: z.literal('speed'),
  ...requestSchemas(speedTable),
});
export type SpeedRequest = z.infer<typeof speedRequestSchema>;
export type SpeedRequestInput = z.input<typeof speedRequestSchema>;

const referenceSchema = z.discriminatedUnion('status', [
  z.strictObject({
    status: z.literal('measured'),
    operationsPerS: estimateSchema,
    /** Operations a second here divided by those of `openssl speed` in the same round; null with fewer than six rounds. */
    ratio: estimateSchema.nullable(),
  }),
  z.strictObject({ status: z.literal('missing'), reason: z.string() }),
]);
export type SpeedReference = z.infer<typeof referenceSchema>;

const speedRowSchema = z.strictObject({
  /** `SHA-256/digest/1024`, `RSA-2048/sign`: the same in every document. */
  id: z.string(),
  primitive: z.string(),
  group: primitiveGroupSchema,
  operation: speedOperationSchema,
  /** Size of one block; null if there are no sizes. */
  bytes: z.int().positive().nullable(),
  /** Per second of CPU time: median of the rounds, with its interval. */
  operationsPerS: estimateSchema,
  bytesPerS: estimateSchema.nullable(),
  openssl: referenceSchema,
  /** Ids of the rows whose times were added up to this one; null when it was measured itself. */
  sumOf: z.array(z.string()).nullable(),
  /** Reason why it is more than 10 % slower than `openssl speed`, with the figures. */
  explanation: z.string().nullable(),
});
export type SpeedRow = z.infer<typeof speedRowSchema>;

/** Time of one call = `callUs` + bytes × `nsPerByte`, fitted to the medians of the sizes. */
const costSchema = z.strictObject({ callUs: z.number(), nsPerByte: z.number() });
export type CallCost = z.infer<typeof costSchema>;

const speedCostSchema = z.strictObject({
  primitive: z.string(),
  operation: speedOperationSchema,
  /** Null where no such line comes near enough to every size. */
  node: costSchema.nullable(),
  openssl: costSchema.nullable(),
});
export type SpeedCost = z.infer<typeof speedCostSchema>;

/** Facts of a speed measurement that are known while it goes on, and remain in its result. */
const speedFacts = {
  seed: seedSchema,
  plan: z.strictObject({
    primitives: countSchema,
    rounds: countSchema,
    roundsPlanned: countSchema,
    /** CPU time of one measurement in a round. */
    sliceMs: nonNegativeSchema,
    opensslSliceMs: nonNegativeSchema,
  }),
  rows: z.array(speedRowSchema),
  costs: z.array(speedCostSchema),
  /** Cost of a signature's call with nothing to verify, by primitive, in microseconds. */
  emptyCalls: z.array(z.strictObject({ primitive: z.string(), callUs: nonNegativeSchema })),
  /** Primitives that the library lacks, with its own words as the reason. */
  unavailable: z.array(
    z.strictObject({ primitive: z.string(), group: primitiveGroupSchema, reason: z.string() }),
  ),
  /** Its version as it prints it; null when there is none, or it was not asked for. */
  opensslProgram: z.string().nullable(),
  warnings: z.array(z.string()),
};
export const speedFactsSchema = z.strictObject(speedFacts);
export type SpeedFacts = z.infer<typeof speedFactsSchema>;

/** Bumped when the stored document changes shape. */
export const speedSchemaVersion = 1;

/** Document at the permalink. */
export const speedDocumentSchema = z.strictObject({
  schemaVersion: z.literal(speedSchemaVersion),
  ...documentFrame,
  kind: z.literal('speed'),
  request: speedRequestSchema,
  ...speedFacts,
});
export type SpeedDocument = z.infer<typeof speedDocumentSchema>;

/** Schemas of the kind, which stores no blocks; its command line is its table of options. */
export const speed = {
  request: speedRequestSchema,
  facts: speedFactsSchema,
  block: z.never(),
  document: speedDocumentSchema,
  event: cellsEventsSchema,
  command: {
    options: speedOptions,
    help: 'Measures the primitives of TLS: digests and ciphers at six sizes, signatures, key agreement and key encapsulation. Where the openssl program is installed, openssl speed measures the same primitives alternately.',
  },
};
