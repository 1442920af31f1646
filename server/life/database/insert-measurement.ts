import type { Transaction } from 'kysely';
import {
  type Annotation,
  type AnnotationChange,
  blankAnnotation,
  changeAnnotation,
  tagKey,
} from '../../../shared/measurement/annotation.ts';
import { plainText } from './list-measurements.ts';
import type { Database } from './open-database.ts';
import type { Tables } from './packed-text.ts';

export type NewMeasurement = {
  id: string;
  kind: string;
  createdAt: number;
  title: string;
  summary: Record<string, unknown>;
  request: unknown;
  facts: unknown;
  /** Revision of the stored scenario that it uses. */
  revisionId: string | null;
  deleteTokenHash: string;
  requestHash: string;
  searchText: string;
  idempotencyHash: string | null;
  /** Names of what it loads, to find it by. */
  targets: readonly string[];
  annotation: Annotation;
  /** Schedule that it is measured for; omitted if somebody started it. */
  scheduleId?: string | undefined;
  /** ID of the user; null where nobody was signed in. */
  startedBy?: string | null;
};

/** In the transaction that queues it. */
export type Enroll = (transaction: Transaction<Tables>) => Promise<void>;

/**
 * False when another one has the same idempotency key; nothing is stored then.
 * @param enroll stores more in the same transaction
 */
export async function insertMeasurement(
  { queries }: Database,
  measurement: NewMeasurement,
  enroll: Enroll = async () => {},
): Promise<boolean> {
  return queries.transaction().execute((transaction) => insertIn(transaction, measurement, enroll));
}

export async function insertIn(
  transaction: Transaction<Tables>,
  measurement: NewMeasurement,
  enroll: Enroll,
): Promise<boolean> {
  const {
    title,
    searchText,
    summary,
    request,
    facts,
    targets,
    annotation,
    scheduleId,
    startedBy,
    ...columns
  } = measurement;
  const inserted = await transaction
    .insertInto('measurements')
    .values({
      ...columns,
      startedAt: null,
      endedAt: null,
      state: 'queued',
      fence: 0,
      title: plainText(title),
      searchText: plainText(searchText).toLowerCase(),
      summary: JSON.stringify(summary),
      verdict: null,
      continues: null,
      problem: null,
      request: JSON.stringify(request),
      facts: JSON.stringify(facts),
      environment: null,
    })
    .onConflict((conflict) => conflict.column('idempotencyHash').doNothing())
    .returning('id')
    .execute();
  if (inserted.length === 0) return false;
  for (const name of new Set(targets.map(plainText))) {
    await transaction.insertInto('measuredTargets').values({ measurementId: columns.id, name }).execute();
  }
  await storeAnnotation(transaction, columns.id, annotation);
  if (scheduleId !== undefined) {
    await transaction.insertInto('scheduled').values({ measurementId: columns.id, scheduleId }).execute();
  }
  await storeStarter(transaction, columns.id, startedBy ?? null);
  await enroll(transaction);
  return true;
}

/** Who started a measurement, or took it up again, and may cancel it. Null, a program of this machine, leaves it to whoever it was. */
export async function storeStarter(
  queries: Database['queries'],
  measurementId: string,
  userId: string | null,
): Promise<void> {
  if (userId === null) return;
  await queries
    .insertInto('starters')
    .values({ measurementId, userId })
    .onConflict((conflict) => conflict.column('measurementId').doUpdateSet({ userId }))
    .execute();
}

/** ID of the user; null where nobody was signed in. */
export async function findStarter({ queries }: Database, measurementId: string): Promise<string | null> {
  const row = await queries
    .selectFrom('starters')
    .select('userId')
    .where('measurementId', '=', measurementId)
    .executeTakeFirst();
  return row?.userId ?? null;
}

/** Blank for a measurement without an annotation, and for one that does not exist. */
export async function findAnnotation(
  { queries }: Pick<Database, 'queries'>,
  id: string,
): Promise<Annotation> {
  const row = await queries
    .selectFrom('annotations')
    .select(['title', 'note'])
    .where('measurementId', '=', id)
    .executeTakeFirst();
  if (row === undefined) return blankAnnotation;
  const tags = await queries
    .selectFrom('annotationTags')
    .select('name')
    .where('measurementId', '=', id)
    .orderBy('place')
    .execute();
  return { ...row, tags: tags.map(({ name }) => name) };
}

/** Returns the whole annotation after the change; null where there is no such measurement. */
export async function storeAnnotationChange(
  database: Database,
  id: string,
  change: AnnotationChange,
): Promise<Annotation | null> {
  return await database.queries.transaction().execute(async (transaction) => {
    // The second of two concurrent changes sees the first.
    if (!(await lockMeasurement(transaction, id))) return null;
    const annotation = changeAnnotation(await findAnnotation({ queries: transaction }, id), change);
    await storeAnnotation(transaction, id, annotation);
    return annotation;
  });
}

/** Replaces the earlier annotation. */
async function storeAnnotation(
  transaction: Transaction<Tables>,
  measurementId: string,
  { title, note, tags }: Annotation,
): Promise<void> {
  await transaction.deleteFrom('annotations').where('measurementId', '=', measurementId).execute();
  await transaction.deleteFrom('annotationTags').where('measurementId', '=', measurementId).execute();
  if (title === null && note === '' && tags.length === 0) return;
  const searchText = plainText([title ?? '', note, ...tags].join('\n').toLowerCase());
  await transaction
    .insertInto('annotations')
    .values({ measurementId, title: title && plainText(title), note: plainText(note), searchText })
    .execute();
  if (tags.length === 0) return;
  const rows = tags.map((name, place) => ({ measurementId, place, name, key: tagKey(name) }));
  await transaction.insertInto('annotationTags').values(rows).execute();
}

/** The parts of labels that lists show, by ID. Measurements without an annotation are left out. */
export async function listAnnotations(
  { queries }: Database,
  ids: readonly string[],
): Promise<Map<string, Pick<Annotation, 'title' | 'tags'>>> {
  if (ids.length === 0) return new Map();
  const titles = await queries
    .selectFrom('annotations')
    .select(['measurementId', 'title'])
    .where('measurementId', 'in', ids)
    .execute();
  const tags = await queries
    .selectFrom('annotationTags')
    .select(['measurementId', 'name'])
    .where('measurementId', 'in', ids)
    .orderBy('measurementId')
    .orderBy('place')
    .execute();
  return new Map(
    titles.map(({ measurementId, title }) => [
      measurementId,
      {
        title,
        tags: tags.filter((tag) => tag.measurementId === measurementId).map(({ name }) => name),
      },
    ]),
  );
}

/** Until the transaction ends, others who lock or write the measurement wait. False where there is no such measurement. */
export async function lockMeasurement(transaction: Transaction<Tables>, id: string): Promise<boolean> {
  const locked = await transaction
    .updateTable('measurements')
    .set((column) => ({ fence: column.ref('fence') }))
    .where('id', '=', id)
    .returning('id')
    .execute();
  return locked.length === 1;
}
