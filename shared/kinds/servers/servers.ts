import { z } from 'zod';
import { requestSchemas } from '../../base/option-schema.ts';
import { countSchema } from '../../base/units.ts';
import { serverKeys, serverNames } from '../../target/server-names.ts';
import { serversOptions } from './options.ts';

/**
 * Servers: HTTP against HTTPS on servers that are started for it, over the levels of some factors. A cell is one
 * choice of a level for each factor.
 */

export const cellCiphers = ['AES-128-GCM', 'AES-256-GCM', 'CHACHA20-POLY1305'] as const;
export type CellCipher = (typeof cellCiphers)[number];

/** One cell. What is left out has the base’s level. */
export const cellSettingsSchema = z.strictObject({
  server: z.enum(serverNames).default('nginx'),
  protocol: z.enum(['TLSv1.3', 'TLSv1.2']).default('TLSv1.3'),
  /** Null for the library’s choice. */
  cipher: z.enum(cellCiphers).nullable().default(null),
  key: z.enum(serverKeys).default('P-256'),
  /** Whether connections stay open; else each request has its own. */
  keepAlive: z.boolean().default(true),
  /** Whether a new connection resumes an earlier session. Without new connections it changes nothing. */
  resumption: z.boolean().default(false),
  /** Whether the server demands a certificate of its clients: mutual TLS. */
  clientCertificates: z.boolean().default(false),
  /** Whether the server leaves the encryption of what it sends to the kernel. */
  kTls: z.boolean().default(false),
  /** Connections that ask at the same time. */
  concurrency: z.int().min(1).max(2000).default(32),
  /** Bytes of the document. */
  document: z.int().min(0).max(10_000_000).default(5496),
});
export type CellSettings = z.infer<typeof cellSettingsSchema>;
export type CellSettingsInput = z.input<typeof cellSettingsSchema>;

export const factorNames = cellSettingsSchema.keyof().options;
export type FactorName = (typeof factorNames)[number];

const levelsOf = <Level extends z.ZodType>(level: Level) => z.array(level).min(1).max(20).optional();
const {
  server,
  protocol,
  cipher,
  key,
  keepAlive,
  resumption,
  clientCertificates,
  kTls,
  concurrency,
  document,
} = cellSettingsSchema.shape;

/** The levels to measure; a factor that is left out stays at the base’s. */
export const factorLevelsSchema = z.strictObject({
  server: levelsOf(server.unwrap()),
  protocol: levelsOf(protocol.unwrap()),
  cipher: levelsOf(cipher.unwrap()),
  key: levelsOf(key.unwrap()),
  keepAlive: levelsOf(keepAlive.unwrap()),
  resumption: levelsOf(resumption.unwrap()),
  clientCertificates: levelsOf(clientCertificates.unwrap()),
  kTls: levelsOf(kTls.unwrap()),
  concurrency: levelsOf(concurrency.unwrap()),
  document: levelsOf(document.unwrap()),
});
export type FactorLevels = z.infer<typeof factorLevelsSchema>;

/** `grid`: every combination. `each`: one factor at a time around the base. `cells`: those that are listed. */
export const factorPlanSchema = z.discriminatedUnion('shape', [
  z.strictObject({
    shape: z.literal('grid'),
    base: cellSettingsSchema.prefault({}),
    levels: factorLevelsSchema,
  }),
  z.strictObject({
    shape: z.literal('each'),
    base: cellSettingsSchema.prefault({}),
    levels: factorLevelsSchema,
  }),
  z.strictObject({ shape: z.literal('cells'), cells: z.array(cellSettingsSchema).min(1) }),
]);
export type FactorPlan = z.infer<typeof factorPlanSchema>;
export type FactorPlanInput = z.input<typeof factorPlanSchema>;

export const mostCells = 5000;

export const serversRequestSchema = z.strictObject({
  kind: z.literal('servers'),
  plan: factorPlanSchema,
  ...requestSchemas(serversOptions),
});
export type ServersRequest = z.infer<typeof serversRequestSchema>;
export type ServersRequestInput = z.input<typeof serversRequestSchema>;

export const serversCellSchema = z.strictObject({
  /** Its place in the plan. */
  index: countSchema,
  /** Names it in addresses and tables, such as `nginx-tls13-aes256gcm-rsa2048-keepalive-c32-5496`. */
  id: z.string(),
  settings: cellSettingsSchema,
});
export type ServersCell = z.infer<typeof serversCellSchema>;
