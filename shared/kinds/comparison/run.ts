import { z } from 'zod';
import { negotiatedTlsSchema, tlsProfileSchema } from '../../base/tls-profile.ts';
import { sideNames } from '../../base/transport.ts';
import { armSchema, bySideSchema, knownSideSchema } from '../../base/transport-schema.ts';
import { countSchema, nonNegativeSchema, permalinkIdSchema } from '../../base/units.ts';
import { documentFrame, shownFrame } from '../../measurement/measurement.ts';
import { hostsUsedSchema } from '../../measurement/runner.ts';
import { scenarioSchema } from '../../scenario/scenario.ts';
import { preflightReportSchema } from '../../target/preflight.ts';
import { readingsSchema } from '../../target/readings.ts';
import { measuredServerSchema, targetSchema } from '../../target/target.ts';
import { atLoadSchema, placementSchema } from './at-load.ts';
import { blockSchema, runEventSchema, sideErrorSchema, windowSchema } from './block.ts';
import { cacheReportSchema } from './cache-report.ts';
import { metricComparisonSchema, verdictSchema } from './comparison.ts';
import { measuredLinkSchema, pathSchema } from './link.ts';
import { operatingPointSchema, planSchema } from './load-profile.ts';
import { pastSchema, poolSchema } from './past.ts';
import { begunSchema, loudProgramSchema, programCostSchema, programSchema, unseenSchema } from './program.ts';
import { runRequestSchema } from './run-request.ts';
import { loadResultSchema, phaseTimesSchema, slotSchema, stepTimesSchema } from './slot.ts';

/** A run is one whole paired comparison: what was asked, what happened, and the document at its permalink. */

const phases = [
  ...(['waiting for generators', 'starting', 'preflight', 'warm-up', 'finding the load'] as const),
  ...(['measuring', 'browser', 'analyzing'] as const),
] as const;
const phaseSchema = z.enum(phases);
export type Phase = z.infer<typeof phaseSchema>;

const askedSchema = runRequestSchema.omit({ kind: true, target: true, seed: true }).extend({
  /** Id of a stored one; null for the target's and for one that was sent along. */
  scenario: z.string().nullable(),
});

/** Bumped when the stored document changes shape. */
export const runSchemaVersion = 1;

const throttlingSchema = z.strictObject({ periods: countSchema, throttled: countSchema });
export type Throttling = z.infer<typeof throttlingSchema>;

/** CPU of one process tree over a launch by the two counts of the kernel, with nothing in flight at either end. */
const cpuCheckSchema = z.strictObject({
  /** Whose tree it is. */
  arms: z.array(armSchema).min(1),
  /** By the CPU clocks of its processes. */
  clockUs: nonNegativeSchema,
  /** CPU that the clocks missed, of processes that came and went in between: known in ticks only. */
  childrenUs: nonNegativeSchema,
  /** By the ticks of 10 ms, with all of these. */
  tickUs: nonNegativeSchema,
  processes: countSchema,
  /** Processes that were seen to end and that nobody waited for, so that neither count knows what they used. */
  unwaited: countSchema.optional(),
  /** Why there is no clock, so that `clockUs` is in ticks as well. */
  noClock: z.string().optional(),
  /** Periods of CPU quotas, and those in which one held the tree up; left out where none did. */
  throttling: throttlingSchema.optional(),
});
export type CpuCheck = z.infer<typeof cpuCheckSchema>;

/** One start of the target's processes, or the first sight of a target that stands already. */
const launchSchema = z.strictObject({
  index: countSchema,
  /** Since the run started. */
  startedAtMs: z.number().nonnegative(),
  /** Process IDs of the arms; null if not known. */
  pids: z.record(armSchema, z.int().positive().nullable()),
  warmUp: z.strictObject({
    requests: countSchema,
    ms: z.number().nonnegative(),
  }),
  /** Empty where only one count is known; left out until the first epoch has ended. */
  cpuCheck: z.array(cpuCheckSchema).optional(),
});
export type Launch = z.infer<typeof launchSchema>;

/** Percentile ladder of the pooled latency of one arm, for the percentile curve. */
const distributionSchema = z.strictObject({
  count: countSchema,
  points: z.array(z.strictObject({ percentile: z.number(), us: z.number() })),
});
export type Distribution = z.infer<typeof distributionSchema>;

