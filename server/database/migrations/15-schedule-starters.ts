import type { Kysely } from 'kysely';

/** The user who made a schedule, who counts as the starter of its measurements. Earlier schedules have none. */
export async function addScheduleStarters({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('schedules').addColumn('started_by', 'text').execute();
}
