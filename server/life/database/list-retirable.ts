import type { Database } from './open-database.ts';

type Retirable = { id: string; fence: number };

/**
 * Results that nobody asked to keep: not pinned, without title and note, and never restored from the bin. Those that began
 * before `before`, and those beyond the newest `count`, each at most `limit`. Null for no such bound.
 */
export async function listRetirable(
  { queries }: Database,
  { before, count, limit }: { before: number | null; count: number | null; limit: number },
): Promise<Retirable[]> {
  const all = queries
    .selectFrom('measurements')
    .select(['measurements.id', 'measurements.fence'])
    .where('state', 'not in', ['queued', 'running'])
    .where('measurements.id', 'not in', ({ selectFrom }) => selectFrom('bin').select('bin.measurementId'))
    .where('measurements.id', 'not in', ({ selectFrom }) =>
      selectFrom('baselines').select('baselines.measurementId'),
    )
    .where('measurements.id', 'not in', ({ selectFrom }) => selectFrom('kept').select('kept.measurementId'))
    .where('measurements.id', 'not in', ({ selectFrom }) =>
      selectFrom('annotations')
        .select('annotations.measurementId')
        .where(({ or, eb }) =>
          or([eb('annotations.title', 'is not', null), eb('annotations.note', '!=', '')]),
        ),
    )
    .limit(limit);
  const old = before === null ? [] : await all.where('createdAt', '<', before).orderBy('createdAt').execute();
  const surplus =
    count === null
      ? []
      : await all.orderBy('createdAt', 'desc').orderBy('id', 'desc').offset(count).execute();
  return [...new Map([...old, ...surplus].map((each) => [each.id, each])).values()];
}
