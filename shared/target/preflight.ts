import { z } from 'zod';
import { fieldErrorSchema } from '../base/problem-schema.ts';
import { negotiatedTlsSchema, tlsVersionSchema } from '../base/tls-profile.ts';
import { type SideName, sideNames } from '../base/transport.ts';
import { bySideSchema, knownSideSchema } from '../base/transport-schema.ts';
import { countSchema, nonNegativeSchema } from '../base/units.ts';
import { pathSchema } from '../scenario/scenario.ts';
import { fingerprintSchema, localServerSchema } from './target.ts';

/** Time to open TCP connections, less that on loopback. The shortest is the path; longer ones waited at one of its ends. */
const roundTripSchema = z.strictObject({
  connections: countSchema,
  minimumUs: nonNegativeSchema,
  medianUs: nonNegativeSchema,
});

export type RoundTrip = z.infer<typeof roundTripSchema>;

/** Checks made before any load: what each side is, and whether the two are the same application. */

export const checkIdSchema = z.enum([
  'address',
  'connect',
  'tls',
  'certificate',
  'http_version',
  // Before what a lost session leads to.
  'cookies',
  'status',
  'redirect',
  'scheme',
  'content',
  'encoding',
  'resumption',
  'process',
]);
export type CheckId = z.infer<typeof checkIdSchema>;

const checkSchema = z.strictObject({
  id: checkIdSchema,
  title: z.string(),
  /** `fail` forbids the launch, `warn` is said beside the result. */
  status: z.enum(['pass', 'warn', 'fail', 'skipped']),
  message: z.string(),
  /** Original words of the system or the TLS library, if none of ours fit. */
  details: z.string().optional(),
});
export type Check = z.infer<typeof checkSchema>;

/** Size of a server's messages in a full handshake, TLS records included. */
const serverFlightSchema = z.strictObject({
  bytes: countSchema,
  /** Its own and the intermediate ones. */
  certificates: countSchema,
  certificateBytes: countSchema,
  /** The same without certificate compression. Absent where none was asked for. */
  uncompressedBytes: countSchema.optional(),
});
export type ServerFlight = z.infer<typeof serverFlightSchema>;

const preflightSideSchema = z.strictObject({
  ...knownSideSchema.shape,
  origin: z.string(),
  address: z.string().nullable(),
  checks: z.array(checkSchema),
  /** One per step, in order; what the two sides are compared by. */
  responses: z.array(
    z.strictObject({
      step: z.string(),
      status: z.int(),
      httpVersion: z.string(),
      contentEncoding: z.string(),
      contentType: z.string(),
      bodyBytes: z.int(),
      bodySha256: z.string(),
      location: z.string().nullable(),
      setsCookies: z.array(z.string()),
      serverTiming: z.boolean(),
      /** The Server-Timing header, cut at 200 characters, where it does not contain the application's time. */
      otherTiming: z.string().optional(),
    }),
  ),
  tls: negotiatedTlsSchema.nullable(),
  /** Absent without TLS. */
  serverFlight: serverFlightSchema.optional(),
  pid: z.int().nullable(),
  /** Absent where the target is on this machine. */
  roundTrip: roundTripSchema.optional(),
});
export type PreflightSide = z.infer<typeof preflightSideSchema>;

export const preflightReportSchema = z.strictObject({
  ok: z.boolean(),
  /** The first failing check, as the reason beside a disabled Launch; null when ok. */
  problem: z.string().nullable(),
  sides: bySideSchema(preflightSideSchema),
});
export type PreflightReport = z.infer<typeof preflightReportSchema>;

/** The report, and what a form or a command needs to go on; not stored with a run. */
export const targetCheckSchema = preflightReportSchema.extend({
  /** SHA-256 of a certificate that is not trusted, which can be trusted for a run. */
  untrusted: fingerprintSchema.nullable(),
  /** Field of the request that asks each side for something that is not available, if that stops the run. */
  refused: bySideSchema(fieldErrorSchema.nullable()),
  /** The version of TLS to try where the server does not offer the one that was asked for. */
  otherVersion: tlsVersionSchema.nullable(),
  /** Why the named twin is none; null where there is none to look at, or nothing is wrong with it. */
  twinProblem: z.string().nullable(),
});
export type TargetCheck = z.infer<typeof targetCheckSchema>;

/** Every failing check, in the order of the checks, so that a cause comes before what follows from it. */
export function failedChecks(sides: PreflightReport['sides']): { side: SideName; check: Check }[] {
  return checkIdSchema.options.flatMap((id) =>
    sideNames.flatMap((side) => {
      const check = sides[side].checks.find((candidate) => candidate.id === id);
      return check?.status === 'fail' ? [{ side, check }] : [];
    }),
  );
}

/** Before a target is complete: one address or two are looked up, and the other side of one is looked for on a few ports. */

export const lookupRequestSchema = z.strictObject({
  /** With or without a scheme, and without a path; none to list the servers of this machine. */
  addresses: z.array(z.string().trim().min(1).max(300)).max(2).default([]),
  path: pathSchema.default('/'),
  /** A certificate that was trusted before, and where; those of stored measurements are known. */
  trusted: z.strictObject({ origin: z.string().max(300), fingerprint: fingerprintSchema }).optional(),
});
export type LookupRequest = z.infer<typeof lookupRequestSchema>;

const foundCertificateSchema = z.strictObject({
  fingerprint: fingerprintSchema,
  selfSigned: z.boolean(),
  /** Why no authority of this machine vouches for it, in a sentence; null if one does. */
  problem: z.string().nullable(),
  /** `here`: by its fingerprint, because it is on this machine and no other one was trusted there before. */
  trusted: z.enum(['authority', 'here', 'asks']),
});

const schemeSchema = z.enum(['http', 'https']);

const foundListenerSchema = z.strictObject({
  scheme: schemeSchema,
  origin: z.string(),
  /** `nginx 1.22`, by its process and its Server header; null if neither shows it. */
  server: z.string().nullable(),
  /** Program of the process that listens; null if we may not see it. */
  program: z.string().nullable(),
  /** Processes whose CPU is read, with their children. */
  processes: countSchema,
  status: z.int(),
  bodyBytes: countSchema,
  /** Null without TLS. */
  tls: z.strictObject({ protocol: z.string(), certificate: foundCertificateSchema }).nullable(),
});
export type FoundListener = z.infer<typeof foundListenerSchema>;

export const lookupSchema = z.strictObject({
  /** One for each address, and the other side of a single one where it serves the same. HTTP first. */
  found: z.array(foundListenerSchema),
  /** Whether two of them serve the same; null for one. */
  same: z.boolean().nullable(),
  /** Other side that was not found, and the ports that were asked. */
  missing: z.strictObject({ scheme: schemeSchema, ports: z.array(z.int()) }).nullable(),
  /** Listeners that answer in place of the other side, but with something else. */
  others: z.array(foundListenerSchema),
  /** Origin of another plain listener of the same process that serves the same; null without one. */
  twin: z.string().nullable(),
  /** Servers of this machine, if no address was given. */
  servers: z.array(localServerSchema),
});
export type Lookup = z.infer<typeof lookupSchema>;
