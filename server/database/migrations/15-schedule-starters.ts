import type { Kysely } from 'kysely';

/** Who made a schedule, and so started what is measured for it. Earlier ones belong to nobody. */
export async function addScheduleStarters({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('schedules').addColumn('started_by', 'text').execute();
}
