import { randomBytes } from 'node:crypto';
import { openDatabase } from '../server/life/database/open-database.ts';
import { sampleRun } from '../server/testing/sample-run.ts';
import { storeFinishedRun } from '../server/testing/store-finished-run.ts';
import type { RunDocument } from '../shared/kinds/comparison/run.ts';

type Change = Partial<Omit<RunDocument, 'schemaVersion'>> & { schemaVersion?: number };

/**
 * Puts a finished run that has every figure into a data directory that no server uses; its id. A run measured on a noisy
 * machine may be refused, and then lacks the very charts that a test wants to look at. Its delete token is `token`.
 */
export async function storeRun(directory: string, change: Change = {}): Promise<string> {
  const id = randomBytes(11).toString('hex');
  const database = await openDatabase({ directory, url: null });
  await storeFinishedRun(database, { ...sampleRun(), ...change, id } as ReturnType<typeof sampleRun>);
  await database.close();
  return id;
}
