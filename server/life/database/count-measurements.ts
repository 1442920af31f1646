import type { Database } from './open-database.ts';

/** How many measurements there are of each kind in each state. What is in the bin does not count. */
export async function countMeasurements({
  queries,
}: Database): Promise<{ kind: string; state: string; count: number }[]> {
  const rows = await queries
    .selectFrom('measurements')
    .select(({ fn }) => ['kind', 'state', fn.countAll().as('count')])
    .where('id', 'not in', ({ selectFrom }) => selectFrom('bin').select('bin.measurementId'))
    .groupBy(['kind', 'state'])
    .execute();
  return rows.map(({ kind, state, count }) => ({ kind, state, count: Number(count) }));
}
