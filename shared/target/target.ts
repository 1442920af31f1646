import { z } from 'zod';
import { requestSchemas } from '../base/option-schema.ts';
import { certificatesIn } from '../base/pem.ts';
import { tlsProfileSchema } from '../base/tls-profile.ts';
import type { Scheme } from '../base/transport.ts';
import { armNameSchema, armSchema, transportSchema } from '../base/transport-schema.ts';
import {
  countSchema,
  nonNegativeSchema,
  permalinkIdSchema,
  soundText,
  unixMillisSchema,
} from '../base/units.ts';
import { addressProblem } from './address-problem.ts';
import { placeSchema, prometheusSourceSchema } from './readings.ts';
import { type ServerName, serverNames, serverOptions } from './server-options.ts';

/** Hosts besides this machine that may be loaded, recorded and probed: who allowed them, why, and how much they bear. */

const mostMinutes = 24 * 60;

/** Limits of a target, for all sides of a run together. The defaults are kind to a staging host. */
export const capsSchema = z.strictObject({
  requestsPerS: z.int().min(1).max(1_000_000).default(100),
  connections: z.int().min(3).max(15_000).default(50),
  /** Limit per run. */
  minutes: z.int().min(1).max(mostMinutes).default(15),
  /** Limit per run, sent and received. */
  bytes: z.int().min(1_000_000).max(1e15).default(1_000_000_000),
});
export type Caps = z.infer<typeof capsSchema>;

/** Permission that a listener on another host carries: each process that connects to it checks its address against this. */
export const permitSchema = z.strictObject({
  /** A name, an address or a range such as `10.1.0.0/16`, as `parseHost` prints it. */
  host: z.string().min(1).max(253),
  caps: capsSchema,
});
export type Permit = z.infer<typeof permitSchema>;

export const permittedTargetSchema = permitSchema.extend({
  id: z.string().max(60),
  /** Permissions from the environment can only be withdrawn there. */
  from: z.enum(['environment', 'page']),
  /** Who, when and why; null for the environment. */
  by: z.string().nullable(),
  at: unixMillisSchema.nullable(),
  why: z.string().nullable(),
});
export type PermittedTarget = z.infer<typeof permittedTargetSchema>;

export const allowRequestSchema = z.strictObject({
  host: z.string().trim().min(1, 'enter a host name, an IP address or a range').max(300),
  why: z.string().trim().min(1, 'say why, for the log').max(300),
  caps: capsSchema.prefault({}),
});
export type AllowRequest = z.infer<typeof allowRequestSchema>;

export const targetActionSchema = z.enum([
  'allowed',
  'withdrawn',
  'launched',
  'recorded',
  'replayed',
  'probed',
  'checked',
  'stopped',
]);
export type TargetAction = z.infer<typeof targetActionSchema>;

/** One line of the log, which is only ever added to. */
export const targetEventSchema = z.strictObject({
  id: permalinkIdSchema,
  at: unixMillisSchema,
  who: z.string(),
  what: targetActionSchema,
  /** Null where all load was stopped. */
  host: z.string().nullable(),
  /** Why it was allowed, or the address of what was launched. */
  note: z.string().nullable(),
});
export type TargetEvent = z.infer<typeof targetEventSchema>;

export const permittedTargetsSchema = z.strictObject({
  targets: z.array(permittedTargetSchema),
  /** The newest first. */
  log: z.array(targetEventSchema),
});
export type PermittedTargets = z.infer<typeof permittedTargetsSchema>;

/** Work that was under way when all load was stopped. */
export const stoppedSchema = z.strictObject({
  /** Measurements and recordings, those that waited too. */
  stopped: z.int().nonnegative(),
});

/** Target of a run, as requested and as resolved to listeners. */

function originSchema(scheme: Scheme) {
  return soundText(300, (text) => addressProblem(text, scheme)).meta({ format: 'uri' });
}

/** Keeps only the certificates of a file that may also contain their key, because requests are stored and shown to others. */
export function certificateSchema(field: string) {
  return z
    .string()
    .max(100_000)
    .overwrite((pem) => certificatesIn(pem).join(''))
    .regex(/-----BEGIN CERTIFICATE-----/, `${field} is a PEM certificate`);
}

