import type { Kysely } from 'kysely';
import { createAnnotations } from './annotation-tables.ts';
import { createAuditLog } from './audit-tables.ts';
import { createHistory } from './history-tables.ts';
import { createMeasurements } from './measurement-tables.ts';
import { createRunners } from './runner-tables.ts';
import { createScenarios } from './scenario-tables.ts';
import { createSchedules } from './schedule-tables.ts';
import { createTeam } from './team-tables.ts';

/** The tables of 0.1.0. Once it is released, neither this nor what it calls changes. */
export async function createTables(queries: Kysely<unknown>): Promise<void> {
  await createScenarios(queries);
  await createMeasurements(queries);
  await createAnnotations(queries);
  await createHistory(queries);
  await createSchedules(queries);
  await createRunners(queries);
  await createTeam(queries);
  await createAuditLog(queries);
}
