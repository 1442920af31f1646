import { randomBytes } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Express } from 'express';
import { pino } from 'pino';
import { program } from '../../shared/team/audit.ts';
import { openHostTurns } from '../base/addresses/open-host-turns.ts';
import { openPictures } from '../base/picture/open-pictures.ts';
import { listenAt } from '../base/process/listen-at.ts';
import { openListeners } from '../base/process/open-listeners.ts';
import { ownListenersOf } from '../base/process/own-listeners-of.ts';
import type { ConfiguredHouse } from '../kinds/house.ts';
import { openAudit } from '../life/audit/open-audit.ts';
import { openChecks } from '../life/checks/open-checks.ts';
import { announceServer, lockDataDirectory } from '../life/database/data-directory.ts';
import { openHistory } from '../life/database/history/open-history.ts';
import { listHalfWidths } from '../life/database/list-half-widths.ts';
import { type Database, openDatabase } from '../life/database/open-database.ts';
import { runnableScenario } from '../life/library/runnable-scenario.ts';
import { type Keep, startRetiring } from '../life/measurement/list/start-retiring.ts';
import { openMeasurements } from '../life/measurement/open-measurements.ts';
import { openMachineQueue } from '../life/measurement/queue/machine-queue.ts';
import { openStopSwitch } from '../life/measurement/queue/stop-switch.ts';
import { openSchedules } from '../life/measurement/repeat/open-schedules.ts';
import { startRepeating } from '../life/measurement/repeat/start-repeating.ts';
import { addressesOf } from '../life/permits/addresses-of.ts';
import { openPermits } from '../life/permits/open-permits.ts';
import { openRecordingControl } from '../life/recording/open-recording-control.ts';
import { describeEnvironment } from '../targets/sampling/environment.ts';
import { openMachineWatch } from '../targets/sampling/machine-watch.ts';
import { allKinds } from './all-kinds.ts';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { limits } from './limits.ts';
import { ownName } from './own-name.ts';
import { openPast } from './past/open-past.ts';
import { productVersion } from './product-version.ts';
import { acceptRecorderSockets, recorderOf } from './routes/recorder-socket.ts';

export type RunningServer = {
  url: string;
  /** For programs on this machine: plain HTTP, whatever the certificate says. */
  localUrl: string;
  /** For the command line on this machine; null where nobody signs in. */
  key: string | null;
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
  // A request that comes before the runs are taken up again waits for them.
  const app = Promise.withResolvers<Express>();
  const answer: RequestListener = (request, response) =>
    void app.promise.then((serve) => serve(request, response));
  const listeners = openListeners(config.tls, answer, (error) =>
    logger.error(error, 'TLS_CERT and TLS_KEY cannot be used; the previous certificate stays in use'),
  );
  const { server: http, local } = listeners;
  const opened = new AsyncDisposableStack();
  async function listen(server: Server, at: { host: string; port: number }): Promise<void> {
    await listenAt(server, at);
    const closed = new Promise<void>((resolve) => server.once('close', resolve));
    opened.defer(() => {
      server.close();
      server.closeAllConnections();
      return closed;
    });
  }
  try {
    opened.defer(listeners.stop);
    opened.defer(lockDataDirectory(config.dataDirectory).release);
    const version = productVersion();
    const database = await openDatabase({
      directory: config.dataDirectory,
      url: config.databaseUrl,
      watched: true,
    });
    opened.defer(database.close);
    const key = config.team === null ? null : randomBytes(32).toString('base64url');
    const team = await openTeamOf(config, database, key);
    await listen(http, config);
    if (local !== null) await listen(local, { host: '127.0.0.1', port: 0 });
    const environment = describeEnvironment(`tls-toll ${version}`, true);
    const watch = openMachineWatch();
    opened.defer(watch.close);
    const onError = (error: unknown) => logger.error(error, 'a measurement went wrong');
    const queue = openMachineQueue(onError);
    const permits = openPermits(database, config.targets);
    const audit = openAudit(database, onError);
    const stopSwitch = openStopSwitch();
    const own = () => [http, ...(local === null ? [] : [local])].flatMap(ownListenersOf);
    const house = {
      ...config,
      permits: permits.current,
      own,
      stopped: stopSwitch.signal,
      hostTurns: openHostTurns(),
      ...openPast(database, environment),
    };
    const recordings = openRecordingControl(house, queue);
    const reached = {
      hostname: config.host,
      proxies: config.team?.proxies ?? 0,
      publicHost: config.team?.url?.hostname ?? null,
    };
    const sockets = acceptRecorderSockets(http, reached, recordings, (request) => recorderOf(team, request));
    opened.defer(sockets.close);
    const url = urlOf(http, config.host, config.tls === null ? 'http' : 'https');
    const localUrl = local === null ? url : urlOf(local, '127.0.0.1', 'http');
    // Before a measurement that waited is begun: a start that fails here must not end it.
    announceServer(config.dataDirectory, { url: localUrl, key });
    const measurements = await openMeasurements({
      self: { ...config.runner, measures: measures(config, repeats), name: nameAt(http), version },
      database,
      queue,
      stopSwitch,
      kinds: allKinds,
      house: {
        ...house,
        chooseScenario: (asked, secrets) => runnableScenario(database, asked, secrets),
      },
      environment,
      noteLoad: (by, what, request, note) => permits.note(by, what, addressesOf(request), note),
      onError,
    });
    opened.defer(measurements.close);
    const metrics = config.metrics
      ? (await import('./metrics/open-metrics.ts')).openMetrics({
          database,
          status: measurements.status,
          version,
        })
      : null;
    const schedules = openSchedules(database, measurements);
    const clientDirectory = fileURLToPath(new URL('../../dist/client', import.meta.url));
    const retire = (keep: Keep) =>
      startRetiring(database, keep, {
        onError,
        async onRetired(ids) {
          logger.info({ ids }, 'TLS_TOLL_KEEP moved results to the bin');
          const event = { what: 'retired', subject: ids.join(' '), host: null, note: null };
          await audit.note({ ...program('retention'), ...event });
        },
      });
    app.resolve(
      createApp({
        measurements,
        schedules,
        machine: {
          look: watch.look,
          halfWidths: () => listHalfWidths(database, 'cpu_at_load', environment),
        },
        checks: openChecks(database, house, queue),
        permits,
        audit,
        database,
        history: openHistory({
          directory: config.dataDirectory,
          url: config.databaseUrl,
          demandFile: database.demandFile,
        }),
        recordings,
        metrics,
        pictures: openPictures(),
        clientDirectory,
        filePage: fileURLToPath(new URL('../../dist/file/page.html', import.meta.url)),
        ...reached,
        team,
        logger,
        limits: { ...limits, runners: config.databaseUrl !== null, measures: config.runner.measures },
        version,
      }),
    );
    if (repeats) opened.defer(startRepeating(schedules, onError).stop);
    if (repeats && config.keep !== null) opened.defer(retire(config.keep).stop);
    // Nothing new comes in while the rest is closed, and who is watching sees how it ends.
    opened.defer(() => {
      http.close();
      local?.close();
    });
    return { url, localUrl, key, close: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
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

/** What a dashboard is called as a runner. */
function nameAt(server: Server): string {
  return `${ownName()}:${(server.address() as AddressInfo).port}`;
}

function urlOf(server: Server, host: string, scheme: 'http' | 'https'): string {
  const { port } = server.address() as AddressInfo;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