/** SHA-256 of a whole certificate, as tools print it: `3A:9F:…`, in any case, with or without colons. */
export const fingerprintSchema = z
  .string()
  .regex(
    /^[0-9a-f]{2}(:?[0-9a-f]{2}){31}$/i,
    'a fingerprint is the SHA-256 of a certificate, 32 bytes in hex',
  )
  .overwrite((text) =>
    text
      .replaceAll(':', '')
      .toUpperCase()
      .replace(/..(?=.)/g, '$&:'),
  );

/** Name of the secret with the PEM keys of client certificates, beside a run's other secrets. */
export const clientKeyName = 'client_key';

const pidSchema = z.int().positive().max(4_194_304);

export const originsTargetSchema = z.strictObject({
  kind: z.literal('origins'),
  /** One address per scheme that a side uses. */
  http: originSchema('http').optional(),
  https: originSchema('https').optional(),
  /** PEM of the certificate authority that signed the https side's certificate, when it is not a public one. */
  ca: certificateSchema('ca').optional(),
  /** PEM of the certificate that clients present to the https side, where it demands one. Its key is the run's secret `client_key`. */
  clientCertificate: certificateSchema('clientCertificate').optional(),
  /** Trusted for this measurement alone, whatever its name, its date and whoever signed it: the https side's certificate. */
  trust: fingerprintSchema.optional(),
  /** Origin of a second listener like the baseline's, of its scheme: the twin. The baseline's listener again when absent. */
  twin: z.string().max(300).optional(),
  /** Process of the target, or several; found by the listening port when absent. */
  pid: z.union([pidSchema, z.array(pidSchema).min(1).max(32)]).optional(),
  /** Reads what the target uses where that is another host. Its token is the run's secret `agent_token`. */
  agent: z.strictObject({ address: placeSchema, fingerprint: fingerprintSchema }).optional(),
  /** Read instead where no agent may run. */
  prometheus: prometheusSourceSchema.optional(),
});
export type OriginsTarget = z.infer<typeof originsTargetSchema>;

/** A server on this machine, started for the run with a configuration that we write. */
export const managedTargetSchema = z.strictObject({
  kind: z.literal('managed'),
  server: z.enum(serverNames),
  ...requestSchemas(serverOptions),
});
export type ManagedTarget = z.infer<typeof managedTargetSchema>;
export type ManagedTargetInput = z.input<typeof managedTargetSchema>;

export const targetSchema = z.discriminatedUnion(
  'kind',
  [z.strictObject({ kind: z.literal('storefront') }), originsTargetSchema, managedTargetSchema],
  {
    error:
      'target is "storefront", the name of a server such as "nginx", or an object with the origins http and https',
  },
);
export type Target = z.infer<typeof targetSchema>;
export const targetKindSchema = z.enum(['storefront', 'managed', 'origins']);
export type TargetKind = z.infer<typeof targetKindSchema>;
export type TargetOf<Kind extends TargetKind> = Extract<Target, { kind: Kind }>;

/** The short forms: the name of the shop or of a server, and two origins without a kind. */
export type TargetInput =
  | z.input<typeof targetSchema>
  | 'storefront'
  | ServerName
  | Omit<OriginsTarget, 'kind'>;

/** Target as the API accepts it. */
export const targetRequestSchema = z.preprocess((asked: TargetInput): unknown => {
  if (asked === 'storefront') return { kind: asked };
  if (serverNames.includes(asked as ServerName)) return { kind: 'managed', server: asked };
  if (typeof asked !== 'object' || asked === null || 'kind' in asked) return asked;
  return { kind: 'origins', ...(asked as object) };
}, targetSchema);

/** One listener that an arm is sent to, resolved once per run and pinned. */
export const listenerSchema = z.strictObject({
  arm: armNameSchema,
  transport: transportSchema,
  /** Name for the Host header, SNI and certificate check. */
  hostname: z.string(),
  /** IP address that every connection of the run goes to. */
  address: z.string(),
  port: z.int().min(1).max(65535),
  /** PEM of the authority to trust; null for the system's. */
  ca: z.string().nullable(),
  /** SHA-256 of the one certificate to trust instead. */
  trust: fingerprintSchema.optional(),
  /** The agent that reads what it uses, where one does. */
  agent: z.string().optional(),
  /** The other scheme has the same address and port, which has to answer both. */
  sharesPort: z.literal(true).optional(),
  /** The exporter that is read instead. */
  exporter: z.string().optional(),
  /** Root of the process tree whose resources are read; null when it is not known. */
  pid: z.int().positive().nullable(),
  /** Roots of further trees, where several listen on the port; left out for none. */
  morePids: z.array(z.int().positive()).min(1).optional(),
  /** Its key is shorter than OpenSSL accepts unless it is asked to. */
  weakKey: z.boolean().optional(),
  /** It answers HTTP/3 over UDP on the same port, and a browser speaks nothing else with it. */
  http3: z.literal(true).optional(),
  /** Permission for a listener on another host; absent on this machine. */
  permit: permitSchema.optional(),
  /** PEM of the certificate and key that clients present, where the server demands them. */
  clientIdentity: z.string().optional(),
  /** Name of its side, if not that of its transport. */
  name: z.string().optional(),
  /** TLS options of its side; absent if all sides have the same. */
  tls: tlsProfileSchema.optional(),
});
export type Listener = z.infer<typeof listenerSchema>;

