import { z } from 'zod';
import { errorGroupSchema } from '../../base/outcome.ts';
import { negotiatedTlsSchema } from '../../base/tls-profile.ts';
import { armSchema, transportSchema } from '../../base/transport-schema.ts';
import { countSchema, nonNegativeSchema } from '../../base/units.ts';
import { metricIdSchema } from './comparison.ts';
import { operatingPointSchema } from './load-profile.ts';

/** One uninterrupted window on one arm, as stored. */

const percentilesSchema = z.strictObject({
  count: countSchema,
  p50: nonNegativeSchema,
  p90: nonNegativeSchema,
  p99: nonNegativeSchema,
  max: nonNegativeSchema,
});
export type Percentiles = z.infer<typeof percentilesSchema>;

/**
 * Phases of a request: opening the connection, the TLS handshake on it, from sending to the first byte, and from there to the last. A phase
 * that did not happen (no new connection, no TLS) is null.
 */
export const phaseTimesSchema = z.strictObject({
  connectUs: percentilesSchema.nullable(),
  tlsUs: percentilesSchema.nullable(),
  ttfbUs: percentilesSchema.nullable(),
  downloadUs: percentilesSchema.nullable(),
});
export type PhaseTimes = z.infer<typeof phaseTimesSchema>;
export const phaseNames = phaseTimesSchema.keyof().options;
export type PhaseName = (typeof phaseNames)[number];

/** Times of one step: from its release, so connecting included, to its last byte, and the phases of that. */
export const stepTimesSchema = phaseTimesSchema.extend({ latencyUs: percentilesSchema });
export type StepTimes = z.infer<typeof stepTimesSchema>;

/** The generator's record. Times in µs; histograms in HdrHistogram's V2 compressed base64 form, one unit per µs. */
export const loadResultSchema = z.strictObject({
  /** From the first request to the last response, idle to idle. */
  elapsedUs: nonNegativeSchema,
  /** Length of the window that latency and throughput are read from. */
  windowUs: nonNegativeSchema,
  /** Transactions begun and, of those, succeeded, over the whole slot. */
  started: countSchema,
  succeeded: countSchema,
  /** Transactions that ended well inside the window. */
  succeededInWindow: countSchema,
  /** Arrivals due in the whole slot at the steady point; null in closed loop. */
  due: countSchema.nullable(),
  requests: countSchema,
  /** Connections that the server closed after about a second or more without a request; left out for none. */
  idleCloses: countSchema.optional(),
  wireBytesRead: countSchema,
  wireBytesWritten: countSchema,
  bodyBytes: countSchema,
  connectionsOpened: countSchema,
  handshakesFull: countSchema,
  handshakesResumed: countSchema,
  /** Handshakes that the server asked for on connections that stood already. */
  renegotiations: countSchema,
  /** The same since the generator was pointed at the target: warm-up and earlier slots included. */
  lifetime: z.strictObject({
    connectionsOpened: countSchema,
    handshakesFull: countSchema,
    handshakesResumed: countSchema,
    renegotiations: countSchema,
  }),
  negotiated: negotiatedTlsSchema.nullable(),
  errors: z.array(errorGroupSchema),
  /** From release to the last byte, a transaction; of one that was due and never begun, what it waited. */
  latencyUs: percentilesSchema,
  /** Empty at load. */
  latencyHistogram: z.string(),
  /** From due to the last byte, a transaction; equal to latency in closed loop. */
  latencyFromDueUs: percentilesSchema,
  /** From due to sent. */
  latenessUs: percentilesSchema,
  /** A request, over all steps. */
  ttfbUs: percentilesSchema,
  /** A transaction: the phases of its requests, summed. Null where the load generator does not tell them apart. */
  phases: phaseTimesSchema.nullable(),
  phaseHistograms: z
    .strictObject({
      connectUs: z.string().nullable(),
      tlsUs: z.string().nullable(),
      ttfbUs: z.string().nullable(),
      downloadUs: z.string().nullable(),
    })
    .nullable(),
  /** Mean of the application's own time for a transaction; null when it reports none. */
  executionTimeUs: nonNegativeSchema.nullable(),
  steps: z.array(stepTimesSchema),
  /** CPU of all processes of the generator, and of the busiest of them. */
  generatorCpuUs: nonNegativeSchema,
  generatorBusiestUs: nonNegativeSchema,
});
export type LoadResult = z.infer<typeof loadResultSchema>;

/** The target's process tree over the slot, idle to idle; its CPU with that of the programs that work for it. A null says that the platform or the owner does not let it be read. */
const resourceUseSchema = z.strictObject({
  source: z.enum(['proc', 'ipc']),
  wallUs: nonNegativeSchema,
  cpuUs: nonNegativeSchema,
  /** Share of the busiest program, if several work for a request. */
  busiestUs: nonNegativeSchema.optional(),
  /** The same from the kernel's 10 ms ticks, to check against. */
  cpuTickUs: nonNegativeSchema.nullable(),
  /** Steps in which it was read, where they are coarser than the kernel's own. */
  cpuStepUs: nonNegativeSchema.optional(),
  /** The same as the target itself reports it. */
  cpuWitnessUs: nonNegativeSchema.nullable(),
  rssPeakBytes: countSchema,
  memoryStartBytes: countSchema,
  memoryEndBytes: countSchema,
  diskReadBytes: countSchema.nullable(),
  diskWriteBytes: countSchema.nullable(),
  processes: countSchema,
  /** Threads that used over 5 % of a core while the arm was loaded; absent where they were not read. */
  busyThreads: countSchema.optional(),
});
export type ResourceUse = z.infer<typeof resourceUseSchema>;

/** The machine over the slot, as shares of all its cores. */
export const hostUseSchema = z.strictObject({
  stealRatio: nonNegativeSchema,
  /** Busy time that belongs neither to the target, nor the generator, nor this server. */
  foreignRatio: nonNegativeSchema,
});
export type HostUse = z.infer<typeof hostUseSchema>;

export const slotSchema = z.strictObject({
  arm: armSchema,
  transport: transportSchema,
  point: operatingPointSchema,
  /** Since the run started. */
  startedAtMs: nonNegativeSchema,
  load: loadResultSchema,
  target: resourceUseSchema.nullable(),
  host: hostUseSchema.nullable(),
  /** Memory and CPU over the slot, for the charts. */
  curve: z.array(
    z.strictObject({ atMs: nonNegativeSchema, rssBytes: countSchema, cpuPercent: nonNegativeSchema }),
  ),
  /** This slot's value of each metric that it can give. */
  values: z.partialRecord(metricIdSchema, z.number()),
});
export type Slot = z.infer<typeof slotSchema>;
/** The same of whatever arms a plan declares. */
export type SlotOf<Name extends string> = Omit<Slot, 'arm'> & { arm: Name };
