import { z } from 'zod';
import {
  type Revision,
  type RevisionLine,
  revisionLineSchema,
  revisionSchema,
} from '../../../shared/scenario/stored-scenario.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';
import { packText, unpackText } from './packed-text.ts';

/** Revisions of stored scenarios: written once, then only read, until their scenario is deleted. */

const contentSchema = revisionSchema.pick({
  scenario: true,
  site: true,
  actions: true,
  unsupported: true,
  secrets: true,
});
export type RevisionContent = z.infer<typeof contentSchema>;

export async function packContent(content: RevisionContent): Promise<Uint8Array> {
  return packText(JSON.stringify(content));
}

export async function findRevision(database: Database, id: string): Promise<Revision | null> {
  const row = await database.queries
    .selectFrom('revisions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : readRevision(row);
}

/** The newest of a scenario. */
export async function findNewestRevision(database: Database, scenarioId: string): Promise<Revision | null> {
  const row = await database.queries
    .selectFrom('revisions')
    .selectAll()
    .where('scenarioId', '=', scenarioId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : readRevision(row);
}

/** Newest first. */
export async function listRevisions(database: Database, scenarioId: string): Promise<RevisionLine[]> {
  const rows = await database.queries
    .selectFrom('revisions')
    .select(['id', 'number', 'createdAt', 'origin'])
    .where('scenarioId', '=', scenarioId)
    .orderBy('number', 'desc')
    .execute();
  return rows.map((row) => revisionLineSchema.parse(row));
}

async function readRevision({ body, ...line }: Record<string, unknown>): Promise<Revision> {
  const text = await unpackText(z.instanceof(Uint8Array).parse(body));
  return revisionSchema.parse({ ...line, ...jsonText(contentSchema).parse(text) });
}
