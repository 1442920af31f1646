import { sql } from 'kysely';
import { z } from 'zod';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';
import { upgradeEvent } from './upgrade-sides.ts';

/** An event with its place in its log: 1, 2, 3 and so on. */
export type LoggedEvent<Event> = { id: number; event: Event };

/** The stored logs of one kind of measurement, each an append-only list of events. */
export type StoredLogs<Event> = {
  /** Appends to a log and returns the event's id. One at a time for each log: `openEventLog` sees to it. */
  append(runId: string, event: Event): Promise<number>;
  /** What came after an id, in order; everything after 0. */
  list(runId: string, afterId: number): Promise<LoggedEvent<Event>[]>;
};

export function storedLogs<Event>(
  { queries }: Database,
  table: 'events' | 'labEvents',
  eventSchema: z.ZodType<Event>,
): StoredLogs<Event> {
  const rowSchema = z.object({
    id: z.int().positive(),
    body: jsonText(z.preprocess(upgradeEvent, eventSchema)),
  });
  return {
    async append(runId, event) {
      const body = JSON.stringify(event);
      const { id } = await queries
        .insertInto(table)
        .columns(['runId', 'id', 'body'])
        .expression((from) =>
          from
            .selectFrom(table)
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
    },
    async list(runId, afterId) {
      const rows = await queries
        .selectFrom(table)
        .select(['id', 'body'])
        .where('runId', '=', runId)
        .where('id', '>', afterId)
        .orderBy('id')
        .execute();
      return rows.map((row) => {
        const { id, body } = rowSchema.parse(row);
        return { id, event: body };
      });
    },
  };
}