const stepResultSchema = z.strictObject({
  name: z.string(),
  ...bySideSchema(stepTimesSchema.nullable()).shape,
});

/** The connections of a side: of kept and dropped slots, warm-up included. */
const sideTlsSchema = z.strictObject({
  /** Negotiated parameters; null without TLS, and before the first connection. */
  negotiated: negotiatedTlsSchema.nullable(),
  handshakes: z.strictObject({ full: countSchema, resumed: countSchema }),
  connections: countSchema,
});
export type SideTls = z.infer<typeof sideTlsSchema>;

/** Counts of the generator for a side in the blocks that CPU at load is read from. */
const countedConnectionsSchema = z.strictObject({
  requests: countSchema,
  transactions: countSchema,
  opened: countSchema,
  handshakesFull: countSchema,
  handshakesResumed: countSchema,
  /** Handshakes that the server asked for on connections that stood already. */
  renegotiated: countSchema,
});
export type CountedConnections = z.infer<typeof countedConnectionsSchema>;

/** Who was busy, per arm, as the fairness panel shows it. Medians over the kept slots. */
const fairnessSideSchema = z.strictObject({
  httpVersion: z.string(),
  contentEncoding: z.string(),
  bodyBytesPerTransaction: z.number().nullable(),
  /** Share of one core, at each operating point. */
  generatorCpuPercent: z.record(operatingPointSchema, z.number().nullable()),
  targetCpuPercent: z.record(operatingPointSchema, z.number().nullable()),
});
export type FairnessSide = z.infer<typeof fairnessSideSchema>;

/** Connections that a run would have held: each got one request while all were open. */
const slotsSchema = z.strictObject({
  /** Sides that answered fewer than were opened. */
  sides: z.array(z.enum(sideNames)).min(1),
  /** Opened on those sides together, including the control. */
  connections: z.int().positive(),
  served: countSchema,
  /** Most users whose connections they would all answer. */
  users: countSchema,
});
export type SlotsFound = z.infer<typeof slotsSchema>;

/** Run metadata. */
export const runFactsSchema = z.strictObject({
  /** Scenario as it was sent, without steps that were switched off. */
  scenario: scenarioSchema,
  /** The stored revision that it comes from, at `/s/{id}`; null for a scenario that is not stored here. */
  revisionId: permalinkIdSchema.nullable(),
  plan: planSchema,
  launches: z.array(launchSchema),
  preflight: preflightReportSchema.nullable(),
  cache: cacheReportSchema.nullable(),
  /** Server on this machine that is the target; null for other targets, and before it has started. */
  server: measuredServerSchema.nullable(),
  /** Server of the baseline, if it is another one, or configured differently. */
  baselineServer: measuredServerSchema.optional(),
  /** Null where nothing was pinned, and before the target has started. */
  placement: placementSchema.nullable(),
  /** Absent if the target answers all opened connections, and if that was not checked. */
  slots: slotsSchema.optional(),
  /** At which cost was read; left out before it was found. */
  atLoad: atLoadSchema.optional(),
  /** Which work for a request, the target first; left out where it works alone, and before that was known. */
  programs: z.array(programSchema).min(2).optional(),
  /** Works for the requests, but is not among the processes that can be seen; left out for nothing. */
  unseen: unseenSchema.optional(),
  /** Departure of connections from the plan at load, as a sentence without its period; absent for none. */
  departed: z.string().optional(),
  /** Programs that began during the run and belong to no known program; absent for none. */
  begun: z.array(begunSchema).optional(),
  /** Programs that used most of this machine while it measured, TLS Toll and all that is read excluded; absent for none. */
  loudest: z.array(loudProgramSchema).optional(),
  /** Precision known from earlier runs; absent before they were looked up. */
  past: pastSchema.optional(),
  /** The run whose blocks are the first of this one; absent where it continues none, or could not. */
  continued: z.strictObject({ id: permalinkIdSchema, blocks: countSchema }).optional(),
  /** Why it could not continue the run that it was asked to continue, in a sentence. */
  notContinued: z.string().optional(),
  /** Left out where there was none. */
  link: measuredLinkSchema.optional(),
  /** Source of the target's CPU readings; absent if that was this machine. */
  readings: readingsSchema.optional(),
  /** Hosts that generated the load; absent where this machine did. */
  hosts: hostsUsedSchema.optional(),
});
export type RunFacts = z.infer<typeof runFactsSchema>;