/** Roots of all its process trees. */
export function rootsOf({ pid, morePids = [] }: Pick<Listener, 'pid' | 'morePids'>): number[] {
  return pid === null ? [] : [pid, ...morePids];
}

/** Counters of one of our own targets since it started: the second witness of a slot. */
export const targetCountersSchema = z.strictObject({
  cpuUs: nonNegativeSchema,
  rssBytes: countSchema,
  requests: countSchema,
  connections: countSchema,
  handshakesFull: countSchema,
  handshakesResumed: countSchema,
});
export type TargetCounters = z.infer<typeof targetCountersSchema>;

/**
 * Two TLS connections, the second of which offers the session of the first: which ones were resumed, according to the client and to the
 * server itself; null for a server that does not report it.
 */
const serverWitnessSchema = z.strictObject({
  client: z.array(z.boolean()),
  server: z.array(z.boolean()).nullable(),
  /** Version, suite and group of the first as each end says; what the server does not say is left out there. */
  agreed: z.strictObject({ client: z.string(), server: z.string().nullable() }).optional(),
  /** Session tickets that came with the answer of the first, in TLS 1.3. */
  tickets: z.int().nonnegative().optional(),
});
export type ServerWitness = z.infer<typeof serverWitnessSchema>;

/** A file of a TLS library that a server has loaded. */
export const libraryFileSchema = z.strictObject({
  /** Without its directory. */
  name: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** A managed server as it was found and configured for a run. */
export const measuredServerSchema = z.strictObject({
  name: z.enum(serverNames),
  /** Name in its documentation. */
  title: z.string(),
  version: z.string(),
  /** Read from the running process, such as `OpenSSL 3.0.19 27 Jan 2026`; null where it could not be. */
  tlsLibrary: z.string().nullable(),
  /** Files of it, where a side was asked to load another one. */
  libraryFiles: z.array(libraryFileSchema).optional(),
  /** Resumption on the comparison, or on the only side that it serves. Null without TLS. */
  witness: serverWitnessSchema.nullable(),
  /** Resumption on the baseline, if both sides have TLS. */
  baselineWitness: serverWitnessSchema.optional(),
  /** The configuration of each listener, whole. */
  files: z.array(z.strictObject({ arm: armSchema, name: z.string(), text: z.string() })),
});
export type MeasuredServer = z.infer<typeof measuredServerSchema>;
/** The same of whatever arms a plan declares. */
export type MeasuredServerOf<Name extends string> = Omit<MeasuredServer, 'files'> & {
  files: { arm: Name; name: string; text: string }[];
};

/** A server that a run can start, as it was looked for on this machine. */
export const foundServerSchema = z.strictObject({
  name: z.enum(serverNames),
  /** Name in its documentation. */
  title: z.string(),
  installed: z.boolean(),
  /** Path of its program. */
  path: z.string().nullable(),
  version: z.string().nullable(),
  /** Debian's, which bring it. */
  packages: z.array(z.string()),
  /** Packages that are still missing. */
  missing: z.array(z.string()),
  transports: z.array(transportSchema),
  /** Why it cannot leave encryption to the kernel (kTLS); null where it can. */
  kTlsProblem: z.string().nullable(),
});
export type FoundServer = z.infer<typeof foundServerSchema>;

/** A program of this machine that answers over HTTP or HTTPS on loopback, as a target to choose. */
export const localServerSchema = z.strictObject({
  /** Program of its process; null if we may not see it. */
  program: z.string().nullable(),
  /** Ports, ascending. */
  http: z.array(z.int()),
  https: z.array(z.int()),
});
export type LocalServer = z.infer<typeof localServerSchema>;
