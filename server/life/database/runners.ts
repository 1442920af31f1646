import { z } from 'zod';
import { type Environment, environmentSchema } from '../../../shared/base/environment.ts';
import { labelsSchema } from '../../../shared/measurement/runner.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';

/** Processes that measure, as the database knows them. */

const rowSchema = z.object({
  name: z.string(),
  session: z.string(),
  labels: jsonText(labelsSchema),
  version: z.string(),
  machine: jsonText(environmentSchema),
  beat: z.int(),
  seenAt: z.int(),
  leftAt: z.int().nullable(),
});
export type RunnerRow = z.infer<typeof rowSchema>;

export type NewRunner = Pick<RunnerRow, 'name' | 'session' | 'labels' | 'version'> & {
  machine: Environment;
};

export async function listRunnerRows({ queries }: Database): Promise<RunnerRow[]> {
  const rows = await queries.selectFrom('runners').selectAll().orderBy('name').execute();
  return rows.map((row) => rowSchema.parse(row));
}

/** Takes the name, if it is free or `from` has it, which was looked at before. False when another one was faster. */
export async function registerRunner(
  { queries }: Database,
  { labels, machine, ...runner }: NewRunner,
  from: string | null,
  now: number,
): Promise<boolean> {
  const row = {
    ...runner,
    ...{ labels: JSON.stringify(labels), machine: JSON.stringify(machine) },
    ...{ beat: 0, seenAt: now, leftAt: null },
  };
  const stored =
    from === null
      ? await queries
          .insertInto('runners')
          .values(row)
          .onConflict((conflict) => conflict.column('name').doNothing())
          .returning('name')
          .execute()
      : await queries
          .updateTable('runners')
          .set(row)
          .where('name', '=', row.name)
          .where('session', '=', from)
          .returning('name')
          .execute();
  return stored.length === 1;
}

/** Says that it lives. False when another one has its name by now. */
export async function beatRunner({ queries }: Database, session: string, now: number): Promise<boolean> {
  const beaten = await queries
    .updateTable('runners')
    .set((column) => ({ beat: column('beat', '+', 1), seenAt: now }))
    .where('session', '=', session)
    .returning('name')
    .execute();
  return beaten.length === 1;
}

export async function leaveRunner({ queries }: Database, session: string, now: number): Promise<void> {
  await queries
    .updateTable('runners')
    .set({ seenAt: now, leftAt: now })
    .where('session', '=', session)
    .execute();
}

/** For one that nobody else is to look for. */
export async function removeRunner({ queries }: Database, session: string): Promise<void> {
  await queries.deleteFrom('runners').where('session', '=', session).execute();
}

/** Takes them out of the list for good. */
export async function forgetRunners({ queries }: Database, sessions: readonly string[]): Promise<void> {
  await queries.deleteFrom('runners').where('session', 'in', sessions).execute();
}
