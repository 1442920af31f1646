import type { Transaction } from 'kysely';
import {
  blankLabel,
  changeLabel,
  type Label,
  type LabelChange,
  tagKey,
} from '../../../shared/measurement/label.ts';
import { lockMeasurement } from './lock-measurement.ts';
import type { Database } from './open-database.ts';
import { plainText } from './plain-text.ts';
import type { Tables } from './tables.ts';

/** Blank for a measurement without a label, and for one that does not exist. */
export async function findLabel({ queries }: Pick<Database, 'queries'>, id: string): Promise<Label> {
  const row = await queries
    .selectFrom('labels')
    .select(['title', 'note'])
    .where('measurementId', '=', id)
    .executeTakeFirst();
  if (row === undefined) return blankLabel;
  const tags = await queries
    .selectFrom('labelTags')
    .select('name')
    .where('measurementId', '=', id)
    .orderBy('place')
    .execute();
  return { ...row, tags: tags.map(({ name }) => name) };
}

/** Returns the whole label after the change; null where there is no such measurement. */
export async function storeLabelChange(
  database: Database,
  id: string,
  change: LabelChange,
): Promise<Label | null> {
  return await database.queries.transaction().execute(async (transaction) => {
    // Of two changes at the same time, the second one sees the first.
    if (!(await lockMeasurement(transaction, id))) return null;
    const label = changeLabel(await findLabel({ queries: transaction }, id), change);
    await storeLabel(transaction, id, label);
    return label;
  });
}

/** Replaces the earlier label. */
export async function storeLabel(
  transaction: Transaction<Tables>,
  measurementId: string,
  { title, note, tags }: Label,
): Promise<void> {
  await transaction.deleteFrom('labels').where('measurementId', '=', measurementId).execute();
  await transaction.deleteFrom('labelTags').where('measurementId', '=', measurementId).execute();
  if (title === null && note === '' && tags.length === 0) return;
  const searchText = plainText([title ?? '', note, ...tags].join('\n').toLowerCase());
  await transaction
    .insertInto('labels')
    .values({ measurementId, title: title && plainText(title), note: plainText(note), searchText })
    .execute();
  if (tags.length === 0) return;
  const rows = tags.map((name, place) => ({ measurementId, place, name, key: tagKey(name) }));
  await transaction.insertInto('labelTags').values(rows).execute();
}

/** The parts of labels that lists show, by ID. Measurements without a label are left out. */
export async function listLabels(
  { queries }: Database,
  ids: readonly string[],
): Promise<Map<string, Pick<Label, 'title' | 'tags'>>> {
  if (ids.length === 0) return new Map();
  const titles = await queries
    .selectFrom('labels')
    .select(['measurementId', 'title'])
    .where('measurementId', 'in', ids)
    .execute();
  const tags = await queries
    .selectFrom('labelTags')
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
