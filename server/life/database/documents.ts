import { z } from 'zod';
import type { Database } from './open-database.ts';
import { unpackText } from './packed-text.ts';

/** `packed` is the Brotli of its text. `unpack` throws database_damaged. */
type StoredDocument = { schemaVersion: number; packed: Uint8Array; unpack: () => Promise<string> };

const rowSchema = z.object({ schemaVersion: z.int().positive(), body: z.instanceof(Uint8Array) });

/** A document as it was stored, byte for byte; `storeEnding` writes it. */
export async function readDocument(
  database: Database,
  measurementId: string,
): Promise<StoredDocument | null> {
  const row = await database.queries
    .selectFrom('documents')
    .select(['schemaVersion', 'body'])
    .where('measurementId', '=', measurementId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { schemaVersion, body } = rowSchema.parse(row);
  return { schemaVersion, packed: body, unpack: () => unpackText(body) };
}
