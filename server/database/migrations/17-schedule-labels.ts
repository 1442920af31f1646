import type { Kysely } from 'kysely';

/** Labels that the runner of a schedule must have. Earlier schedules ask for none. */
export async function addScheduleLabels({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('schedules')
    .addColumn('labels', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute();
}
