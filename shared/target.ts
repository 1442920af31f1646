import { z } from 'zod';
import { armSchema, transportSchema } from './transport.ts';
import { countSchema, nonNegativeSchema } from './units.ts';

/** What a run is pointed at, as asked for and as resolved to listeners. */

function originSchema(protocol: 'http:' | 'https:') {
  const scheme = protocol.slice(0, -1);
  return z.url().superRefine((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null) return;
    if (url.protocol !== protocol) {
      context.addIssue({ code: 'custom', message: `the ${scheme} side starts with ${scheme}://` });
    } else if (url.username !== '' || url.password !== '') {
      context.addIssue({ code: 'custom', message: 'an origin holds no user name and no password' });
    } else if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
      context.addIssue({
        code: 'custom',
        message: `an origin ends after the port, such as ${scheme}://127.0.0.1:8080`,
      });
    }
  });
}

export const originsTargetSchema = z.strictObject({
  kind: z.literal('origins'),
  http: originSchema('http:'),
  https: originSchema('https:'),
  /** PEM of the certificate authority that signed the https side's certificate, when it is not a public one. */
  ca: z
    .string()
    .max(100_000)
    .regex(/-----BEGIN CERTIFICATE-----/, 'ca is a PEM certificate')
    .optional(),
  /** Process of the target; found by its listening port when absent. */
  pid: z.int().positive().max(4_194_304).optional(),
});
export type OriginsTarget = z.infer<typeof originsTargetSchema>;

export const targetSchema = z.discriminatedUnion(
  'kind',
  [z.strictObject({ kind: z.literal('storefront') }), originsTargetSchema],
  { error: 'target is "storefront" or an object with the origins http and https' },
);
export type Target = z.infer<typeof targetSchema>;
export type TargetKind = Target['kind'];
export type TargetOf<Kind extends TargetKind> = Extract<Target, { kind: Kind }>;

/** The short forms: the name of a target without parameters, and two origins without a kind. */
export type TargetInput = Target | 'storefront' | Omit<OriginsTarget, 'kind'>;

/** What the API takes, and what older runs have stored. */
export const targetRequestSchema = z.preprocess((asked: TargetInput): unknown => {
  if (typeof asked === 'string') return asked === 'storefront' ? { kind: asked } : asked;
  if (typeof asked !== 'object' || asked === null || 'kind' in asked) return asked;
  return { kind: 'origins', ...(asked as object) };
}, targetSchema);

/** One listener that an arm is sent to, resolved once per run and pinned. */
export const listenerSchema = z.strictObject({
  arm: armSchema,
  transport: transportSchema,
  /** Name for the Host header, SNI and certificate check. */
  hostname: z.string(),
  /** IP address that every connection of the run goes to. */
  address: z.string(),
  port: z.int().min(1).max(65535),
  /** PEM of the authority to trust; null for the system's. */
  ca: z.string().nullable(),
  /** Root of the process tree whose resources are read; null when it is not known. */
  pid: z.int().positive().nullable(),
});
export type Listener = z.infer<typeof listenerSchema>;

/** What a target of ours counted about itself since it started: the second witness of a slot. */
export const targetCountersSchema = z.strictObject({
  cpuUs: nonNegativeSchema,
  rssBytes: countSchema,
  requests: countSchema,
  connections: countSchema,
  handshakesFull: countSchema,
  handshakesResumed: countSchema,
});
export type TargetCounters = z.infer<typeof targetCountersSchema>;
