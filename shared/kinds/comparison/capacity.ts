import { z } from 'zod';
import { describe, requestSchemas } from '../../base/option-schema.ts';
import { bySideSchema } from '../../base/transport-schema.ts';
import { estimateSchema, permalinkIdSchema } from '../../base/units.ts';
import { headlineSchema } from '../../measurement/measurement.ts';
import { billLoadTable, loadTable, ownTable, priceTable } from './capacity-options.ts';

/** Monthly cost of a load on both sides: cores, bytes sent, and money. */

export const pricesSchema = z.strictObject(requestSchemas(priceTable));
export type Prices = z.infer<typeof pricesSchema>;

const billLoadSchema = z.strictObject(requestSchemas(billLoadTable));
export type BillLoad = z.infer<typeof billLoadSchema>;

/** Request for the bill of a run, whose page knows everything else. */
export const billRequestSchema = z.strictObject({
  load: billLoadSchema.prefault({}),
  /** The measurement of the kind handshakes that knows what one costs, where the run does not. */
  handshakes: permalinkIdSchema.nullable().default(null),
  prices: pricesSchema.prefault({}),
});
export type BillRequest = z.infer<typeof billRequestSchema>;
export type BillRequestInput = z.input<typeof billRequestSchema>;

const billRowIds = [
  ...(['requests', 'handshakes', 'compute'] as const),
  ...(['responses', 'handshakeBytes', 'egress', 'total'] as const),
] as const;

const billRowSchema = z.strictObject({
  id: z.enum(billRowIds),
  title: z.string(),
  /** Money and GB are those of a month. */
  unit: z.enum(['cores', 'GB', '$']),
  /** Null where it was not measured. */
  ...bySideSchema(estimateSchema.nullable()).shape,
  /** Comparison less baseline. Costs that both have in common have no part in its interval. */
  added: estimateSchema.nullable(),
  /** Source of the figures, or the reason why there are none. */
  note: z.string().nullable(),
});
export type BillRow = z.infer<typeof billRowSchema>;

export const billSchema = z.strictObject({
  /** Names of the sides. */
  sides: bySideSchema(z.string()),
  verdict: z.string(),
  rows: z.array(billRowSchema),
  notIncluded: z.array(z.string()),
});
export type Bill = z.infer<typeof billSchema>;

/** The capacity planner: how many cores a load takes without TLS and with it, and what would change that most. */

export type CapacityVersion = CapacityLoad['version'];

/** Post-quantum keys and groups are defined for TLS 1.3 alone. */
export function goesWith(name: string, version: string): boolean {
  return version === 'TLSv1.3' || !/ML-?(DSA|KEM)/.test(name);
}

export const capacityLoadSchema = z
  .strictObject(requestSchemas(loadTable))
  .superRefine(({ version, key, group }, context) => {
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

/** Each a number, or an estimate with its interval. */
const ownFiguresSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(ownTable).map(([name, option]) => [name, describe(option, givenSchema.optional())]),
  ) as Record<keyof typeof ownTable, z.ZodOptional<typeof givenSchema>>,
);
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
  prices: pricesSchema.prefault({}),
});
export type CapacityRequestInput = z.input<typeof capacityRequestSchema>;

const figureSources = ['pasted', 'measured', 'measured in part', 'typical'] as const;

/** Parts of a load. */
export const partNames = ['request', 'connection', 'full', 'resumed', 'byte'] as const;
export type PartName = (typeof partNames)[number];

const capacityFigureSchema = z.strictObject({
  id: z.enum([...partNames, 'signs']),
  title: z.string(),
  value: estimateSchema,
  unit: z.enum(['µs', 'ns', 'per s']),
  source: z.enum(figureSources),
  /** Source of the figure, in a sentence. */
  from: z.string(),
});
export type CapacityFigure = z.infer<typeof capacityFigureSchema>;

const capacityPartSchema = z.strictObject({
  part: z.enum(partNames),
  title: z.string(),
  /** Busy cores. */
  cores: estimateSchema,
  /** Share of all cores that are busy with TLS. */
  share: z.number(),
  formula: z.string(),
});
export type CapacityPart = z.infer<typeof capacityPartSchema>;

const capacityChangeSchema = z.strictObject({
  title: z.string(),
  /** With it, at the ceiling of utilization. */
  cores: estimateSchema,
  saves: estimateSchema,
  /** Drawbacks of the change; null if there are none. */
  note: z.string().nullable(),
});
export type CapacityChange = z.infer<typeof capacityChangeSchema>;

export const capacityReportSchema = z.strictObject({
  load: capacityLoadSchema,
  figures: z.array(capacityFigureSchema),
  /** Every step with its numbers filled in, in order. */
  formulas: z.array(z.strictObject({ title: z.string(), formula: z.string() })),
  parts: z.array(capacityPartSchema),
  /** At the ceiling of utilization; not rounded up. */
  coresWithout: estimateSchema,
  coresWith: estimateSchema,
  headline: headlineSchema,
  limit: z.string(),
  /** The one that saves most comes first. */
  changes: z.array(capacityChangeSchema),
  /** Signatures a second cap new connections a second; null without a figure of them. */
  bound: z.string().nullable(),
  /** Full handshakes a core as a share of signatures a second, against the old rule. */
  crossCheck: z.string().nullable(),
  bill: billSchema,
  notes: z.array(z.string()),
});
export type CapacityReport = z.infer<typeof capacityReportSchema>;
