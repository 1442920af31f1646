import { z } from 'zod';
import { type Claim, fenced } from './fenced.ts';
import type { Database } from './open-database.ts';
import { signal } from './signal.ts';

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

/** What came after an id, in order; everything after 0. */
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
