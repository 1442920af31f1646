import type { ListChoices } from '../../../shared/measurement/annotation.ts';
import type { Database } from './open-database.ts';

/** Further ones are rare, and are found by searching. */
const most = 200;

/** What the list can be filtered by, with how many each of it leaves; the most frequent first. What is in the bin does not count. */
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
