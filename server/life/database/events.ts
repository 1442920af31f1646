import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { type Claim, fenced } from './measurements.ts';
import type { Database } from './open-database.ts';
import { packText, type Tables, unpackTexts } from './packed-text.ts';
import { channel, type Signal } from './tickets.ts';

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

/** One event of a log, as text: 1, 2, 3 and so on. */
export type StoredEvent = { id: number; body: string };

/** All or none. One that is stored already stays as it is. */
export async function storeEvents(
  database: Database,
  claim: Claim,
  events: readonly StoredEvent[],
): Promise<void> {
  const rows = events.map(({ id, body }) => ({ measurementId: claim.id, id, body }));
  await fenced(database, claim, async (transaction) => {
    await transaction
      .insertInto('events')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['measurementId', 'id']).doNothing())
      .execute();
    await signal(database, transaction, { about: 'events', id: claim.id });
  });
}

const eventSchema = z.object({ id: z.int().positive(), body: z.string() });

/** Events after an ID, in order; 0 returns all of them. */
export async function listEvents(
  { queries }: Database,
  measurementId: string,
  afterId: number,
): Promise<StoredEvent[]> {
  const rows = await queries
    .selectFrom('events')
    .select(['id', 'body'])
    .where('measurementId', '=', measurementId)
    .where('id', '>', afterId)
    .orderBy('id')
    .execute();
  return rows.map((row) => eventSchema.parse(row));
}

/** Wakes the other processes once the transaction is committed; nothing where nobody shares the database. */
export async function signal(
  database: Database,
  queries: Transaction<Tables> | Database['queries'],
  { about, id, ...rest }: Signal,
): Promise<void> {
  if (database.shared === null) return;
  const text = 'text' in rest ? ` ${rest.text}` : '';
  await sql`select pg_notify(${channel}, ${`${about} ${id}${text}`})`.execute(queries);
}
