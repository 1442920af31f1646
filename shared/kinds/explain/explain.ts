import { z } from 'zod';
import type { Arms } from '../../base/arms.ts';
import { exactSchemas, requestSchemas } from '../../base/option-schema.ts';
import { defaultTlsProfile, negotiatedTlsSchema, tlsProfileSchema } from '../../base/tls-profile.ts';
import type { SideName } from '../../base/transport.ts';
import { armSchema, bySideSchema } from '../../base/transport-schema.ts';
import { countSchema, estimateSchema, nonNegativeSchema, permalinkIdSchema } from '../../base/units.ts';
import { documentFrame, lifeEventSchema, seedSchema } from '../../measurement/measurement.ts';
import { pathScenario, scenarioSchema } from '../../scenario/scenario.ts';
import { managedTargetSchema, originsTargetSchema, type Target, targetSchema } from '../../target/target.ts';
import { type AtLoad, atLoadSchema, placementSchema } from '../comparison/at-load.ts';
import { loadOptions } from '../comparison/options.ts';
import { sidesRequestSchema } from '../comparison/run-request.ts';
import { costGroups, explainTable, storefront } from './options.ts';

/** Instructions that a server executes in user space, exactly: what its processes did over the same requests, several times in a row. */

/** Instructions per request. */
const spentSchema = { baseline: nonNegativeSchema, comparison: nonNegativeSchema };

const instructionCountsSchema = z.strictObject({
  /** Version of Valgrind. */
  valgrind: z.string(),
  /** Requests of a part. */
  requests: z.int().positive(),
  /** Instructions of all processes, for each part. */
  parts: bySideSchema(z.array(countSchema)),
  /** Instructions per request: the median of the parts, from the lowest to the highest. */
  perRequest: bySideSchema(estimateSchema),
  delta: estimateSchema,
  /** Instructions of the median part by group; they add up to it. */
  groups: z.array(z.strictObject({ group: z.enum(costGroups), ...spentSchema })),
  /** Functions whose own instructions differ most, including the instructions of unnamed functions that they called. */
  functions: z.array(z.strictObject({ name: z.string(), library: z.string(), ...spentSchema })),
});
export type InstructionCounts = z.infer<typeof instructionCountsSchema>;

/** CPU per request at load, by its use, on two sides. */

const explainSchemaVersion = 1;

/** Samples for each second of CPU time: out of step with timers, which tick in round numbers. */
export const samplesPerS = 999;

/** Without a twin: what is asked is where a difference lies, not whether there is one. */
export const explainArms = [
  { name: 'baseline', letter: 'A' },
  { name: 'comparison', letter: 'B' },
] as const satisfies Arms<SideName>;

const { connectionPolicy, requestsPerConnection, generators, thinkTimeScale } = exactSchemas(loadOptions);

/** A run that is explained: its sides, its target and the load that it found, instead of what the options say. */
const explainedRunSchema = z.strictObject({
  id: permalinkIdSchema,
  target: targetSchema,
  sides: sidesRequestSchema,
  tls: tlsProfileSchema,
  scenario: scenarioSchema,
  ...{ connectionPolicy, requestsPerConnection, generators, thinkTimeScale },
  load: atLoadSchema,
});

export const explainRequestSchema = z.strictObject({
  kind: z.literal('explain'),
  ...requestSchemas(explainTable),
  /** Takes the place of the options for target, sides, and load. */
  run: explainedRunSchema.optional(),
  /** A server of this machine that is running already, instead of one that is started. */
  target: originsTargetSchema.optional(),
});
export type ExplainRequest = z.infer<typeof explainRequestSchema>;

const costGroupSchema = z.enum(costGroups);

/** Frames from the outermost inward with semicolons between them; those of the kernel end with `_[k]`. */
const foldedStackSchema = z.strictObject({ stack: z.string(), samples: countSchema });
export type FoldedStack = z.infer<typeof foldedStackSchema>;

const loadedSchema = z.strictObject({ requests: countSchema, cpuUs: nonNegativeSchema });

/** One side in a launch. */
const launchSideSchema = z.strictObject({
  /** Before the recording began, and during it: by the CPU clock of its processes. */
  plain: loadedSchema,
  recorded: loadedSchema,
  samples: countSchema,
  groups: z.record(costGroupSchema, countSchema),
  stacks: z.array(foldedStackSchema),
});

