import { sql } from 'kysely';
import { z } from 'zod';
import { measurementStateSchema } from '../../shared/measurement.ts';
import { problemSchema } from '../../shared/problem.ts';
import { permalinkIdSchema, unixMillisSchema } from '../../shared/units.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';
import { parseCursor, printCursor } from './page-cursor.ts';

const lineColumns = ['id', 'kind', 'state', 'createdAt', 'endedAt', 'title', 'summary', 'problem'] as const;

/** A measurement as lists show it; `summary` is its kind's. */
const lineSchema = z.object({
  id: permalinkIdSchema,
  kind: z.string(),
  state: measurementStateSchema,
  createdAt: unixMillisSchema,
  endedAt: unixMillisSchema.nullable(),
  title: z.string(),
  summary: jsonText(z.record(z.string(), z.unknown())),
  problem: jsonText(problemSchema).nullable(),
});
export type MeasurementLine = z.infer<typeof lineSchema>;

export async function findLine(database: Database, id: string): Promise<MeasurementLine | null> {
  const row = await database.queries
    .selectFrom('measurements')
    .select(lineColumns)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : lineSchema.parse(row);
}

export type ListFilter = {
  /** Null for all. */
  kinds: readonly string[] | null;
  state?: string | undefined;
  q?: string | undefined;
  limit: number;
  cursor?: string | undefined;
};

/**
 * Newest first, a page at a time. A cursor is the last one of a page, so a page costs the same however many there are,
 * and one that arrives in between moves no other to another page.
 */
export async function listMeasurements(
  database: Database,
  { kinds, state, q, limit, cursor }: ListFilter,
): Promise<{ lines: MeasurementLine[]; nextCursor: string | null }> {
  let rows = database.queries
    .selectFrom('measurements')
    .select(lineColumns)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (kinds !== null) rows = rows.where('kind', 'in', [...kinds]);
  if (state !== undefined) rows = rows.where('state', '=', state);
  if (q !== undefined) {
    const words = q.replaceAll('\0', '').toWellFormed();
    rows = rows.where((where) =>
      where.or([
        where('searchText', 'like', sql<string>`${likePattern(words.toLowerCase())} escape '\\'`),
        where(sql<string>`substr(id, 1, ${sql.lit(words.length)})`, '=', words),
      ]),
    );
  }
  if (cursor !== undefined) {
    const { createdAt, id } = parseCursor(cursor);
    rows = rows.where(sql<boolean>`(created_at, id) < (${createdAt}, ${id})`);
  }
  const found = (await rows.execute()).map((row) => lineSchema.parse(row));
  const lines = found.slice(0, limit);
  const last = lines.at(-1);
  return { lines, nextCursor: found.length > limit && last !== undefined ? printCursor(last) : null };
}

function likePattern(words: string): string {
  return `%${words.replace(/[\\%_]/g, '\\$&')}%`;
}
