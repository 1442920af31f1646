import { z } from 'zod';
import type { Database } from './open-database.ts';
import { packText, unpackText } from './packed-text.ts';

const rowSchema = z.object({ schemaVersion: z.int().positive(), body: z.instanceof(Uint8Array) });

/** Documents of runs, and of the lab. */
type DocumentTable = 'documents' | 'labDocuments';

/** Stores the text of a document as it is, byte for byte; a second time replaces the first. */
export async function storeDocument(
  database: Database,
  table: DocumentTable,
  runId: string,
  schemaVersion: number,
  text: string,
): Promise<void> {
  const body = await packText(text);
  await database.queries
    .insertInto(table)
    .values({ runId, schemaVersion, body })
    .onConflict((conflict) =>
      conflict.column('runId').doUpdateSet((row) => ({
        schemaVersion: row.ref('excluded.schemaVersion'),
        body: row.ref('excluded.body'),
      })),
    )
    .execute();
}

export async function readDocument(
  database: Database,
  table: DocumentTable,
  runId: string,
): Promise<{ schemaVersion: number; text: string } | null> {
  const row = await database.queries
    .selectFrom(table)
    .select(['schemaVersion', 'body'])
    .where('runId', '=', runId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { schemaVersion, body } = rowSchema.parse(row);
  return { schemaVersion, text: await unpackText(body) };
}