/** A part that is stored when it ends: one start of the server. */
const explainLaunchSchema = z.strictObject({
  launch: countSchema,
  sides: bySideSchema(launchSideSchema),
  /** Samples of their processes before the first burst and after the last. */
  strayed: countSchema,
  /** A program of the server whose own functions have no names; left out where there is none. */
  unnamed: z.string().optional(),
  /** Names of the programs that were sampled, the target first; left out where it works alone. */
  programs: z.array(z.string()).min(2).optional(),
});
export type ExplainLaunch = z.infer<typeof explainLaunchSchema>;

const explainedServerSchema = z.strictObject({
  title: z.string(),
  version: z.string().nullable(),
  tlsLibrary: z.string().nullable(),
  /** The configuration of each side; left out by a server that was not started, and by one that is not known yet. */
  files: z.array(z.strictObject({ arm: armSchema, name: z.string(), text: z.string() })).optional(),
});

const explainFactsSchema = z.strictObject({
  seed: seedSchema,
  /** Null until it has been found. */
  load: atLoadSchema.nullable(),
  placement: placementSchema.nullable(),
  server: explainedServerSchema,
  /** Server of the baseline, if it is another one. */
  baselineServer: explainedServerSchema.optional(),
  /** Negotiated parameters of the comparison; null until they are known, and without TLS. */
  negotiated: negotiatedTlsSchema.nullable(),
  /** Counted instructions; null until then, and if CPU time was sampled. */
  instructions: instructionCountsSchema.nullable(),
  warnings: z.array(z.string()),
});
export type ExplainFacts = z.infer<typeof explainFactsSchema>;

/** In µs a request. */
const groupResultSchema = z.strictObject({
  group: costGroupSchema,
  baseline: estimateSchema,
  comparison: estimateSchema,
  delta: estimateSchema,
});
export type GroupResult = z.infer<typeof groupResultSchema>;

const explainFindings = {
  /** CPU of a request without what recording it costs, µs; null with fewer than three launches. */
  cpuUs: bySideSchema(estimateSchema).nullable(),
  delta: estimateSchema.nullable(),
  /** The same, counted while nothing was recorded. */
  plainDelta: estimateSchema.nullable(),
  /** They add up to `cpuUs` and `delta`. Empty with fewer than three launches. */
  groups: z.array(groupResultSchema),
  /** CPU that the samples represent by their number, as a share of the counted CPU. */
  sampledShare: nonNegativeSchema.nullable(),
  /** CPU of a request with the recording divided by that without; null with fewer than three launches. */
  recordingRatio: estimateSchema.nullable(),
  samples: bySideSchema(countSchema),
  requests: bySideSchema(countSchema),
  stacks: bySideSchema(z.array(foldedStackSchema)),
};

/** Document at the permalink. */
export const explainDocumentSchema = z.strictObject({
  schemaVersion: z.literal(explainSchemaVersion),
  ...documentFrame,
  kind: z.literal('explain'),
  request: explainRequestSchema,
  ...explainFactsSchema.shape,
  ...explainFindings,
  /** Without their stacks, which are taken together. */
  launches: z.array(
    explainLaunchSchema.extend({ sides: bySideSchema(launchSideSchema.omit({ stacks: true })) }),
  ),
});
export type ExplainDocument = z.infer<typeof explainDocumentSchema>;
export type ExplainFindings = Pick<ExplainDocument, keyof typeof explainFindings>;

type Run = NonNullable<ExplainRequest['run']>;

/** Target, sides, scenario, and load of an explanation. The load is null until it has been found. */
export type Explained = Omit<Run, 'id' | 'load' | 'requestsPerConnection'> &
  Partial<Pick<Run, 'requestsPerConnection'>> & { users: number | null; load: AtLoad | null };

/** Run that a request explains: the one that it names, or else one made of its target and its options. */
export function explainedOf(request: ExplainRequest): Explained {
  const { run, baseline, comparison, users, connectionPolicy, bytes, path } = request;
  if (run !== undefined) return { ...run, users: run.load.users };
  const target = targetOf(request);
  return {
    target,
    sides: { baseline: { transport: baseline }, comparison: { transport: comparison } },
    tls: defaultTlsProfile,
    scenario: target.kind === 'managed' ? pathScenario([`/${bytes}.html`], null) : pathScenario([path]),
    ...{ users, connectionPolicy, generators: 1, thinkTimeScale: 1, load: null },
  };
}

function targetOf({ target, server, bytes, key }: ExplainRequest): Target {
  if (target !== undefined) return target;
  if (server === storefront) return { kind: storefront };
  return managedTargetSchema.parse({ kind: 'managed', server, documents: [bytes], key });
}

/** Schemas of the kind. */
export const explain = {
  request: explainRequestSchema,
  facts: explainFactsSchema,
  block: explainLaunchSchema,
  document: explainDocumentSchema,
  event: lifeEventSchema,
};
