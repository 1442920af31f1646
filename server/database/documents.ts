import { z } from 'zod';
import type { Database } from './open-database.ts';
import { unpackText } from './packed-text.ts';

const rowSchema = z.object({ schemaVersion: z.int().positive(), body: z.instanceof(Uint8Array) });

/** The text of a document as it was stored, byte for byte; `storeEnding` writes it. */
export async function readDocument(
  database: Database,
  measurementId: string,
): Promise<{ schemaVersion: number; text: string } | null> {
  const row = await database.queries
    .selectFrom('documents')
    .select(['schemaVersion', 'body'])
    .where('measurementId', '=', measurementId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { schemaVersion, body } = rowSchema.parse(row);
  return { schemaVersion, text: await unpackText(body) };
}
