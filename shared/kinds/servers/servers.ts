import { z } from 'zod';
import { exactSchemas, requestSchemas } from '../../base/option-schema.ts';
import { countSchema } from '../../base/units.ts';
import { factorTable, levelTable, serversTable } from './options.ts';

/**
 * Servers: HTTP against HTTPS on servers that are started for it, over the levels of some factors. A cell is one
 * choice of a level for each factor.
 */

/** One cell. What is left out has the base’s level. */
export const cellSettingsSchema = z.strictObject(requestSchemas(factorTable));
export type CellSettings = z.infer<typeof cellSettingsSchema>;

export const factorNames = cellSettingsSchema.keyof().options;
export type FactorName = (typeof factorNames)[number];

/** The levels to measure; a factor that is left out stays at the base’s. */
const factorLevelsSchema = z.strictObject(exactSchemas(levelTable)).partial();
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
  ...requestSchemas(serversTable),
});
export type ServersRequest = z.infer<typeof serversRequestSchema>;

export const serversCellSchema = z.strictObject({
  /** Its place in the plan. */
  index: countSchema,
  /** Names it in addresses and tables, such as `nginx-tls13-aes256gcm-rsa2048-keepalive-c32-5496`. */
  id: z.string(),
  settings: cellSettingsSchema,
});
export type ServersCell = z.infer<typeof serversCellSchema>;
