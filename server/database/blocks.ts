import { z } from 'zod';
import { type Claim, fenced } from './fenced.ts';
import type { Database } from './open-database.ts';
import { packText, unpackText } from './packed-text.ts';

/** Finished parts of a measurement, in the order in which they were measured. */

/** The block is on the disk when this resolves. A second one of the same index replaces the first. */
export async function storeBlock(
  database: Database,
  claim: Claim,
  blockIndex: number,
  block: unknown,
): Promise<void> {
  const body = await packText(JSON.stringify(block));
  await fenced(database, claim, (transaction) =>
    transaction
      .insertInto('blocks')
      .values({ measurementId: claim.id, blockIndex, body })
      .onConflict((conflict) =>
        conflict
          .columns(['measurementId', 'blockIndex'])
          .doUpdateSet((row) => ({ body: row.ref('excluded.body') })),
      )
      .execute(),
  );
}

export async function listBlocks(database: Database, measurementId: string): Promise<unknown[]> {
  const rows = await database.queries
    .selectFrom('blocks')
    .select('body')
    .where('measurementId', '=', measurementId)
    .orderBy('blockIndex')
    .execute();
  const texts = await Promise.all(rows.map(({ body }) => unpackText(z.instanceof(Uint8Array).parse(body))));
  return texts.map((text) => JSON.parse(text));
}
