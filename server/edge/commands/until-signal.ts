import type { Config } from '../settings/config.ts';
import type { RunningServer } from '../start/start-server.ts';

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
}

/** The server is loaded when it is needed: help, mistakes and what a running dashboard does for us come without. */
export async function startDashboard(config: Config, options: { repeats: boolean }): Promise<RunningServer> {
  const { startServer } = await import('../start/start-server.ts');
  return startServer(config, options);
}
