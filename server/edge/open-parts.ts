import { fileURLToPath } from 'node:url';
import type { Limits } from '../../shared/api/server-endpoints.ts';
import type { Environment } from '../../shared/base/environment.ts';
import { lengthNames, lengths } from '../../shared/kinds/comparison/load-names.ts';
import { loadOptions } from '../../shared/kinds/comparison/options.ts';
import { openPictures } from '../base/picture/open-pictures.ts';
import { harLimitBytes } from '../intake/import/har/har-limit.ts';
import { openAudit } from '../life/audit/open-audit.ts';
import { openChecks } from '../life/checks/open-checks.ts';
import { openHistory } from '../life/database/history/open-history.ts';
import { listSampleDeviations } from '../life/database/list-sample-deviations.ts';
import type { Database } from '../life/database/open-database.ts';
import { openExamples } from '../life/examples/open-examples.ts';
import { refuseExamples } from '../life/examples/refuse-examples.ts';
import { withExamples } from '../life/examples/with-examples.ts';
import type { Measurements } from '../life/measurement/measurements.ts';
import { queueLimit } from '../life/measurement/queue/machine-queue.ts';
import { openSchedules } from '../life/measurement/repeat/open-schedules.ts';
import { allKinds } from './all-kinds.ts';
import type { Config } from './config.ts';
import type { openMeasuring } from './open-measuring.ts';
import type { AppParts } from './routes/app-parts.ts';

type OpenedParts = Pick<AppParts, 'generatorHosts' | 'recordings' | 'team' | 'logger' | 'version'> & {
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
  const { database, version, logger } = opened;
  const examples = openExamples({
    kinds: allKinds,
    onLeftOut: (sentence, cause) => logger.warn(cause, sentence),
  });
  const measurements = refuseExamples(opened.measurements, examples);
  return {
    ...opened,
    ...{ measurements, examples, results: withExamples(opened.measurements, examples) },
    ...reachedAt(config),
    schedules: openSchedules(database, measurements),
    machine: { look, sampleDeviations: () => listSampleDeviations(database, 'cpu_at_load', environment) },
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
    limits: {
      ...limits,
      runners: config.databaseUrl !== null,
      generators: opened.generatorHosts !== null,
      pods: opened.generatorHosts?.pods?.most ?? 0,
      measures: config.runner.measures,
    },
  };
}

/** Under which names people reach it. */
export function reachedAt({ host, team }: Pick<Config, 'host' | 'team'>) {
  return { hostname: host, proxies: team?.proxies ?? 0, publicHost: team?.url?.hostname ?? null };
}

function built(path: string): string {
  return fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));
}

/** What a client may ask for, and how much of it. */
const limits: Omit<Limits, 'runners' | 'generators' | 'pods' | 'measures'> = {
  bodyBytes: 2_000_000,
  importBytes: harLimitBytes,
  queueLength: queueLimit,
  users: loadOptions.users.max,
  stepsPerScenario: 50,
  requestsPerMinute: 1200,
  permittedTargets: [
    'the built-in storefront',
    'servers of this machine, started for the run',
    'loopback addresses (127.0.0.0/8, ::1)',
    'hosts that were allowed (/targets)',
  ],
  lengths: lengthNames.map((length) => {
    const { title, precision, atMostS } = lengths[length];
    return { length, title, precision, atMostS };
  }),
};
