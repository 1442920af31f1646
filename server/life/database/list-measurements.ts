import { sql } from 'kysely';
import { z } from 'zod';
import { problemOfField } from '../../../shared/base/problem.ts';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import { type ListChoices, tagKey } from '../../../shared/measurement/annotation.ts';
import { measurementStateSchema } from '../../../shared/measurement/measurement.ts';
import type { Database } from './open-database.ts';
import { jsonText } from './packed-text.ts';

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

/** Further ones are rare, and are found by searching. */
const most = 200;

/** Filters of the list, each with its number of measurements, the most frequent first. Excludes the bin. */
export async function listChoices({ queries }: Database): Promise<ListChoices> {
  const targets = await queries
    .selectFrom('measuredTargets')
    .select(({ fn }) => ['name', fn.countAll().as('count')])
    .where('measurementId', 'not in', ({ selectFrom }) => selectFrom('bin').select('bin.measurementId'))
    .groupBy('name')
    .orderBy('count', 'desc')
    .orderBy('name')
    .limit(most)
    .execute();
  const tags = await queries
    .selectFrom('annotationTags')
    .select(({ fn }) => [fn.min('name').as('name'), fn.countAll().as('count')])
    .where('measurementId', 'not in', ({ selectFrom }) => selectFrom('bin').select('bin.measurementId'))
    .groupBy('key')
    .orderBy('count', 'desc')
    .orderBy('key')
    .limit(most)
    .execute();
  const kinds = await queries
    .selectFrom('measurements')
    .select(({ fn }) => ['kind as name', fn.countAll().as('count')])
    .where('id', 'not in', ({ selectFrom }) => selectFrom('bin').select('bin.measurementId'))
    .groupBy('kind')
    .orderBy('count', 'desc')
    .orderBy('kind')
    .execute();
  return { targets: targets.map(counted), tags: tags.map(counted), kinds: kinds.map(counted) };
}

function counted({ name, count }: { name: string; count: string | number | bigint }) {
  return { name, count: Number(count) };
}

const attemptSchema = z.object({
  id: permalinkIdSchema,
  kind: z.string(),
  state: measurementStateSchema,
  createdAt: unixMillisSchema,
  problem: jsonText(problemSchema).nullable(),
  isBinned: z.unknown().transform((measurementId) => measurementId !== null),
});
export type Attempt = z.infer<typeof attemptSchema>;

const attemptsMost = 200;

/** Measurements of one request, the newest first; those in the bin are among them. */
export async function listAttempts({ queries }: Database, requestHash: string): Promise<Attempt[]> {
  const rows = await queries
    .selectFrom('measurements')
    .leftJoin('bin', 'bin.measurementId', 'measurements.id')
    .select(['id', 'kind', 'state', 'createdAt', 'problem', 'bin.measurementId as isBinned'])
    .where('requestHash', '=', requestHash)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(attemptsMost)
    .execute();
  return rows.map((row) => attemptSchema.parse(row));
}

/** The last one of a page, where the next page goes on: whatever has arrived in between moves nothing. */
type Cursor = { at: number; id: string };

export type PageQuery = { limit: number; cursor?: string | undefined };

/** The page of what was found, which is one more where another page follows. */
export function pageOf<Row>(
  found: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => Cursor,
): { page: Row[]; nextCursor: string | null } {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  if (found.length <= limit || last === undefined) return { page, nextCursor: null };
  const { at, id } = cursorOf(last);
  return { page, nextCursor: `${at}-${id}` };
}

/** Throws invalid_request, naming the field. */
export function parseCursor(text: string): Cursor {
  const [, at, id] = /^(\d{1,15})-([\w-]{22})$/.exec(text) ?? [];
  if (at !== undefined && id !== undefined) return { at: Number(at), id };
  throw problemOfField(
    'invalid_request',
    'cursor',
    'a cursor is the nextCursor of an earlier page',
    'The query: cursor',
  );
}

/** Each of them must be found: in what was measured, in what is written on it, or at the start of the id. */
export function wordsOf(q: string): Set<string> {
  const words = plainText(q).split(/\s+/);
  return new Set(words.filter((word) => word !== ''));
}

/** Condition on measurements that are joined with their annotations. */
export function matchesWord(word: string) {
  const pattern = `%${word.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`(measurements.search_text like ${pattern} escape '\\' or annotations.search_text like ${pattern} escape '\\'
    or substr(measurements.id, 1, ${sql.lit(word.length)}) = ${word})`;
}

/** PostgreSQL stores no NUL and no half of a surrogate pair in a text. */
export function plainText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
