import { createHash, randomBytes } from 'node:crypto';
import { storeDocument } from '../server/database/documents.ts';
import { openDatabase } from '../server/database/open-database.ts';
import { insertRun, updateRun } from '../server/database/runs.ts';
import { sampleRun } from '../server/testing/sample-run.ts';
import { runRequestSchema } from '../shared/run.ts';

/**
 * Puts a finished run that has every figure into a data directory that no server uses; its id. A run measured on a noisy
 * machine may be refused, and then lacks the very charts that a test wants to look at.
 */
export async function storeRun(directory: string, change: { schemaVersion?: number } = {}): Promise<string> {
  const id = randomBytes(11).toString('hex');
  const run = { ...sampleRun(), id };
  const { createdAt, scenario, plan, state, startedAt, endedAt, verdict } = run;
  const { schemaVersion } = { schemaVersion: run.schemaVersion, ...change };
  const database = await openDatabase({ directory, url: null });
  await insertRun(database, {
    id,
    createdAt,
    request: runRequestSchema.parse({}),
    scenario,
    plan,
    deleteTokenHash: createHash('sha256').update('no token').digest('hex'),
    idempotencyKey: null,
    requestHash: '',
  });
  await updateRun(database, id, { state, startedAt, endedAt, verdict });
  await storeDocument(database, 'documents', id, schemaVersion, JSON.stringify({ ...run, schemaVersion }));
  await database.close();
  return id;
}
