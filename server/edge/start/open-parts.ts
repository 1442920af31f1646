import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';
import type { Limits } from '../../../shared/api/server-endpoints.ts';
import { apiPrefix } from '../../../shared/base/addresses.ts';
import type { Environment } from '../../../shared/base/environment.ts';
import { lengthNames, lengths, loadOptions } from '../../../shared/kinds/comparison/options.ts';
import { openHostTurns } from '../../base/addresses/load-limits.ts';
import type { OwnListener } from '../../base/addresses/target-policy.ts';
import { openPictures } from '../../base/picture/open-pictures.ts';
import { type ServedHosts, serveGeneratorHosts } from '../../drive/hosts/generator-hosts.ts';
import { offerPods, type PodsOffer } from '../../drive/hosts/offer-pods.ts';
import { harLimitBytes } from '../../intake/import/har.ts';
import type { ConfiguredHouse, House } from '../../kinds/apparatus.ts';
import { listSampleDeviations } from '../../life/database/figures.ts';
import type { Database } from '../../life/database/open-database.ts';
import { openExamples, refuseExamples, withExamples } from '../../life/examples/with-examples.ts';
import { openHistory } from '../../life/history/open-history.ts';
import type { Measurements } from '../../life/measurement/asked-measurements.ts';
import { type NoteLoad, openStopSwitch } from '../../life/measurement/dispatch.ts';
import { openMachineQueue, queueLimit } from '../../life/measurement/machine-queue.ts';
import { openMeasurements } from '../../life/measurement/open-measurements.ts';
import { openSchedules } from '../../life/measurement/open-schedules.ts';
import { addressesOf, openAudit, openChecks, openPermits } from '../../life/recording/open-permits.ts';
import { runnableScenario } from '../../life/recording/scenario-library.ts';
import { openOwnIdentity } from '../../targets/certificates/certificate-authority.ts';
import { watchPrograms } from '../../targets/sampling/machine.ts';
import { sweepRecordings } from '../../targets/sampling/record-stacks.ts';
import { demandLink, identify, keepAudit, refuseBadKey } from '../routes/actor.ts';
import { api, unknownEndpoint, uploads } from '../routes/api.ts';
import { assets, client, sendClient, unknownAddress } from '../routes/client.ts';
import type { AppParts } from '../routes/endpoint.ts';
import { openPast } from '../routes/open-past.ts';
import { badges, pageFiles, permalinks, pictures } from '../routes/page-files.ts';
import {
  batchLinks,
  cellLinks,
  changeLinks,
  documentation,
  embeds,
  metrics,
  otherForms,
  revisionLinks,
} from '../routes/permalink-routes.ts';
import {
  assignRequestId,
  jsonBody,
  logRequests,
  problemHandler,
  securityHeaders,
} from '../routes/problem-handler.ts';
import { hostGuard, limitRate, originGuard } from '../routes/rate-limit.ts';
import type { Config } from '../settings/config.ts';
import { makeTokenFile, readTokenFile } from '../settings/token-file.ts';
import { allKinds } from './all-kinds.ts';

type OpenedParts = Pick<AppParts, 'generatorHosts' | 'recordings' | 'team' | 'logger' | 'version'> & {
  database: Database;
  environment: Environment;
  measuring: ReturnType<typeof openMeasuring>;
  measurements: Measurements;
  look: AppParts['machine']['look'];
  onError(error: unknown): void;
};

type PartsConfig = Pick<
  Config,
  'dataDirectory' | 'databaseUrl' | 'host' | 'libraries' | 'metrics' | 'runner' | 'team'
>;

/** Collects what the routes need from the parts that are open already. */
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
    machine: {
      ...{ look, lookAtPrograms: watchPrograms() },
      sampleDeviations: () => listSampleDeviations(database, 'cpu_at_load', environment),
    },
    checks: openChecks(database, measuring.house, measuring.queue),
    permits: measuring.permits,
    audit: openAudit(database, onError),
    history: openHistory({
      directory: config.dataDirectory,
      url: config.databaseUrl,
      demandFile: database.demandFile,
    }),
    metrics: config.metrics
      ? (await import('../routes/open-metrics.ts')).openMetrics({
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
      libraries: Object.keys(config.libraries),
      measures: config.runner.measures,
    },
  };
}

/** Under which names people reach it. */
export function reachedAt({ host, team }: Pick<Config, 'host' | 'team'>) {
  return { hostname: host, proxies: team?.proxies ?? 0, publicHost: team?.url?.hostname ?? null };
}

function built(path: string): string {
  return fileURLToPath(new URL(`../../../dist/${path}`, import.meta.url));
}

/** Limits for the requests of clients. */
const limits: Omit<Limits, 'runners' | 'generators' | 'pods' | 'libraries' | 'measures'> = {
  bodyBytes: 2_000_000,
  importBytes: harLimitBytes,
  queueLength: queueLimit,
  users: loadOptions.users.max,
  stepsPerScenario: 50,
  requestsPerMinute: 1200,
  permittedTargets: [
    'the demo shop',
    'servers of this machine, started for the run',
    'loopback addresses (127.0.0.0/8, ::1)',
    'hosts that were allowed (/targets)',
  ],
  lengths: lengthNames.map((length) => {
    const { title, precision, atMostS } = lengths[length];
    return { length, title, precision, atMostS };
  }),
};

