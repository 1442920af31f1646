import type { Config } from '../config.ts';
import type { RunningServer } from '../start-server.ts';

/** The server is loaded when it is needed: help, mistakes and what a running dashboard does for us come without. */
export async function startDashboard(config: Config, options: { repeats: boolean }): Promise<RunningServer> {
  const { startServer } = await import('../start-server.ts');
  return startServer(config, options);
}