export const runDocumentSchema = z.strictObject({
  schemaVersion: z.literal(runSchemaVersion),
  ...documentFrame,
  kind: z.literal('comparison'),
  ...runFactsSchema.omit({ cache: true, past: true, programs: true }).shape,
  /** Target as requested. */
  target: targetSchema,
  /** The rest of what was asked, to ask it again. */
  asked: askedSchema,
  /** Transport and origin of each side; the origin is null until it is known. */
  sides: bySideSchema(knownSideSchema.extend({ origin: z.string().nullable() })),
  tlsProfile: tlsProfileSchema,
  /** Null until the run has finished. */
  verdict: verdictSchema.nullable(),
  metrics: z.array(metricComparisonSchema),
  /** CPU at load of each program, where several work for a request; their sum, without the kernel’s threads, is the metric. */
  cpuOf: z.array(programCostSchema).optional(),
  tls: bySideSchema(sideTlsSchema),
  fairness: bySideSchema(fairnessSideSchema).nullable(),
  distributions: bySideSchema(distributionSchema).nullable(),
  steps: z.array(stepResultSchema),
  /** Latency of a whole transaction by phase, at the steady point; null until a block was kept. */
  phases: bySideSchema(phaseTimesSchema.nullable()).nullable(),
  errors: z.array(sideErrorSchema),
  cache: cacheReportSchema.omit({ browser: true }),
  /** Connections as they were, whatever was planned; left out before a block at load was kept. */
  connections: bySideSchema(countedConnectionsSchema).optional(),
  /** New ones of each transaction at load, counted on both sides; left out unless each request or, as planned, each transaction has one. */
  connectionsPerTransaction: z.int().positive().optional(),
  /** Share of the latency that the path takes; absent on loopback. */
  path: pathSchema.optional(),
  /** With the earlier runs of its question; left out for the first one. */
  pool: poolSchema.optional(),
  blocks: z.array(blockSchema),
});
export type RunDocument = z.infer<typeof runDocumentSchema>;

/** Schemas of the kind. */
export const comparison = {
  request: runRequestSchema,
  facts: runFactsSchema,
  block: blockSchema,
  document: runDocumentSchema,
  event: runEventSchema,
};

/** Part of a run that its page shows. Histograms and the figures of single slots and windows, most of a document, are omitted. */

const shownSlotSchema = slotSchema
  .pick({ arm: true, transport: true, point: true, startedAtMs: true, curve: true })
  .extend({
    load: loadResultSchema.pick({
      elapsedUs: true,
      generatorBusiestUs: true,
      negotiated: true,
      lifetime: true,
    }),
  });
export type ShownSlot = z.infer<typeof shownSlotSchema>;

const shownWindowSchema = windowSchema.omit({ arms: true });
export type ShownWindow = z.infer<typeof shownWindowSchema>;

const shownBlockSchema = blockSchema.extend({
  slots: z.array(shownSlotSchema),
  windows: z.array(shownWindowSchema),
});
export type ShownBlock = z.infer<typeof shownBlockSchema>;

export const shownRunSchema = runDocumentSchema.extend({ ...shownFrame, blocks: z.array(shownBlockSchema) });
export type ShownRun = z.infer<typeof shownRunSchema>;

export function shownRunOf(run: RunDocument): ShownRun {
  return { ...run, blocks: run.blocks.map(shownBlock) };
}

function shownBlock(block: RunDocument['blocks'][number]): ShownBlock {
  return {
    ...block,
    slots: block.slots.map(({ arm, transport, point, startedAtMs, curve, load }) => {
      const { elapsedUs, generatorBusiestUs, negotiated, lifetime } = load;
      return {
        ...{ arm, transport, point, startedAtMs, curve },
        load: { elapsedUs, generatorBusiestUs, negotiated, lifetime },
      };
    }),
    windows: block.windows.map(({ arms: _, ...window }) => window),
  };
}
