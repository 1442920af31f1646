import { readConfig } from '../config.ts';
import { findRunningServer } from '../database/data-directory.ts';
import { type ApiClient, connectTo } from './api-client.ts';
import { startDashboard } from './start-dashboard.ts';

/** Lends the dashboard that runs on the data directory; null where none does, as then nothing is loaded either. */
export async function withRunningDashboard<Result>(
  use: (api: ApiClient) => Promise<Result>,
): Promise<Result | null> {
  const running = await findRunningServer(readConfig(process.env).dataDirectory);
  return running === null ? null : use(connectTo({ url: running.url, key: running.key ?? null }));
}

/**
 * Lends the dashboard that runs on the data directory, or one that is started for it and closed afterwards.
 * `url` is that of a dashboard that stays; null for one that is closed.
 */
export async function withDashboard<Result>(
  use: (api: ApiClient, url: string | null) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(process.env);
  const running = await findRunningServer(config.dataDirectory);
  const server = running === null ? await startDashboard({ ...config, port: 0 }, { repeats: false }) : null;
  try {
    const url = running?.url ?? server?.url ?? '';
    return await use(connectTo({ url, key: running?.key ?? server?.key ?? null }), running?.url ?? null);
  } finally {
    await server?.close();
  }
}
