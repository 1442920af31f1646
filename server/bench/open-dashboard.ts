import { join } from 'node:path';
import { readConfig } from '../edge/config.ts';
import { type RunningServer, startServer } from '../edge/start-server.ts';

/**
 * The server in this process, on a data directory that stays: runs are stored as a user's are, so each has the earlier ones as its
 * past. It ends with this process, which a server of its own would not. Throws data_directory_in_use where another bench is at work.
 */
export async function openDashboard(directory: string): Promise<RunningServer> {
  const { PATH, CHROMIUM_PATH } = process.env;
  const environment = { PATH, CHROMIUM_PATH, LOG_LEVEL: 'error', TLS_TOLL_DATA: join(directory, 'data') };
  return startServer({ ...readConfig(environment), port: 0 }, { repeats: false });
}
