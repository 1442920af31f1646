import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
import { lengthSchema } from '../kinds/comparison/load-profile.ts';
import { runnerListSchema } from '../measurement/runner.ts';
import { holderKindSchema, machineSchema } from '../results/summary.ts';
import { foundServerSchema } from '../target/target.ts';
import type { Endpoint } from './endpoint.ts';

/** About the server and its machine. */

export const healthSchema = z.strictObject({
  status: z.literal('ok'),
  version: z.string(),
  uptimeS: z.number(),
  running: permalinkIdSchema.nullable(),
  queued: z.int(),
  /** Holder of the machine, and for how long; null if it is free. */
  holder: z.strictObject({ kind: holderKindSchema, forS: z.int() }).nullable(),
});
export type Health = z.infer<typeof healthSchema>;

const lengthLimitsSchema = z.strictObject({
  length: lengthSchema,
  title: z.string(),
  /** Half-width of the headline, as a share of the ratio, at which a run of this length ends. */
  precision: z.number().positive(),
  atMostS: z.number().positive(),
});

export const limitsSchema = z.strictObject({
  bodyBytes: z.int(),
  /** Largest file to import. */
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
  /** Names of the TLS libraries that servers on this machine can load instead of their own. */
  libraries: z.array(z.string()),
  /** Whether it measures itself. */
  measures: z.boolean(),
  lengths: z.array(lengthLimitsSchema),
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
    summary: 'Limits and lengths',
    response: limitsSchema,
  },
  machine: {
    method: 'get',
    path: '/machine',
    access: 'reader',
    summary:
      'Other load on this machine in the last ten seconds, and the expected time of a run; poll every two seconds, and not during a measurement',
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