/** The Express app: middleware and routes in the order in which a request meets them. Does not listen. */
export function createApp(parts: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('trust proxy', parts.proxies);

  if (parts.metrics !== null) app.use(parts.metrics.measureRequests);
  app.use(assignRequestId, logRequests(parts.logger), securityHeaders());
  app.use(hostGuard(parts.hostname, parts.publicHost), originGuard);
  app.use('/assets', assets(parts));
  app.use(identify(parts.team), keepAudit(parts.audit));
  app.use(['/api', '/metrics', '/r', '/l', '/s', '/c', '/b'], limitRate(parts.limits.requestsPerMinute));
  app.use(refuseBadKey);
  if (parts.metrics !== null) app.use('/metrics', metrics(parts.metrics));
  app.use(apiPrefix, uploads());
  app.use('/api', jsonBody(parts.limits.bodyBytes), documentation(parts));
  app.use(apiPrefix, api(parts));
  app.use('/api', unknownEndpoint);
  app.use(
    ['/r', '/l', '/s', '/c', '/b'],
    demandLink((response) => sendClient(response, parts.clientDirectory, 401)),
  );
  app.use('/r', badges(parts));
  app.use(['/r', '/l'], pictures(parts), embeds(parts));
  app.use('/r', cellLinks(parts));
  app.use(['/r', '/l'], pageFiles(parts));
  app.use(['/r', '/l'], otherForms(parts), permalinks(parts));
  app.use('/s', revisionLinks(parts));
  app.use('/c', changeLinks(parts));
  app.use('/b', batchLinks(parts));
  app.use(client(parts), unknownAddress(parts));
  app.use(problemHandler(parts.logger));
  return app;
}

type MeasuringOptions = {
  config: ConfiguredHouse & { targets: string[] };
  database: Database;
  environment: Environment;
  onError(error: unknown): void;
};

type Begun = Omit<
  Parameters<typeof openMeasurements<House>>[0],
  keyof MeasuringOptions | 'house' | 'queue' | 'stopSwitch' | 'kinds'
>;

/** The house in which every kind is measured, by a dashboard or by a runner: who may be reached, whose turn it is, and what is known already. */
export function openMeasuring({ config, database, environment, onError }: MeasuringOptions) {
  // Recordings of a server that was killed while it recorded.
  sweepRecordings(config.dataDirectory);
  const queue = openMachineQueue(onError);
  const permits = openPermits(database, config.targets);
  const stopSwitch = openStopSwitch();
  const house: House = {
    ...config,
    permits: permits.current,
    stopped: stopSwitch.signal,
    hostTurns: openHostTurns(),
    ...openPast(database, environment),
    chooseScenario: (asked, secrets) => runnableScenario(database, asked, secrets),
  };
  const noteLoad: NoteLoad = (by, what, request, note) => permits.note(by, what, addressesOf(request), note);
  const given = { database, environment, onError, queue, stopSwitch, house };
  return {
    queue,
    permits,
    house,
    noteLoad,
    /** Takes up what waits. */
    begin: (options: Begun, kinds = allKinds): Promise<Measurements> =>
      openMeasurements({ ...given, ...options, kinds }),
  };
}

type OpenedGenerators = ServedHosts & { fingerprint: string; pods: PodsOffer | null };

/** Listens for hosts that offer their load generator; null without TLS_TOLL_GENERATORS. Throws address_in_use, invalid_environment, file_unreadable. */
export async function openGenerators(
  { generators, pods, dataDirectory }: Pick<Config, 'generators' | 'pods' | 'dataDirectory'>,
  version: string,
  own: () => readonly OwnListener[],
): Promise<OpenedGenerators | null> {
  if (generators === null) return null;
  const tokenFile = join(dataDirectory, 'generator.token');
  makeTokenFile(tokenFile, 'The token of generators');
  const token = readTokenFile(tokenFile, 'The token of generators');
  const identity = await openOwnIdentity(`${tokenFile}.pem`, 'TLS Toll generators');
  const served = await serveGeneratorHosts({ ...generators.listen, token, identity, version, own });
  const { fingerprint } = identity;
  if (pods === null) return { ...served, fingerprint, pods: null };
  const offered = {
    ...pods,
    join: printGeneratorPlace(generators.at, served),
    fingerprint,
    dashboard: printClusterLabel(fingerprint),
  };
  return { ...served, fingerprint, pods: offerPods(served, offered) };
}

/** Says in sentences what the `generator` command needs to join. */
export function sayGenerators(
  { generators, dataDirectory }: Pick<Config, 'generators' | 'dataDirectory'>,
  opened: Pick<OpenedGenerators, 'fingerprint' | 'port'> | null,
): string {
  if (generators === null || opened === null) return '';
  const at = printGeneratorPlace(generators.at, opened);
  return `Generators join ${at} with ${join(dataDirectory, 'generator.token')}.\nFingerprint: ${opened.fingerprint}\n`;
}

function printGeneratorPlace(
  { host, port }: { host: string; port: number },
  opened: { port: number },
): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port === 0 ? opened.port : port}`;
}

/** Letters and digits only, as a cluster demands of labels. */
function printClusterLabel(fingerprint: string): string {
  return fingerprint.replaceAll(':', '').slice(0, 16).toLowerCase();
}
