import { z } from 'zod';
import { requestSchemas } from '../../base/option-schema.ts';
import { bySideSchema } from '../../base/transport-schema.ts';
import { estimateSchema, permalinkIdSchema } from '../../base/units.ts';
import { billLoadTable, priceTable } from './bill-options.ts';

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

const billRowSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** Money and the GB of bytes are those of a month. */
  unit: z.enum(['cores', 'GB', 'Mbit/s', 'ms', '$']),
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
