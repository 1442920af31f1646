import { z } from 'zod';
import { environmentSchema } from '../../../shared/base/environment.ts';
import { type Estimate, permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import type { Database } from './open-database.ts';
import { jsonText } from './packed-text.ts';

/** Items of finished price lists, read from the history, so that documents stay packed. */

type PriceTables = {
  priceFigures: {
    measurementId: string;
    place: number;
    question: string;
    machine: string | null;
    key: string | null;
    item: string;
    http: number | null;
    difference: number | null;
    differenceLo: number | null;
    differenceHi: number | null;
    loadShare: number | null;
  };
};

const rowSchema = z
  .object({
    id: permalinkIdSchema,
    createdAt: unixMillisSchema,
    request: jsonText(z.unknown()),
    facts: jsonText(z.unknown()),
    environment: jsonText(environmentSchema).nullable(),
    item: z.string(),
    http: z.number().nullable(),
    difference: z.number(),
    differenceLo: z.number(),
    differenceHi: z.number(),
    loadShare: z.number().nullable(),
  })
  .transform(({ difference: center, differenceLo: lo, differenceHi: hi, ...row }) => ({
    ...row,
    difference: { center, lo, hi } satisfies Estimate,
  }));
export type PriceRow = z.infer<typeof rowSchema>;

/** Rows after which the oldest are omitted. */
const mostRows = 2000;

/**
 * Items that have a difference, newest list first. Rows of lists in the bin are not in the history.
 * @param of lists of one server with its options, or those that a machine made of servers that it started
 */
export async function listPriceRows(
  { queries }: Database,
  of: { question: string } | { machine: string },
  items: readonly string[],
): Promise<PriceRow[]> {
  const selected = queries
    .withTables<PriceTables>()
    .selectFrom('priceFigures')
    .innerJoin('measurements', 'measurements.id', 'priceFigures.measurementId')
    .select(['measurements.id', 'createdAt', 'request', 'facts', 'environment', 'item', 'http'])
    .select(['difference', 'differenceLo', 'differenceHi', 'loadShare'])
    .where('state', '=', 'finished')
    .where('item', 'in', items)
    .where('difference', 'is not', null)
    .orderBy('createdAt', 'desc')
    .orderBy('measurements.id', 'desc')
    .orderBy('place')
    .limit(mostRows);
  const rows = await ('question' in of
    ? selected.where('question', '=', of.question)
    : selected.where('machine', '=', of.machine).where('key', 'is not', null)
  ).execute();
  return rows.flatMap((row) => rowSchema.safeParse(row).data ?? []);
}
