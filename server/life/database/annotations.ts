import type { Transaction } from 'kysely';
import {
  type Annotation,
  type AnnotationChange,
  blankAnnotation,
  changeAnnotation,
  tagKey,
} from '../../../shared/measurement/annotation.ts';
import { lockMeasurement } from './lock-measurement.ts';
import type { Database } from './open-database.ts';
import { plainText } from './plain-text.ts';
import type { Tables } from './tables.ts';

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
    // Of two changes at the same time, the second one sees the first.
    if (!(await lockMeasurement(transaction, id))) return null;
    const annotation = changeAnnotation(await findAnnotation({ queries: transaction }, id), change);
    await storeAnnotation(transaction, id, annotation);
    return annotation;
  });
}

/** Replaces the earlier annotation. */
export async function storeAnnotation(
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
