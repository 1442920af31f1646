import { sql } from 'kysely';
import { z } from 'zod';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import { tagKey } from '../../../shared/measurement/annotation.ts';
import { measurementStateSchema } from '../../../shared/measurement/measurement.ts';
import { matchesWord, wordsOf } from './find-words.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';
import { type PageQuery, pageOf, parseCursor } from './page-cursor.ts';
import { plainText } from './plain-text.ts';

const lineColumns = [
  'measurements.id',
  'measurements.kind',
  'measurements.state',
  'measurements.createdAt',
  'measurements.endedAt',
  'measurements.title',
  'measurements.summary',
  'measurements.problem',
] as const;

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

export async function listLines(database: Database, ids: readonly string[]): Promise<MeasurementLine[]> {
  if (ids.length === 0) return [];
  const rows = await database.queries
    .selectFrom('measurements')
    .select(lineColumns)
    .where('id', 'in', ids)
    .execute();
  return rows.map((row) => lineSchema.parse(row));
}

export type ListFilter = PageQuery & {
  /** Null for all. */
  kinds: readonly string[] | null;
  state?: string | undefined;
  /** Outcome of the verdict. */
  verdict?: string | undefined;
  /** Name of a target. */
  target?: string | undefined;
  tag?: string | undefined;
  q?: string | undefined;
};

/**
 * Newest first, a page at a time, without what is in the bin. A cursor is the last one of a page, so a page costs the same
 * however many there are, and one that arrives in between moves no other to another page. What narrows the list is a set of ids
 * from a narrow index each: rows are read for the lines of the page alone.
 */
export async function listMeasurements(
  database: Database,
  { kinds, state, verdict, target, tag, q, limit, cursor }: ListFilter,
): Promise<{ page: MeasurementLine[]; nextCursor: string | null }> {
  let rows = database.queries
    .selectFrom('measurements')
    .leftJoin('annotations', 'annotations.measurementId', 'measurements.id')
    .select(lineColumns)
    .where('measurements.id', 'not in', ({ selectFrom }) => selectFrom('bin').select('bin.measurementId'))
    .orderBy('measurements.createdAt', 'desc')
    .orderBy('measurements.id', 'desc')
    .limit(limit + 1);
  if (kinds !== null) rows = rows.where('kind', 'in', [...kinds]);
  if (state !== undefined) rows = rows.where('state', '=', state);
  if (verdict !== undefined) {
    rows = rows.where('measurements.id', 'in', ({ selectFrom }) =>
      selectFrom('measurements as judged').select('judged.id').where('judged.verdict', '=', verdict),
    );
  }
  if (target !== undefined) {
    rows = rows.where('measurements.id', 'in', ({ selectFrom }) =>
      selectFrom('measuredTargets as loaded')
        .select('loaded.measurementId')
        .where('loaded.name', '=', plainText(target)),
    );
  }
  if (tag !== undefined) {
    rows = rows.where('measurements.id', 'in', ({ selectFrom }) =>
      selectFrom('annotationTags as tagged')
        .select('tagged.measurementId')
        .where('tagged.key', '=', tagKey(tag)),
    );
  }
  for (const word of wordsOf(q ?? '')) rows = rows.where(matchesWord(word));
  if (cursor !== undefined) {
    const { at, id } = parseCursor(cursor);
    rows = rows.where(sql<boolean>`(measurements.created_at, measurements.id) < (${at}, ${id})`);
  }
  const found = (await rows.execute()).map((row) => lineSchema.parse(row));
  return pageOf(found, limit, ({ createdAt: at, id }) => ({ at, id }));
}
