import { figuresVersion } from '../../../../shared/measurement/history.ts';
import type { Figures } from '../../../../shared/measurement/history-view.ts';
import { readDocument } from '../documents.ts';
import type { Database } from '../open-database.ts';
import { markFigures, storeFigures } from './store-figures.ts';

/** Measurements of these kinds whose documents were stored before today's figures, oldest first; those in the bin have none. */
export async function listWithoutFigures(
  { queries }: Database,
  kinds: readonly string[],
): Promise<{ id: string; kind: string }[]> {
  if (kinds.length === 0) return [];
  return await queries
    .selectFrom('documents')
    .innerJoin('measurements', 'measurements.id', 'documents.measurementId')
    .select(['measurements.id', 'measurements.kind'])
    .where('documents.figuresVersion', '<', figuresVersion)
    .where('measurements.kind', 'in', kinds)
    .where('measurements.state', 'not in', ['queued', 'running'])
    .where('measurements.id', 'not in', ({ selectFrom }) => selectFrom('bin').select('measurementId'))
    .orderBy('measurements.createdAt')
    .execute();
}

/** @param read what a document says, of whatever version it was stored in */
export async function storeFiguresOf(
  database: Database,
  id: string,
  read: (document: unknown) => Figures,
): Promise<void> {
  const stored = await readDocument(database, id);
  if (stored === null) return;
  const figures = read(JSON.parse(await stored.unpack()));
  await database.queries.transaction().execute(async (transaction) => {
    await storeFigures(transaction, id, figures);
    await markFigures(transaction, id);
  });
}
