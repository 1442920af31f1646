import { z } from 'zod';
import { environmentSchema } from '../base/environment.ts';
import { countSchema, nonNegativeSchema, permalinkIdSchema, unixMillisSchema } from '../base/units.ts';

/** Hosts that offer their load generator to a dashboard or a runner. */

export const generatorNameSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
    'the name of a generator has letters, digits, dots, underscores and hyphens, 63 at most',
  );

/** Clock of the host, estimated from many round trips. */
const hostClockSchema = z.strictObject({
  /** By which its time of day is ahead of this machine's, ms. Said only: bursts go by clocks that nobody sets. */
  offsetMs: z.number(),
  /** How far the start of a burst may be off there, µs: half of the shortest round trip. */
  withinUs: nonNegativeSchema,
  /** The median, µs. */
  roundTripUs: nonNegativeSchema,
});
export type HostClock = z.infer<typeof hostClockSchema>;

const generatorHostSchema = z.strictObject({
  name: generatorNameSchema,
  /** That it comes from. */
  address: z.string(),
  cores: z.int().positive(),
  /** Hosts that it may load, as on its command line. */
  allow: z.array(z.string()),
  joinedAt: unixMillisSchema,
  state: z.enum(['idle', 'busy']),
  /** Null for a moment after it has joined. */
  clock: hostClockSchema.nullable(),
});
export type GeneratorHost = z.infer<typeof generatorHostSchema>;

/** One host's part in a measurement. */
const hostShareSchema = generatorHostSchema.pick({ name: true, address: true }).extend({
  processes: z.int().positive(),
  /** All that it sent, warm-up included; of one that was lost, as far as it is known. */
  requests: countSchema,
  cpuUs: nonNegativeSchema,
  /** Share of a core that its busiest process used in bursts. */
  busiestShare: nonNegativeSchema,
  /** By which its bursts began later than ordered, µs. */
  lateness: z.strictObject({ medianUs: nonNegativeSchema, longestUs: nonNegativeSchema }),
  roundTripUs: nonNegativeSchema,
  withinUs: nonNegativeSchema,
  /** It had no more to give, by how busy or how late it was. */
  limited: z.boolean(),
});

export const hostsUsedSchema = z.strictObject({
  hosts: z.array(hostShareSchema).min(1),
  bursts: countSchema,
  /** Share of the time of all bursts that was spent waiting for orders and answers. */
  idleShare: z.number().min(0).max(1),
  /** Times that a host was lost and came back: what was being measured then was measured again. */
  losses: countSchema,
});
export type HostsUsed = z.infer<typeof hostsUsedSchema>;
export type HostShare = HostsUsed['hosts'][number];

/** A runner is a process that measures for every dashboard on its database. A dashboard can be one too. */

const labelRule = 'a label is name=value, in lower-case letters, digits and hyphens';
const labelPartSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, labelRule);
const mostLabels = 8;

/** Place and properties of a runner, such as `site: fra`. */
export const labelsSchema = z
  .record(labelPartSchema, labelPartSchema, {
    error: ({ code }) => (code === 'invalid_key' ? labelRule : undefined),
  })
  .refine((labels) => Object.keys(labels).length <= mostLabels, `there are at most ${mostLabels} labels`);
export type Labels = z.infer<typeof labelsSchema>;

export const runnerNameSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9.:_-]{0,62}$/,
    'the name of a runner has letters, digits, dots, colons, underscores and hyphens, 63 at most',
  );

/** `site=fra,cpu=arm`, as people write it. */
export const labelsTextSchema = z
  .string()
  .transform((text) => {
    const pairs = text
      .split(',')
      .map((pair) => pair.trim())
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [name = '', ...values] = pair.split('=');
        return [name, values.join('=')];
      });
    return Object.fromEntries(pairs) as unknown;
  })
  .pipe(labelsSchema);

/** `idle` and `busy` ones answer. One that is `lost` stopped answering; one that `left` was stopped. */
const runnerStateSchema = z.enum(['idle', 'busy', 'lost', 'left']);

const runnerSchema = z.strictObject({
  name: runnerNameSchema,
  labels: labelsSchema,
  /** Version of the product. */
  version: z.string(),
  machine: environmentSchema.omit({ runner: true, product: true, sharedMachine: true }),
  state: runnerStateSchema,
  /** When it was heard from last. */
  seenAt: unixMillisSchema,
  /** Measurement under way. */
  busy: z.strictObject({ id: permalinkIdSchema, url: z.string(), title: z.string() }).nullable(),
});
export type Runner = z.infer<typeof runnerSchema>;

export const runnerListSchema = z.strictObject({
  /** Null on a server that measures alone. */
  runners: z.array(runnerSchema).nullable(),
  /** Hosts whose load generator has joined this server; null where it takes none. */
  generators: z.array(generatorHostSchema).nullable(),
  /** Measurements in the queue that no runner can take now. */
  stranded: z.array(
    z.strictObject({ id: permalinkIdSchema, url: z.string(), title: z.string(), labels: labelsSchema }),
  ),
});
export type RunnerList = z.infer<typeof runnerListSchema>;

/** Whether a version such as 0.2.0 is older than another. */
export function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [version, than].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  const index = [0, 1, 2].find((place) => ours?.[place] !== theirs?.[place]);
  return index !== undefined && (ours?.[index] ?? 0) < (theirs?.[index] ?? 0);
}
