import { pino } from 'pino';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { lockDataDirectory } from '../../life/database/data-directory.ts';
import { openDatabase } from '../../life/database/open-database.ts';
import { describeEnvironment } from '../../targets/sampling/machine.ts';
import type { Config } from '../settings/config.ts';
import { productVersion } from '../settings/product-version.ts';
import { openGenerators, openMeasuring, sayGenerators } from './open-parts.ts';

export type RunningRunner = {
  /** Resolves with why it measures no more, though nobody closed it. */
  replaced: Promise<ProblemError>;
  /** How generators join it; empty where they cannot. */
  generators: string;
  close(): Promise<void>;
};

/**
 * Measures what dashboards on the same PostgreSQL queue, and serves nothing. Resolves when it takes measurements.
 * Throws invalid_environment, runner_name_taken, database_unavailable, and what the data directory has against it.
 */
export async function startRunner(
  config: Config,
  name: string,
  onProblem: (failure: ProblemError) => void,
): Promise<RunningRunner> {
  const { databaseUrl: url, dataDirectory: directory } = config;
  if (url === null) throw problem('invalid_environment', 'A runner needs DATABASE_URL.');
  const lock = lockDataDirectory(directory);
  const opened = new AsyncDisposableStack();
  opened.defer(lock.release);
  try {
    const version = productVersion();
    const logger = pino({ level: config.logLevel });
    const database = await openDatabase({ directory, url });
    opened.defer(database.close);
    if (database.notice !== null) logger.warn(database.notice);
    const environment = describeEnvironment(`tls-toll ${version}`, true);
    const onError = (error: unknown) => {
      // The caller of startRunner prints this one as a sentence.
      if (error instanceof ProblemError && error.problem.code === 'runner_name_taken') return;
      logger.error(error, 'a measurement went wrong');
    };
    const generators = await openGenerators(config, version, () => []);
    if (generators !== null) opened.defer(generators.close);
    const house = { ...config, generatorHosts: generators, own: () => generators?.own() ?? [] };
    const measurements = await openMeasuring({ config: house, database, environment, onError }).begin({
      self: { labels: config.runner.labels, measures: true, name, version },
      // Dashboards make measurements, and note it.
      noteLoad: async () => {},
      onProblem,
    });
    opened.defer(measurements.close);
    const { runner } = measurements;
    if (runner === null) throw new Error('it does not measure');
    await runner.joined;
    const said = sayGenerators(config, generators);
    return { replaced: runner.replaced, generators: said, close: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}
