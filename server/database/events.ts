import { sql } from 'kysely';
import { z } from 'zod';
import { type RunEvent, runEventSchema } from '../../shared/progress.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';

/** An event with its place in its run's log: 1, 2, 3 and so on. */
export type LoggedEvent = { id: number; event: RunEvent };

const rowSchema = z.object({ id: z.int().positive(), body: jsonText(runEventSchema) });

/** Appends to the run's log and returns the event's id. One at a time for each run: `openEventLog` sees to it. */
export async function appendEvent(database: Database, runId: string, event: RunEvent): Promise<number> {
  const body = JSON.stringify(event);
  const { id } = await database.queries
    .insertInto('events')
    .columns(['runId', 'id', 'body'])
    .expression((from) =>
      from
        .selectFrom('events')
        .where('runId', '=', runId)
        .select([
          sql<string>`cast(${runId} as text)`.as('runId'),
          sql<number>`coalesce(max(id), 0) + 1`.as('id'),
          sql<string>`cast(${body} as text)`.as('body'),
        ]),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** What came after an id, in order; everything after 0. */
export async function listEvents(database: Database, runId: string, afterId: number): Promise<LoggedEvent[]> {
  const rows = await database.queries
    .selectFrom('events')
    .select(['id', 'body'])
    .where('runId', '=', runId)
    .where('id', '>', afterId)
    .orderBy('id')
    .execute();
  return rows.map((row) => {
    const { id, body } = rowSchema.parse(row);
    return { id, event: body };
  });
}
