import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
import { presetSchema } from '../kinds/comparison/load-choice.ts';
import { machineSchema } from '../measurement/machine.ts';
import { runnerListSchema } from '../measurement/runner.ts';
import { foundServerSchema } from '../target/server.ts';
import type { Endpoint } from './endpoint.ts';

/** About the server and its machine. */

export const healthSchema = z.strictObject({
  status: z.literal('ok'),
  version: z.string(),
  uptimeS: z.number(),
  running: permalinkIdSchema.nullable(),
  queued: z.int(),
});
export type Health = z.infer<typeof healthSchema>;

const planTimesSchema = z.strictObject({ expectedS: z.number(), maximumS: z.number() });

export const presetCardSchema = z.strictObject({
  preset: presetSchema,
  title: z.string(),
  /** Of the storefront, in seconds. */
  ...planTimesSchema.shape,
  /** The same of other targets. */
  byTarget: z.record(z.enum(['managed', 'origins']), planTimesSchema),
  /** Smallest difference of CPU per transaction it can tell from none, as a ratio, on a shared machine of two cores. */
  detectable: z.number(),
  note: z.string(),
});
export type PresetCard = z.infer<typeof presetCardSchema>;

export const limitsSchema = z.strictObject({
  bodyBytes: z.int(),
  /** Of a file to import. */
  importBytes: z.int(),
  queueLength: z.int(),
  users: z.int(),
  stepsPerScenario: z.int(),
  requestsPerMinute: z.int(),
  permittedTargets: z.array(z.string()),
  /** Whether other machines may measure for this server. */
  runners: z.boolean(),
  /** Whether other hosts may offer their load generator. */
  generators: z.boolean(),
  /** Most generator pods of a run; 0 where this server creates none. */
  pods: z.int().nonnegative(),
  /** Whether it measures itself. */
  measures: z.boolean(),
  presets: z.array(presetCardSchema),
});
export type Limits = z.infer<typeof limitsSchema>;

export const serverEndpoints = {
  health: {
    method: 'get',
    path: '/health',
    access: 'reader',
    summary: 'Server status and current activity',
    response: healthSchema,
  },
  limits: {
    method: 'get',
    path: '/limits',
    access: 'reader',
    summary: 'Limits and presets',
    response: limitsSchema,
  },
  machine: {
    method: 'get',
    path: '/machine',
    access: 'reader',
    summary:
      'Other load on this machine in the last ten seconds, and the expected interval of a run; poll every two seconds, less often during a measurement',
    response: machineSchema,
  },
  listServers: {
    method: 'get',
    path: '/servers',
    access: 'reader',
    summary: 'Servers that a run can start on this machine, and the packages of those not installed',
    response: z.array(foundServerSchema),
  },
  listRunners: {
    method: 'get',
    path: '/runners',
    access: 'reader',
    summary:
      'Runners and dashboards that measured for this database within the last day; poll every two seconds',
    response: runnerListSchema,
  },
} as const satisfies Record<string, Endpoint>;
