import { fileURLToPath } from 'node:url';
import type { Environment } from '../../shared/base/environment.ts';
import { openPictures } from '../base/picture/open-pictures.ts';
import { openAudit } from '../life/audit/open-audit.ts';
import { openChecks } from '../life/checks/open-checks.ts';
import { openHistory } from '../life/database/history/open-history.ts';
import { listHalfWidths } from '../life/database/list-half-widths.ts';
import type { Database } from '../life/database/open-database.ts';
import type { Measurements } from '../life/measurement/measurements.ts';
import { openSchedules } from '../life/measurement/repeat/open-schedules.ts';
import type { Config } from './config.ts';
import { limits } from './limits.ts';
import type { openMeasuring } from './open-measuring.ts';
import type { AppParts } from './routes/app-parts.ts';

type OpenedParts = Pick<AppParts, 'recordings' | 'team' | 'logger' | 'version'> & {
  database: Database;
  environment: Environment;
  measuring: ReturnType<typeof openMeasuring>;
  measurements: Measurements;
  look: AppParts['machine']['look'];
  onError(error: unknown): void;
};

type PartsConfig = Pick<Config, 'dataDirectory' | 'databaseUrl' | 'host' | 'metrics' | 'runner' | 'team'>;

/** What the routes are given, of what is open already. */
export async function openParts(
  config: PartsConfig,
  { environment, measuring, look, onError, ...opened }: OpenedParts,
): Promise<AppParts> {
  const { database, measurements, version } = opened;
  return {
    ...opened,
    ...reachedAt(config),
    schedules: openSchedules(database, measurements),
    machine: { look, halfWidths: () => listHalfWidths(database, 'cpu_at_load', environment) },
    checks: openChecks(database, measuring.house, measuring.queue),
    permits: measuring.permits,
    audit: openAudit(database, onError),
    history: openHistory({
      directory: config.dataDirectory,
      url: config.databaseUrl,
      demandFile: database.demandFile,
    }),
    metrics: config.metrics
      ? (await import('./metrics/open-metrics.ts')).openMetrics({
          database,
          status: measurements.status,
          version,
        })
      : null,
    pictures: openPictures(),
    clientDirectory: built('client'),
    filePage: built('file/page.html'),
    limits: { ...limits, runners: config.databaseUrl !== null, measures: config.runner.measures },
  };
}

/** Under which names people reach it. */
export function reachedAt({ host, team }: Pick<Config, 'host' | 'team'>) {
  return { hostname: host, proxies: team?.proxies ?? 0, publicHost: team?.url?.hostname ?? null };
}

function built(path: string): string {
  return fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));
}
