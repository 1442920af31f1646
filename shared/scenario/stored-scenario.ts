import { z } from 'zod';
import { countSchema, permalinkIdSchema, unixMillisSchema } from '../base/units.ts';
import { browserActionSchema } from './browser-actions.ts';
import { siteSchema, unsupportedSchema } from './import.ts';
import { scenarioSchema, secretNameSchema } from './scenario.ts';

/** A scenario that a server keeps: a row of revisions, none of which ever changes. */

export const originSchema = z.enum(['editor', 'import', 'recording']);

export const revisionLineSchema = z.strictObject({
  /** ID in its permalink `/s/{id}`. */
  id: permalinkIdSchema,
  /** From 1. */
  number: z.int().positive(),
  createdAt: unixMillisSchema,
  origin: originSchema,
});
export type RevisionLine = z.infer<typeof revisionLineSchema>;

/** Content of a revision. */
export const scenarioDraftSchema = z.strictObject({
  scenario: scenarioSchema,
  origin: originSchema.default('editor'),
  /** Site for which it was recorded or written. Absent: as in the revision before. */
  site: siteSchema.nullable().optional(),
  /** Actions of a person in the browser, if the scenario was made from them. Absent: as in the revision before. */
  actions: z.array(browserActionSchema).max(2000).optional(),
  /** Parts of the source without a place in the scenario. Absent: as in the revision before. */
  unsupported: z.array(unsupportedSchema).max(10_000).optional(),
});
export type ScenarioDraft = z.infer<typeof scenarioDraftSchema>;

export const scenarioChangeSchema = scenarioDraftSchema.extend({
  /** Number of the revision that was edited: the change is refused when there is a newer one. */
  basedOn: z.int().positive().optional(),
});
export type ScenarioChange = z.infer<typeof scenarioChangeSchema>;

export const revisionSchema = revisionLineSchema.extend({
  scenarioId: permalinkIdSchema,
  scenario: scenarioSchema,
  /** Site for which it was recorded or written, and on which it is tried and measured first; null if not known. */
  site: siteSchema.nullable(),
  actions: z.array(browserActionSchema),
  unsupported: z.array(unsupportedSchema),
  /** Names whose values are asked for at launch. */
  secrets: z.array(secretNameSchema),
});
export type Revision = z.infer<typeof revisionSchema>;

/** Id of a scenario that comes with the product, such as `search`, or of one that is stored. */
const libraryIdSchema = z.union([z.string().regex(/^[a-z0-9-]{1,40}$/), permalinkIdSchema]);

export const scenarioLineSchema = z.strictObject({
  id: libraryIdSchema,
  builtIn: z.boolean(),
  name: z.string(),
  description: z.string(),
  /** Number of steps that are switched on. */
  steps: countSchema,
  secrets: z.array(secretNameSchema),
  /** The newest; null for what comes with the product. */
  revision: revisionLineSchema.nullable(),
});
export type ScenarioLine = z.infer<typeof scenarioLineSchema>;

export const storedScenarioSchema = scenarioLineSchema
  .omit({ name: true, description: true, steps: true })
  .extend({
    scenario: scenarioSchema,
    site: siteSchema.nullable(),
    actions: z.array(browserActionSchema),
    unsupported: z.array(unsupportedSchema),
    /** Newest first. */
    revisions: z.array(revisionLineSchema),
  });
export type StoredScenario = z.infer<typeof storedScenarioSchema>;

export const exportFormats = ['playwright', 'k6', 'curl', 'har', 'json'] as const;
export const exportFormatSchema = z.enum(exportFormats);
export type ExportFormat = z.infer<typeof exportFormatSchema>;
