import { type Kysely, sql } from 'kysely';
import { describeProblem } from '../../../../shared/base/problem.ts';
import type { Length } from '../../../../shared/kinds/comparison/load-names.ts';
import { declaredViews, figuresVersion } from '../../../../shared/measurement/history.ts';
import type { Tables } from '../tables.ts';
import { createHistory } from './history-tables.ts';

/**
 * Comparisons had a preset where they have a length, and were measured otherwise. They stay in the list as made by an earlier version, and
 * no later run is pooled with them. Schedules with a preset pause. A database that is new has nothing of that.
 */
export async function bringLengths(queries: Kysely<unknown>): Promise<void> {
  const tables = await queries.withoutPlugins().introspection.getTables();
  const figures = tables.find(({ name }) => name === 'metric_figures');
  if (figures?.columns.some(({ name }) => name === 'length') === true) return;
  await queries.schema.alterTable('measurements').addColumn('continues', 'text').execute();
  for (const { name, table } of declaredViews) {
    await sql`drop view if exists ${sql.table(name)}`.execute(queries);
    await sql`drop table if exists ${sql.table(table)}`.execute(queries);
  }
  await createHistory(queries);
  const stored = queries as Kysely<Tables>;
  await stored.updateTable('documents').set({ figuresVersion: 0 }).execute();
  await noteRuns(stored);
  await pauseSchedules(stored);
}

const lengthOf: Record<string, Length> = { quick: 'first', standard: 'quote', thorough: 'fine' };

async function noteRuns(queries: Kysely<Tables>): Promise<void> {
  const runs = queries.selectFrom('measurements').where('kind', '=', 'comparison');
  for (const { id, summary } of await runs.select(['id', 'summary']).execute()) {
    const { preset, pooled: _, found: __, ...rest } = JSON.parse(summary);
    const noted = { ...rest, length: lengthOf[preset] ?? 'first', verdict: null, earlier: true };
    await queries
      .updateTable('measurements')
      .set({ summary: JSON.stringify(noted), verdict: null })
      .where('id', '=', id)
      .execute();
  }
  // They have no rows in the history, so none are made at each start.
  await queries
    .updateTable('documents')
    .set({ figuresVersion })
    .where('measurementId', 'in', runs.select('id'))
    .execute();
}

async function pauseSchedules(queries: Kysely<Tables>): Promise<void> {
  const why = describeProblem('invalid_request', {
    detail: 'preset: unknown field; use length.',
    errors: [{ field: 'preset', message: 'unknown field; use length' }],
  });
  await queries
    .updateTable('schedules')
    .set({ state: 'paused', nextAt: null, lastAt: Date.now(), lastProblem: JSON.stringify(why) })
    .where('kind', '=', 'comparison')
    .where('state', '=', 'on')
    .where('request', 'like', '%"preset"%')
    .execute();
}
