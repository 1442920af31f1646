import { z } from 'zod';
import { permalinkIdSchema } from '../../base/units.ts';
import { groupNames, keyNames, type TlsVersion } from '../handshakes/handshake-names.ts';
import { estimateSchema } from './comparison.ts';

/** The capacity planner: how many cores a load takes without TLS and with it, and what would change that most. */

export const capacityVersions = ['TLSv1.3', 'TLSv1.2'] as const satisfies readonly TlsVersion[];
export type CapacityVersion = (typeof capacityVersions)[number];

/** Post-quantum keys and groups are defined for TLS 1.3 alone. */
export function goesWith(name: string, version: string): boolean {
  return version === 'TLSv1.3' || !/ML-?(DSA|KEM)/.test(name);
}

const figuresOfLoadSchema = z.strictObject({
  visitsPerS: z.number().positive().max(1e7).default(100),
  requestsPerVisit: z.number().min(1).max(10_000).default(20),
  /** Of one response, on average. */
  pageBytes: z.number().min(0).max(1e10).default(25_000),
  /** Share of the visits that come with a session of an earlier one. */
  returningShare: z.number().min(0).max(1).default(0.5),
  /** Without, every request has a connection of its own. */
  keepAlive: z.boolean().default(true),
  /** Opened at once by one visit; counts with keep-alive only. HTTP/2 needs one. */
  connectionsPerVisit: z.number().min(1).max(1000).default(2),
  /** Whether the server takes sessions up again. */
  resumption: z.boolean().default(true),
  /** What most visitors agree on. */
  version: z.enum(capacityVersions).default('TLSv1.3'),
  key: z.enum(keyNames).default('RSA-2048'),
  group: z.enum(groupNames).default('X25519MLKEM768'),
  /** As busy as a core may be. */
  utilisation: z.number().min(0.05).max(1).default(0.7),
});

export const capacityLoadSchema = figuresOfLoadSchema.superRefine(({ version, key, group }, context) => {
  for (const [field, name] of Object.entries({ key, group })) {
    if (goesWith(name, version)) continue;
    const instead = field === 'key' ? 'P-256 or RSA-2048' : 'X25519 or P-256';
    context.addIssue({
      code: 'custom',
      path: [field],
      message: `${name} needs TLSv1.3; with ${version}, use ${instead}`,
    });
  }
});
export type CapacityLoad = z.infer<typeof capacityLoadSchema>;

const givenSchema = z.union([
  z
    .number()
    .nonnegative()
    .max(1e12)
    .transform((value) => ({ center: value, lo: value, hi: value })),
  estimateSchema.refine(({ center, lo, hi }) => 0 <= lo && lo <= center && center <= hi, {
    error: 'an estimate has 0 ≤ lo ≤ center ≤ hi',
  }),
]);

/** What is pasted in goes before what was measured. Each a number, or an estimate with its interval. */
const ownFiguresSchema = z.strictObject({
  /** Server CPU of one request without TLS at load, in microseconds. */
  requestUs: givenSchema.optional(),
  /** Server CPU of accepting a connection, in microseconds. */
  connectionUs: givenSchema.optional(),
  /** The server's part of a full and of a resumed handshake with the key and group of the load, in microseconds. */
  fullUs: givenSchema.optional(),
  resumedUs: givenSchema.optional(),
  /** Encrypting one byte, in nanoseconds. */
  nsPerByte: givenSchema.optional(),
  /** Of the load's key. */
  signsPerS: givenSchema.optional(),
});
export type OwnFigures = z.infer<typeof ownFiguresSchema>;

export const capacityRequestSchema = z.strictObject({
  load: capacityLoadSchema.prefault({}),
  figures: z
    .strictObject({
      /** Measurements of this server: handshakes, speed, and a paired run. */
      handshakes: permalinkIdSchema.nullable().default(null),
      speed: permalinkIdSchema.nullable().default(null),
      comparison: permalinkIdSchema.nullable().default(null),
      own: ownFiguresSchema.prefault({}),
    })
    .prefault({}),
});
export type CapacityRequestInput = z.input<typeof capacityRequestSchema>;

const figureSources = ['pasted', 'measured', 'measured in part', 'typical'] as const;

const capacityFigureSchema = z.strictObject({
  id: z.enum(['request', 'connection', 'full', 'resumed', 'byte', 'signs']),
  title: z.string(),
  value: estimateSchema,
  unit: z.enum(['µs', 'ns', 'per s']),
  source: z.enum(figureSources),
  /** Where it is from, in a sentence. */
  from: z.string(),
});
export type CapacityFigure = z.infer<typeof capacityFigureSchema>;

const capacityPartSchema = z.strictObject({
  part: z.enum(['request', 'connection', 'full', 'resumed', 'byte']),
  title: z.string(),
  /** Busy cores. */
  cores: estimateSchema,
  /** Of all that is busy with TLS. */
  share: z.number(),
  formula: z.string(),
});
export type CapacityPart = z.infer<typeof capacityPartSchema>;

const capacityChangeSchema = z.strictObject({
  title: z.string(),
  /** With it, at the ceiling of utilisation. */
  cores: estimateSchema,
  saves: estimateSchema,
  /** What it costs otherwise; null when there is nothing to say. */
  note: z.string().nullable(),
});
export type CapacityChange = z.infer<typeof capacityChangeSchema>;

export const capacityReportSchema = z.strictObject({
  load: capacityLoadSchema,
  figures: z.array(capacityFigureSchema),
  /** Every step with its numbers filled in, in order. */
  formulas: z.array(z.strictObject({ title: z.string(), formula: z.string() })),
  parts: z.array(capacityPartSchema),
  /** At the ceiling of utilisation; not rounded up. */
  coresWithout: estimateSchema,
  coresWith: estimateSchema,
  verdict: z.string(),
  limit: z.string(),
  /** The one that saves most comes first. */
  changes: z.array(capacityChangeSchema),
  /** Signatures a second cap new connections a second; null without a figure of them. */
  bound: z.string().nullable(),
  /** Full handshakes a core as a share of signatures a second, against the old rule. */
  crossCheck: z.string().nullable(),
  notes: z.array(z.string()),
});
export type CapacityReport = z.infer<typeof capacityReportSchema>;
