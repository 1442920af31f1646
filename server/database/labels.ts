import type { Transaction } from 'kysely';
import { blankLabel, changeLabel, type Label, type LabelChange, tagKey } from '../../shared/label.ts';
import type { Database } from './open-database.ts';
import { plainText } from './plain-text.ts';
import type { Tables } from './tables.ts';

/** Blank for a measurement on which nothing is written, and for one that is not there. */
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

/** What of it was written, as it is then. Null where there is no such measurement. */
export async function storeLabelChange(
  database: Database,
  id: string,
  change: LabelChange,
): Promise<Label | null> {
  return await database.queries.transaction().execute(async (transaction) => {
    // The update locks the row: of two changes at the same time, the second one sees the first.
    const found = await transaction
      .updateTable('measurements')
      .set((column) => ({ fence: column.ref('fence') }))
      .where('id', '=', id)
      .returning('id')
      .execute();
    if (found.length === 0) return null;
    const label = changeLabel(await findLabel({ queries: transaction }, id), change);
    await storeLabel(transaction, id, label);
    return label;
  });
}

/** Replaces what was written before. */
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

/** What lists show of the labels of measurements, by id; those on which nothing is written are left out. */
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
