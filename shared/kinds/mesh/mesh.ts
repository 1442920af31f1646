import { z } from 'zod';
import { type Arms, namesOf } from '../../base/arms.ts';
import { describe, requestSchemas } from '../../base/option-schema.ts';
import { negotiatedTlsSchema } from '../../base/tls-profile.ts';
import { countSchema, nonNegativeSchema } from '../../base/units.ts';
import { documentFrame, seedSchema } from '../../measurement/measurement.ts';
import { addressProblem } from '../../target/address-problem.ts';
import { atLoadSchema } from '../comparison/at-load.ts';
import { stretch } from '../comparison/block.ts';
import { estimateSchema } from '../comparison/comparison.ts';
import { placementSchema } from '../comparison/placement.ts';
import { meshTable } from './options.ts';

/**
 * The toll of a mesh: what a proxy in front of an application (or one on either side) costs, and how much of that is TLS. CPU
 * in µs per request at load, by process; latency of a lone request.
 */

export const meshSchemaVersion = 1;

/** Straight to the application, through the proxies without TLS and with it, and straight again. */
export const meshArms = [
  { name: 'direct', letter: 'D' },
  { name: 'plain', letter: 'P' },
  { name: 'secure', letter: 'S' },
  { name: 'twin', letter: 'N', twinOf: 'direct' },
] as const satisfies Arms<string>;
export type MeshArm = (typeof meshArms)[number]['name'];
const meshArmSchema = z.enum(namesOf<MeshArm>(meshArms));

/** What a request passes, from its end. */
export const meshRoles = ['application', 'proxy', 'clientProxy'] as const;
export type MeshRole = (typeof meshRoles)[number];
const meshRoleSchema = z.enum(meshRoles);

const options = requestSchemas(meshTable);

export const meshRequestSchema = z.strictObject({
  kind: z.literal('mesh'),
  ...options,
  address: describe(
    meshTable.address,
    options.address.superRefine((address, context) => {
      const message = address === null ? null : problemOfAddress(address);
      if (message !== null) context.addIssue({ code: 'custom', message });
    }),
  ),
});
export type MeshRequest = z.infer<typeof meshRequestSchema>;

function problemOfAddress(address: string): string | null {
  if (/^https:/i.test(address))
    return 'proxies reach the application without TLS; give its http address, or the http port that it listens on as well';
  const { origin } = URL.parse(address) ?? { origin: address };
  return addressProblem(origin, 'http');
}

/** What an arm did in a round. */
const roundArmSchema = z.strictObject({
  transactions: countSchema,
  perS: nonNegativeSchema,
  /** Of each process on its way, µs. */
  cpuUs: z.partialRecord(meshRoleSchema, nonNegativeSchema),
});

/** One burst of each arm. */
const meshRoundSchema = z.strictObject({
  order: z.string().regex(/^[A-Z]{4}$/),
  ...stretch,
  arms: z.record(meshArmSchema, roundArmSchema),
});
export type MeshRound = z.infer<typeof meshRoundSchema>;

/** What is compared: the proxies with nothing, TLS with proxies that have none, the twin with its side. */
export const meshShiftNames = ['proxy', 'tls', 'twin'] as const;
export type MeshShiftName = (typeof meshShiftNames)[number];
const meshShiftNameSchema = z.enum(meshShiftNames);

/** A part that is stored when it ends: one start of everything. */
export const meshLaunchSchema = z.strictObject({
  launch: countSchema,
  rounds: z.array(meshRoundSchema),
  /** One user, from arm to arm. */
  lone: z.strictObject({
    /** A request on each arm. */
    groups: countSchema,
    medianUs: z.record(meshArmSchema, nonNegativeSchema),
    /** Median of the differences within a group. */
    shiftUs: z.record(meshShiftNameSchema, z.number()),
  }),
  /** Of all processes over the rounds: by the CPU clock, and by the kernel’s ticks of 10 ms. */
  cpuCheck: z.strictObject({ clockUs: nonNegativeSchema, tickUs: nonNegativeSchema, processes: countSchema }),
});
export type MeshLaunch = z.infer<typeof meshLaunchSchema>;

const startedProgramSchema = z.strictObject({
  title: z.string(),
  /** Null for one that was running already. */
  version: z.string().nullable(),
  tlsLibrary: z.string().nullable(),
});

export const meshFactsSchema = z.strictObject({
  seed: seedSchema,
  /** Null until it has been found. */
  load: atLoadSchema.nullable(),
  placement: placementSchema.nullable(),
  application: startedProgramSchema,
  proxy: startedProgramSchema,
  /** Between client and proxy, or between the two proxies; null until a connection stands. */
  negotiated: negotiatedTlsSchema.nullable(),
  /** The configuration of each proxy, whole. */
  files: z.array(
    z.strictObject({ arm: meshArmSchema, role: meshRoleSchema, name: z.string(), text: z.string() }),
  ),
  warnings: z.array(z.string()),
});
export type MeshFacts = z.infer<typeof meshFactsSchema>;

/** In µs a request, and in percent of what a direct one takes. */
const meshShiftSchema = z.strictObject({ us: estimateSchema, percent: estimateSchema });
export type MeshShift = z.infer<typeof meshShiftSchema>;

const meshArmResultSchema = z.strictObject({
  arm: meshArmSchema,
  /** At load. */
  requests: countSchema,
  /** CPU of a request at load, of all processes and of each; null with fewer than three launches. */
  cpuUs: estimateSchema.nullable(),
  parts: z.array(z.strictObject({ role: meshRoleSchema, cpuUs: estimateSchema })),
  /** Requests per second; null where all arms kept to one rate. */
  perS: estimateSchema.nullable(),
  /** Median of a lone request, µs. */
  latencyUs: estimateSchema.nullable(),
});
export type MeshArmResult = z.infer<typeof meshArmResultSchema>;

const meshFindings = {
  arms: z.array(meshArmResultSchema),
  /** Null with fewer than three launches. */
  cpu: z.record(meshShiftNameSchema, meshShiftSchema.nullable()),
  latency: z.record(meshShiftNameSchema, meshShiftSchema.nullable()),
};

/** What stands at the permalink. */
export const meshDocumentSchema = z.strictObject({
  schemaVersion: z.literal(meshSchemaVersion),
  ...documentFrame,
  kind: z.literal('mesh'),
  request: meshRequestSchema,
  ...meshFactsSchema.shape,
  ...meshFindings,
  launches: z.array(meshLaunchSchema),
});
export type MeshDocument = z.infer<typeof meshDocumentSchema>;
export type MeshFindings = Pick<MeshDocument, keyof typeof meshFindings>;
