import { type ReadStored, withStoredAlone } from '../../life/measurement/read/with-stored-alone.ts';
import { readConfig } from '../config.ts';
import { connectTo } from './api-client.ts';
import { findDashboard } from './find-dashboard.ts';
import type { NamedRun } from './named-run.ts';

/** The dashboard of the data directory has its database; without one it is opened here. Files need neither. */
export async function withStored<Result>(
  runs: readonly NamedRun[],
  use: (read: ReadStored) => Promise<Result>,
): Promise<Result> {
  if (runs.every((run) => 'value' in run)) return use(() => Promise.reject(new Error('all are files')));
  const running = await findDashboard();
  if (running === null) {
    const { dataDirectory: directory, databaseUrl: url } = readConfig(process.env);
    return withStoredAlone({ directory, url }, use);
  }
  const api = connectTo(running);
  return use((id) => api.readDocument(`/r/${id}`));
}
