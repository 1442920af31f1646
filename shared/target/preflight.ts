import { z } from 'zod';
import { fieldErrorSchema } from '../base/problem-schema.ts';
import { negotiatedTlsSchema, tlsVersionSchema } from '../base/tls-profile.ts';
import { type SideName, sideNames } from '../base/transport.ts';
import { bySideSchema, knownSideSchema } from '../base/transport-schema.ts';
import { countSchema, nonNegativeSchema } from '../base/units.ts';
import { fingerprintSchema } from './target.ts';

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
const targetCheckSchema = preflightReportSchema.extend({
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

/** The check, and what it found that the target could name. */
export const preflightAnswerSchema = targetCheckSchema.extend({
  /** Origin of another listener of the process that serves the baseline, which answers the same; null where none is found. */
  twinProposal: z.string().nullable(),
});
export type PreflightAnswer = z.infer<typeof preflightAnswerSchema>;

/** Every failing check, in the order of the checks, so that a cause comes before what follows from it. */
export function failedChecks(sides: PreflightReport['sides']): { side: SideName; check: Check }[] {
  return checkIdSchema.options.flatMap((id) =>
    sideNames.flatMap((side) => {
      const check = sides[side].checks.find((candidate) => candidate.id === id);
      return check?.status === 'fail' ? [{ side, check }] : [];
    }),
  );
}
