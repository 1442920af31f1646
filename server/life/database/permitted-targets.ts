import { z } from 'zod';
import { permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import {
  capsSchema,
  permitSchema,
  type TargetEvent,
  targetActionSchema,
  targetEventSchema,
} from '../../../shared/target/permitted-target.ts';
import { printActor } from '../../../shared/team/identity.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';
import { plainText } from './plain-text.ts';

const rowSchema = permitSchema.extend({
  id: permalinkIdSchema,
  caps: jsonText(capsSchema),
  allowedBy: z.string(),
  allowedAt: unixMillisSchema,
  why: z.string(),
});
export type PermittedRow = z.infer<typeof rowSchema>;

/** In the order in which they were allowed. */
export async function listPermitted({ queries }: Database): Promise<PermittedRow[]> {
  const rows = await queries
    .selectFrom('permittedTargets')
    .selectAll()
    .orderBy('allowedAt')
    .orderBy('id')
    .execute();
  return rows.map((row) => rowSchema.parse(row));
}

/** Takes the place of an earlier one of the same host. */
export async function storePermitted({ queries }: Database, row: PermittedRow): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('permittedTargets').where('host', '=', row.host).execute();
    await transaction
      .insertInto('permittedTargets')
      .values({ ...row, caps: JSON.stringify(row.caps), why: plainText(row.why) })
      .execute();
  });
}

/** Its host; null when there is none of that id. */
export async function removePermitted({ queries }: Database, id: string): Promise<string | null> {
  const row = await queries
    .deleteFrom('permittedTargets')
    .where('id', '=', id)
    .returning('host')
    .executeTakeFirst();
  return row?.host ?? null;
}

/** What was done with targets, the newest first. */
export async function listTargetEvents({ queries }: Database, limit: number): Promise<TargetEvent[]> {
  const rows = await queries
    .selectFrom('auditLog')
    .select(['id', 'at', 'who', 'keyName as key', 'what', 'host', 'note'])
    .where('what', 'in', targetActionSchema.options)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ key, ...row }) =>
    targetEventSchema.parse({ ...row, who: printActor({ name: row.who, key }) }),
  );
}
