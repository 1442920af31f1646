import { readConfig } from '../config.ts';
import { type ApiClient, connectTo } from './api-client.ts';
import { findDashboard } from './find-dashboard.ts';
import { startDashboard } from './start-dashboard.ts';

/** Lends the dashboard that is named or runs on the data directory; null where none does, as then nothing is loaded either. */
export async function withRunningDashboard<Result>(
  use: (api: ApiClient) => Promise<Result>,
): Promise<Result | null> {
  const running = await findDashboard();
  return running === null ? null : use(connectTo(running));
}

/**
 * Lends the dashboard that is named or runs on the data directory, or one that is started for it and closed afterwards.
 * `url` is that of a dashboard that stays; null for one that is closed.
 */
export async function withDashboard<Result>(
  use: (api: ApiClient, url: string | null) => Promise<Result>,
): Promise<Result> {
  const running = await findDashboard();
  const server =
    running === null
      ? await startDashboard({ ...readConfig(process.env), port: 0, tls: null }, { repeats: false })
      : null;
  try {
    const url = running?.url ?? server?.url ?? '';
    return await use(connectTo({ url, key: running?.key ?? server?.key ?? null }), running?.url ?? null);
  } finally {
    await server?.close();
  }
}
