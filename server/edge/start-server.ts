import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { program } from '../../shared/team/audit.ts';
import type { GeneratorHosts } from '../drive/load/hosts/generator-hosts.ts';
import type { ConfiguredHouse } from '../kinds/house.ts';
import { announceServer, lockDataDirectory } from '../life/database/data-directory.ts';
import { type Database, openDatabase } from '../life/database/open-database.ts';
import { startRetiring } from '../life/measurement/list/start-retiring.ts';
import { startRepeating } from '../life/measurement/repeat/start-repeating.ts';
import { openRecordingControl } from '../life/recording/open-recording-control.ts';
import { describeEnvironment } from '../targets/sampling/environment.ts';
import { openMachineWatch } from '../targets/sampling/machine-watch.ts';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { openGenerators, sayGenerators } from './open-generators.ts';
import { openHttp } from './open-http.ts';
import { openMeasuring } from './open-measuring.ts';
import { openParts, reachedAt } from './open-parts.ts';
import { ownName } from './own-name.ts';
import { productVersion } from './product-version.ts';
import type { AppParts } from './routes/app-parts.ts';
import { acceptRecorderSockets, recorderOf } from './routes/recorder-socket.ts';

export type RunningServer = {
  url: string;
  /** For programs on this machine: plain HTTP, whatever the certificate says. */
  localUrl: string;
  /** For the command line on this machine; null where nobody signs in. */
  key: string | null;
  /** How generators join it; empty where they cannot. */
  generators: string;
  close(): Promise<void>;
};

/**
 * Database → runs → app → listening, and back again in the same order on `close`.
 * Throws data_directory_in_use, data_directory_unusable, database_damaged, address_in_use, sign_in_needed.
 *
 * @param repeats whether it measures what is repeated; one that is started for a single command does not
 */
export async function startServer(
  config: Config & ConfiguredHouse,
  { repeats = true }: { repeats?: boolean } = {},
): Promise<RunningServer> {
  const logger = pino({ level: config.logLevel });
  const onError = (error: unknown) => logger.error(error, 'a measurement went wrong');
  const http = openHttp(config, logger);
  const opened = new AsyncDisposableStack();
  try {
    opened.defer(http.stop);
    opened.defer(lockDataDirectory(config.dataDirectory).release);
    const version = productVersion();
    const database = await openDatabase({
      directory: config.dataDirectory,
      url: config.databaseUrl,
      watched: true,
    });
    opened.defer(database.close);
    if (database.notice !== null) logger.warn(database.notice);
    const key = config.team === null ? null : randomBytes(32).toString('base64url');
    const team = await openTeamOf(config, database, key);
    opened.defer(http.close);
    await http.listen();
    const generators = await openGenerators(config, version, http.own);
    if (generators !== null) opened.defer(generators.close);
    const own = () => [...http.own(), ...(generators?.own() ?? [])];
    const environment = describeEnvironment(`tls-toll ${version}`, true);
    const { look, close: lookNoMore } = openMachineWatch();
    opened.defer(lookNoMore);
    const around = { database, environment, onError };
    const measuring = openMeasuring({
      ...around,
      config: { ...config, own, ...whoGenerates(config, generators) },
    });
    const recordings = openRecordingControl(measuring.house, measuring.queue);
    const sockets = acceptRecorderSockets(http.server, reachedAt(config), recordings, (request) =>
      recorderOf(team, request),
    );
    opened.defer(sockets.close);
    const [url, localUrl] = [http.url(), http.localUrl()];
    // Before a measurement that waited is begun: a start that fails here must not end it.
    announceServer(config.dataDirectory, { url: localUrl, key });
    const measurements = await measuring.begin({
      self: { ...config.runner, measures: measures(config, repeats), name: nameAt(http.server), version },
      noteLoad: measuring.noteLoad,
    });
    opened.defer(measurements.close);
    const inner = { ...around, generatorHosts: generators, measuring, measurements, recordings, look };
    const parts = await openParts(config, { ...inner, team, logger, version });
    http.answerWith(createApp(parts));
    if (repeats) keepGoing(config, parts, onError, opened);
    // Nothing new comes in while the rest is closed, and who is watching sees how it ends.
    opened.defer(http.takeNoMore);
    const said = sayGenerators(config, generators);
    return { url, localUrl, key, generators: said, close: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** What a server that stays does of its own accord: it measures what is repeated, and lets old results go. */
function keepGoing(
  { keep }: Config,
  { schedules, database, audit, logger }: AppParts,
  onError: (error: unknown) => void,
  opened: AsyncDisposableStack,
): void {
  opened.defer(startRepeating(schedules, onError).stop);
  if (keep === null) return;
  const onRetired = async (ids: readonly string[]) => {
    logger.info({ ids }, 'TLS_TOLL_KEEP moved results to the bin');
    const event = { what: 'retired', subject: ids.join(' '), host: null, note: null };
    await audit.note({ ...program('retention'), ...event });
  };
  opened.defer(startRetiring(database, keep, { onError, onRetired }).stop);
}

/** Sign-in is loaded only where it is on. */
async function openTeamOf({ team, tls, dataDirectory }: Config, database: Database, localKey: string | null) {
  if (team === null || localKey === null) return null;
  const { openTeam } = await import('./team/open-team.ts');
  const { linksOpen, url, oidc: provider } = team;
  const secure = tls !== null || url?.protocol === 'https:';
  return openTeam(database, { directory: dataDirectory, secure, linksOpen, url, provider, localKey });
}

/** One that is started for a single command measures for nobody else. */
function measures({ runner }: Config, stays: boolean): boolean | 'own' {
  return runner.measures && !stays ? 'own' : runner.measures;
}

/** Where runners measure, one of them may have hosts that this server does not know. */
function whoGenerates(
  { databaseUrl }: Config,
  hosts: GeneratorHosts | null,
): Pick<ConfiguredHouse, 'generatorHosts'> {
  return hosts === null && databaseUrl !== null ? {} : { generatorHosts: hosts };
}

/** What a dashboard is called as a runner. */
function nameAt(server: Server): string {
  return `${ownName()}:${(server.address() as AddressInfo).port}`;
}
