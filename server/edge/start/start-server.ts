import { randomBytes } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { type Logger, pino } from 'pino';
import { program } from '../../../shared/team/team.ts';
import type { OwnListener } from '../../base/addresses/target-policy.ts';
import { listenAt, openListeners, ownListenersOf } from '../../base/process/listeners.ts';
import type { GeneratorHosts } from '../../drive/hosts/generator-hosts.ts';
import type { ConfiguredHouse } from '../../kinds/apparatus.ts';
import { announceServer, lockDataDirectory } from '../../life/database/data-directory.ts';
import { type Database, openDatabase } from '../../life/database/open-database.ts';
import { startRetiring } from '../../life/measurement/bin-and-history.ts';
import type { MachineQueue } from '../../life/measurement/machine-queue.ts';
import { startRepeating } from '../../life/measurement/open-schedules.ts';
import { openRecordingControl } from '../../life/recording/open-recording-control.ts';
import { describeEnvironment, openMachineWatch } from '../../targets/sampling/machine.ts';
import type { AppParts } from '../routes/endpoint.ts';
import { acceptRecorderSockets, recorderOf } from '../routes/recorder-socket.ts';
import { type Config, ownName } from '../settings/config.ts';
import { productVersion } from '../settings/product-version.ts';
import {
  createApp,
  openGenerators,
  openMeasuring,
  openParts,
  reachedAt,
  sayGenerators,
} from './open-parts.ts';

export type RunningServer = {
  url: string;
  /** For programs on this machine: plain HTTP, whatever the certificate says. */
  localUrl: string;
  /** For the command line on this machine; null where nobody signs in. */
  key: string | null;
  /** How generators join it; empty where they cannot. */
  generators: string;
  /** Whether nothing is measured or recorded here, and nothing waits for it. */
  isIdle(): boolean;
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
    const isIdle = () => isFree(measuring.queue.status());
    return { url, localUrl, key, generators: said, isIdle, close: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

function isFree({ queued, holder }: ReturnType<MachineQueue['status']>): boolean {
  return queued === 0 && holder === null;
}

/** Background work of a server that stays: it measures what is repeated, and moves old results to the bin. */
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
  const { openTeam } = await import('../team/open-team.ts');
  const { linksOpen, url, oidc: provider } = team;
  const secure = tls !== null || url?.protocol === 'https:';
  return openTeam(database, { directory: dataDirectory, secure, linksOpen, url, provider, localKey });
}

/** One that is started for a single command measures for nobody else. */
function measures({ runner }: Config, stays: boolean): boolean | 'own' {
  return runner.measures && !stays ? 'own' : runner.measures;
}

/** With several runners, one of them may have hosts that this server does not know. */
function whoGenerates(
  { databaseUrl }: Config,
  hosts: GeneratorHosts | null,
): Pick<ConfiguredHouse, 'generatorHosts'> {
  return hosts === null && databaseUrl !== null ? {} : { generatorHosts: hosts };
}

/** Name of a dashboard as a runner. */
function nameAt(server: Server): string {
  return `${ownName()}:${(server.address() as AddressInfo).port}`;
}

type Http = {
  /** Server that people reach. */
  server: Server;
  /** Throws address_in_use, invalid_environment. */
  listen(): Promise<void>;
  /** The rest is known once it listens. */
  url(): string;
  /** For programs on this machine: plain HTTP, whatever the certificate says. */
  localUrl(): string;
  own(): OwnListener[];
  /** Until then every request waits. */
  answerWith(app: Express): void;
  /** Connected clients stay connected. */
  takeNoMore(): void;
  close(): Promise<void>;
  /** Looks for a new certificate no more. */
  stop(): void;
};

const loopback = '127.0.0.1';

/** Opens the listeners: one for people, and if that is HTTPS also one for the command line. Throws invalid_environment. */
export function openHttp({ host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>, logger: Logger): Http {
  const app = Promise.withResolvers<Express>();
  const answer: RequestListener = (request, response) =>
    void app.promise.then((serve) => serve(request, response));
  const { server, local, stop } = openListeners(tls, answer, (error) =>
    logger.error(error, 'TLS_CERT and TLS_KEY cannot be used; the previous certificate stays in use'),
  );
  const listening: { server: Server; closed: Promise<unknown> }[] = [];
  async function listen(each: Server, at: { host: string; port: number }): Promise<void> {
    await listenAt(each, at);
    listening.push({ server: each, closed: new Promise((resolve) => each.once('close', resolve)) });
  }
  const url = () => addressOfServer(server, host, tls === null ? 'http' : 'https');
  return {
    server,
    async listen() {
      await listen(server, { host, port });
      if (local !== null) await listen(local, { host: loopback, port: 0 });
    },
    url,
    localUrl: () => (local === null ? url() : addressOfServer(local, loopback, 'http')),
    own: () => listening.flatMap((each) => ownListenersOf(each.server)),
    answerWith: app.resolve,
    takeNoMore() {
      for (const each of listening) each.server.close();
    },
    async close() {
      for (const each of listening) {
        each.server.close();
        each.server.closeAllConnections();
      }
      await Promise.all(listening.map(({ closed }) => closed));
    },
    stop,
  };
}

function addressOfServer(server: Server, host: string, scheme: 'http' | 'https'): string {
  const { port } = server.address() as AddressInfo;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
