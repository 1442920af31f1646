import { z } from 'zod';
import { requestSchemas } from '../../base/option-schema.ts';
import { bySideSchema } from '../../base/transport-schema.ts';
import { permalinkIdSchema } from '../../base/units.ts';
import { billLoadTable, priceTable } from './capacity-options.ts';
import { estimateSchema } from './comparison.ts';

/** What a load costs in a month on both sides: cores, bytes sent, and money. */

export const pricesSchema = z.strictObject(requestSchemas(priceTable));
export type Prices = z.infer<typeof pricesSchema>;

const billLoadSchema = z.strictObject(requestSchemas(billLoadTable));
export type BillLoad = z.infer<typeof billLoadSchema>;

/** Of a run, whose page knows everything else. */
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
  /** Of the comparison less the baseline. What both have in common has no part in its interval. */
  added: estimateSchema.nullable(),
  /** Where it is from, or what is missing. */
  note: z.string().nullable(),
});
export type BillRow = z.infer<typeof billRowSchema>;

export const billSchema = z.strictObject({
  /** What the sides are called. */
  sides: bySideSchema(z.string()),
  verdict: z.string(),
  rows: z.array(billRowSchema),
  notIncluded: z.array(z.string()),
});
export type Bill = z.infer<typeof billSchema>;
