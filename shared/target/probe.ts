import { z } from 'zod';
import { negotiatedTlsSchema } from '../base/tls-profile.ts';
import { bothWaysSchema, countSchema, nonNegativeSchema } from '../base/units.ts';
import { secretValuesSchema } from '../scenario/scenario.ts';
import { certificateSchema } from './target.ts';

/** The resumption proof: what a target agrees on, and whether it takes a session up again, connection by connection. */

export const reconnections = 5;

export const probedVersions = ['TLSv1.3', 'TLSv1.2'] as const;
export type ProbedVersion = (typeof probedVersions)[number];

function holdsNoSecret(text: string): boolean {
  const url = URL.parse(text);
  return url === null || (url.username === '' && url.password === '');
}

export const probeRequestSchema = z.strictObject({
  /** Address of the target without anything after the port, because nothing is requested. */
  url: z
    .url({ protocol: /^https$/, error: 'url must start with https://' })
    .max(2000)
    .refine(holdsNoSecret, 'url must not contain a user name or password'),
  /** PEM of the certificate authority that signed its certificate, when it is not a public one. */
  ca: certificateSchema('ca').optional(),
  /** PEM of the certificate to present, where the target demands one. Its key is the secret `client_key`. */
  clientCertificate: certificateSchema('clientCertificate').optional(),
  secrets: secretValuesSchema.default({}),
});
export type ProbeRequest = z.infer<typeof probeRequestSchema>;
export type ProbeRequestInput = z.input<typeof probeRequestSchema>;

const sessionKinds = ['ticket', 'session id'] as const;

/** A session as the server gave it. */
const givenSessionSchema = z.strictObject({
  kind: z.enum(sessionKinds),
  /** How long the server means to take it; null when it does not say. */
  lifetimeS: countSchema.nullable(),
  /** Size of the ticket; 0 for a session id. */
  ticketBytes: countSchema,
});
export type GivenSession = z.infer<typeof givenSessionSchema>;

const madeSchema = z.strictObject({
  status: z.literal('made'),
  /** Whether a session was offered, and whether the server took it up. */
  offered: z.boolean(),
  reused: z.boolean(),
  helloRetry: z.boolean(),
  connectMs: nonNegativeSchema,
  handshakeMs: nonNegativeSchema,
  /** Up to the end of the handshake, records included; with the tickets that came after it. */
  handshakeBytes: bothWaysSchema,
  withTicketsBytes: bothWaysSchema,
  sessions: z.array(givenSessionSchema),
});
export type MadeConnection = z.infer<typeof madeSchema>;

const probedConnectionSchema = z.discriminatedUnion('status', [
  madeSchema,
  z.strictObject({ status: z.literal('failed'), offered: z.boolean(), reason: z.string() }),
]);
export type ProbedConnection = z.infer<typeof probedConnectionSchema>;

const probedCertificateSchema = z.strictObject({
  subject: z.string(),
  issuer: z.string(),
  /** Such as `EC P-256`. */
  key: z.string(),
  /** Days, as `2026-11-21`. */
  validFrom: z.string(),
  validTo: z.string(),
  bytes: countSchema,
});
export type ProbedCertificate = z.infer<typeof probedCertificateSchema>;

const versionReportSchema = z.discriminatedUnion('status', [
  z.strictObject({
    status: z.literal('answered'),
    version: z.enum(probedVersions),
    verdict: z.string(),
    negotiated: negotiatedTlsSchema,
    /** Certificates as sent, the server's own first. */
    certificates: z.array(probedCertificateSchema),
    certificateBytes: countSchema,
    /** The first is full; the others offer the newest session there is. */
    connections: z.array(probedConnectionSchema),
  }),
  z.strictObject({
    status: z.literal('refused'),
    version: z.enum(probedVersions),
    reason: z.string(),
    /** Original words of the system or the TLS library, if none of ours fit. */
    details: z.string().optional(),
  }),
]);
export type VersionReport = z.infer<typeof versionReportSchema>;

export const probeReportSchema = z.strictObject({
  origin: z.string(),
  address: z.string(),
  /** A sentence for each version. */
  verdict: z.string(),
  /** Whether the certificate is trusted, and why not; null when there was no handshake. */
  trust: z.strictObject({ trusted: z.boolean(), message: z.string() }).nullable(),
  versions: z.array(versionReportSchema),
});
export type ProbeReport = z.infer<typeof probeReportSchema>;
