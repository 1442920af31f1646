import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request as openRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Limits } from '../../shared/api/server-endpoints.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { allKinds } from '../edge/start/all-kinds.ts';
import { createApp, openMeasuring, openParts } from '../edge/start/open-parts.ts';
import type { Team } from '../edge/team/team-keys.ts';
import type { House } from '../kinds/apparatus.ts';
import type { AnyKind, Task, Watch } from '../kinds/kind.ts';
import { type Database, openDatabase } from '../life/database/open-database.ts';
import type { Measurements } from '../life/measurement/asked-measurements.ts';
import type { MachineQueue } from '../life/measurement/machine-queue.ts';
import type { Checks } from '../life/recording/open-permits.ts';
import { openRecordingControl } from '../life/recording/open-recording-control.ts';
import { probe } from '../targets/preflight/probe-target.ts';
import { chromiumInTest } from './chromium-in-test.ts';
import { sampleRun } from './sample-run.ts';
import { storeFinishedRun } from './store-finished-run.ts';

/**
 * For tests: the whole application on a real socket with a real database. Only measuring is missing: a measurement with
 * seed 1 ends at once, every other goes on until it is canceled.
 */
export type TestServer = {
  origin: string;
  host: string;
  database: Database;
  measurements: Measurements;
  queue: MachineQueue;
  /** Watches of the running measurements, in the order in which they began. */
  underWay: Watch<unknown, unknown>[];
  send(path: string, options?: SendOptions): Promise<Reply>;
  /** A finished run with its document; its delete token is `token`. */
  storeRun(change?: Partial<RunDocument>): Promise<RunDocument>;
  close(): Promise<void>;
};

export type SendOptions = {
  method?: string;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: unknown;
};

export type Reply = { status: number; headers: IncomingHttpHeaders; text: string };

export const clientPage = '<!doctype html><title>TLS Toll</title><div id="root"></div>';

/** Page for files of results, without its scripts and styles. */
const filePageHtml =
  '<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; script-src \'sha256-test\'"><title>%title%</title><div id="root">%summary%</div><script id="packed-result" type="application/gzip">%result%</script>';

type Change = {
  limits?: Partial<Limits>;
  hostname?: string;
  proxies?: number;
  /** Set for a server that demands sign-in. */
  team?: (database: Database, directory: string) => Promise<Team>;
  metrics?: boolean;
  log?: (line: string) => void;
  built?: boolean;
  /** That the environment allows. */
  targets?: string[];
  /** More kinds, which are conducted as they are. */
  kinds?: AnyKind<House>[];
};

export async function openTestServer(change: Change = {}): Promise<TestServer> {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-app-'));
  const clientDirectory = join(directory, 'client');
  const filePage = join(directory, 'page.html');
  if (change.built !== false) {
    buildClient(clientDirectory);
    writeFileSync(filePage, filePageHtml);
  }
  const database = await openDatabase({ directory, url: null });
  const onError = (error: unknown) => {
    throw error;
  };
  const { environment, preflight } = sampleRun({ launches: 1, epochs: 1 });
  const underWay: Watch<unknown, unknown>[] = [];
  const config = {
    ...{ dataDirectory: directory, databaseUrl: null, storefrontDatabaseUrl: null, libraries: {} },
    ...{ host: change.hostname ?? '127.0.0.1', chromiumPath: chromiumInTest, team: null },
    ...{ targets: change.targets ?? [], metrics: change.metrics ?? false },
    runner: { measures: true, labels: {} },
  };
  const measuring = openMeasuring({ config, database, environment, onError });
  const kinds = [...allKinds.map((kind) => standIn(kind, underWay)), ...(change.kinds ?? [])];
  const measurements = await measuring.begin({ noteLoad: measuring.noteLoad }, kinds);
  const parts = await openParts(config, {
    ...{ database, environment, measuring, measurements, onError, version: '0.1.0' },
    generatorHosts: null,
    look: () => ({ overS: 0, stealRatio: null, foreignRatio: null }),
    recordings: openRecordingControl(measuring.house, measuring.queue),
    team: (await change.team?.(database, directory)) ?? null,
    logger: pino(
      { level: change.log === undefined ? 'silent' : 'error' },
      { write: change.log ?? (() => {}) },
    ),
  });
  const http = createServer(
    createApp({
      ...parts,
      ...{ clientDirectory, filePage, proxies: change.proxies ?? 0 },
      checks: standInChecks(preflight),
      limits: { ...parts.limits, bodyBytes: 100_000, requestsPerMinute: 100_000, ...change.limits },
    }),
  ).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  const origin = `http://${host}`;
  let stored = 0;
  return {
    origin,
    host,
    database,
    measurements: parts.measurements,
    queue: measuring.queue,
    underWay,
    send: (path, options = {}) => send(origin, path, options),
    async storeRun(changed = {}) {
      stored += 1;
      const id = `Stored${stored}x`.padEnd(22, '0');
      const document = { ...sampleRun({ launches: 2, epochs: 1 }), id, ...changed };
      await storeFinishedRun(database, document);
      return document;
    },
    async close() {
      http.closeAllConnections();
      http.close();
      await measurements.close();
      await database.close();
      rmSync(directory, { recursive: true });
    },
  };
}

/** Nothing is looked at but what a probe is pointed at. */
function standInChecks(preflight: RunDocument['preflight']): Checks {
  if (preflight === null) throw new Error('the sample has no preflight');
  const none = {
    ...{ untrusted: null, refused: { baseline: null, comparison: null }, otherVersion: null },
    twinProblem: null,
  };
  return {
    preflight: async () => ({ ...preflight, ...none }),
    lookUp: async () => ({ found: [], same: null, missing: null, others: [], twin: null, servers: [] }),
    dryRun: async () => ({ preflight, steps: [] }),
    openDryRun: () => null,
    endDryRun: async () => {},
    probe: (request) => probe(request, {}),
  };
}

function buildClient(directory: string): void {
  mkdirSync(join(directory, 'assets'), { recursive: true });
  writeFileSync(join(directory, 'index.html'), clientPage);
  writeFileSync(join(directory, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(directory, 'assets', 'main-abc123.js'), 'export {};');
}

function standIn(kind: AnyKind<House>, underWay: Watch<unknown, unknown>[]): AnyKind<House> {
  return {
    ...kind,
    async conduct({ request }: Task<unknown, unknown>, watch: Watch<unknown, unknown>) {
      if ((request as { seed?: number }).seed === 1) return;
      underWay.push(watch);
      if (!watch.signal.aborted) await once(watch.signal, 'abort');
      throw watch.signal.reason;
    },
  };
}

/** One request, with every header under the test's control. */
function send(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body }: SendOptions,
): Promise<Reply> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = openRequest(`${origin}${path}`, {
      method,
      agent: false,
      headers: {
        ...(['GET', 'HEAD'].includes(method) ? {} : { Origin: origin }),
        ...(body === undefined || typeof body === 'string' ? {} : { 'Content-Type': 'application/json' }),
        ...(text === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(text)) }),
        ...headers,
      },
    });
    request.once('error', reject);
    request.once('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const { statusCode: status = 0 } = response;
      resolve({ status, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') });
    });
    request.end(text);
  });
}
