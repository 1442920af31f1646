import { z } from 'zod';
import { type Claim, fenced } from './fenced.ts';
import type { Database } from './open-database.ts';
import { packText, unpackTexts } from './packed-text.ts';

/** Finished parts of a measurement, in the order in which they were measured. */

/**
 * The block is on the disk when this resolves. A second one of the same index replaces the first.
 * @param place what it is about, by its kind
 */
export async function storeBlock(
  database: Database,
  claim: Claim,
  blockIndex: number,
  block: unknown,
  place: number | null = null,
): Promise<void> {
  const body = await packText(JSON.stringify(block));
  await fenced(database, claim, (transaction) =>
    transaction
      .insertInto('blocks')
      .values({ measurementId: claim.id, blockIndex, place, body })
      .onConflict((conflict) =>
        conflict
          .columns(['measurementId', 'blockIndex'])
          .doUpdateSet((row) => ({ place: row.ref('excluded.place'), body: row.ref('excluded.body') })),
      )
      .execute(),
  );
}

/** @param place of the only ones to read; left out for all */
export async function listBlocks(
  database: Database,
  measurementId: string,
  place?: number,
): Promise<unknown[]> {
  const all = database.queries
    .selectFrom('blocks')
    .select('body')
    .where('measurementId', '=', measurementId)
    .orderBy('blockIndex');
  const chosen = place === undefined ? all : all.where('place', '=', place);
  const rows = await chosen.execute();
  const texts = await unpackTexts(rows.map(({ body }) => z.instanceof(Uint8Array).parse(body)));
  return texts.map((text) => JSON.parse(text));
}
