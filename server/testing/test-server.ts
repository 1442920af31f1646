import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request as openRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Limits } from '../../shared/api.ts';
import type { Environment } from '../../shared/environment.ts';
import { ProblemError, problem } from '../../shared/problem.ts';
import { type RunDocument, runRequestSchema } from '../../shared/run.ts';
import { createApp } from '../app.ts';
import { readDocument, storeDocument } from '../database/documents.ts';
import { findRunSummary } from '../database/list-runs.ts';
import { type Database, openDatabase } from '../database/open-database.ts';
import { insertRun, updateRun } from '../database/runs.ts';
import { upgradeDocument } from '../database/upgrade-document.ts';
import { openLabEventLog, openRunEventLog, type RunEventLog } from '../measurement/event-log.ts';
import type { LabRoom } from '../measurement/lab-room.ts';
import { openMachineQueue } from '../measurement/machine-queue.ts';
import { openLabControl } from '../measurement/open-lab-control.ts';
import { openLabRoom } from '../measurement/open-lab-room.ts';
import type { RunControl } from '../measurement/run-control.ts';
import { openRecordingControl } from '../recorder/open-recording-control.ts';
import { findKnownRun } from '../routes/known-run.ts';
import { sampleRun } from './sample-run.ts';

/**
 * For tests: the whole application on a real socket with a real database. Only the conductor is missing: runs are
 * inserted, and end when a test says so.
 */
export type TestServer = {
  origin: string;
  host: string;
  database: Database;
  events: RunEventLog;
  control: RunControl;
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

export async function openTestServer(
  change: { limits?: Partial<Limits>; hostname?: string; log?: (line: string) => void; built?: boolean } = {},
): Promise<TestServer> {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-app-'));
  const clientDirectory = join(directory, 'client');
  if (change.built !== false) buildClient(clientDirectory);
  const database = await openDatabase({ directory, url: null });
  const events = openRunEventLog(database);
  const control = standInControl(database, events);
  const onFault = (error: unknown) => {
    throw error;
  };
  const queue = openMachineQueue(onFault);
  const labEvents = openLabEventLog(database);
  const here = sampleRun({ blocksPerPoint: 1 }).environment;
  const lab = await openLabControl({
    database,
    events: labEvents,
    queue,
    room: standInLabRoom(here),
    here,
    onFault,
  });
  const house = { dataDirectory: directory, storefrontDatabaseUrl: null, chromiumPath: null };
  const logger = pino(
    { level: change.log === undefined ? 'silent' : 'error' },
    { write: change.log ?? (() => {}) },
  );
  const http = createServer(
    createApp({
      control,
      database,
      events,
      lab,
      labEvents,
      recordings: openRecordingControl(house, queue),
      clientDirectory,
      hostname: change.hostname ?? '127.0.0.1',
      logger,
      limits: { ...limits, ...change.limits },
      version: '0.1.0',
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
    events,
    control,
    send: (path, options = {}) => send(origin, path, options),
    async storeRun(changed = {}) {
      stored += 1;
      const id = `Stored${stored}x`.padEnd(22, '0');
      const document = { ...sampleRun({ blocksPerPoint: 2 }), id, ...changed };
      await insertRun(database, newRun(document.id, document));
      const { state, startedAt, endedAt, verdict } = document;
      await updateRun(database, id, { state, startedAt, endedAt, verdict });
      await storeDocument(database, 'documents', id, document.schemaVersion, JSON.stringify(document));
      return document;
    },
    async close() {
      http.closeAllConnections();
      http.close();
      await queue.close(new Error('the test is over'));
      await database.close();
      rmSync(directory, { recursive: true });
    },
  };
}

const limits: Limits = {
  bodyBytes: 100_000,
  importBytes: 64 * 1024 * 1024,
  queueLength: 20,
  connections: 512,
  stepsPerScenario: 50,
  requestsPerMinute: 100_000,
  permittedTargets: ['127.0.0.0/8'],
  presets: [],
};

function buildClient(directory: string): void {
  mkdirSync(join(directory, 'assets'), { recursive: true });
  writeFileSync(join(directory, 'index.html'), clientPage);
  writeFileSync(join(directory, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(directory, 'assets', 'main-abc123.js'), 'export {};');
}

function newRun(id: string, document: Pick<RunDocument, 'scenario' | 'plan' | 'createdAt'>) {
  return {
    id,
    createdAt: document.createdAt,
    request: runRequestSchema.parse({}),
    scenario: document.scenario,
    plan: document.plan,
    deleteTokenHash: createHash('sha256').update('token').digest('hex'),
    idempotencyKey: null,
    requestHash: 'hash',
  };
}

function standInControl(database: Database, events: RunEventLog): RunControl {
  const sample = sampleRun({ blocksPerPoint: 1 });
  let created = 0;
  const { preflight } = sample;
  if (preflight === null) throw new Error('the sample has no preflight');
  return {
    async create(_request, idempotencyKey) {
      created += 1;
      const id = `Queued${created}x`.padEnd(22, '0');
      await insertRun(database, { ...newRun(id, sample), idempotencyKey, createdAt: Date.now() });
      await events.append(id, { type: 'state', state: 'queued', queuePosition: 1 });
      return { id, url: `/r/${id}`, eventsUrl: `/api/v1/runs/${id}/events`, deleteToken: 'token' };
    },
    preflight: async () => preflight,
    dryRun: async () => ({ preflight, steps: [] }),
    async cancel(id) {
      const { state } = await findKnownRun(database, id);
      if (state !== 'queued') throw problem('run_over', `The run is ${state} already.`);
      await updateRun(database, id, { state: 'incomplete', endedAt: Date.now() });
      await events.append(id, { type: 'end', state: 'incomplete' });
      const summary = await findRunSummary(database, id);
      if (summary === null) throw new Error('the run is gone');
      return { ...summary, queuePosition: null };
    },
    async readDocument(id) {
      const run = await findKnownRun(database, id);
      const document = await readDocument(database, 'documents', id);
      if (document !== null) {
        return { text: JSON.stringify(upgradeDocument(JSON.parse(document.text))), final: true };
      }
      const growing = { ...sample, id, state: run.state, verdict: null, endedAt: null };
      return { text: JSON.stringify(growing), final: false };
    },
    queuePosition: (id) => (id.startsWith('Queued') ? 1 : null),
    status: () => ({ running: null, queued: created }),
  };
}

/** Measures nothing: seed 1 ends at once, every other goes on until it is cancelled. */
function standInLabRoom(environment: Environment): LabRoom {
  const { nothingYet } = openLabRoom(environment, {
    dataDirectory: '',
    storefrontDatabaseUrl: null,
    chromiumPath: null,
  });
  return {
    titleOf: (request) => `Handshakes, seed ${request.seed ?? 0}`,
    nothingYet,
    async conduct(request, { signal, tell }) {
      const times = { startedAt: Date.now(), endedAt: Date.now() };
      if (request.seed === 1) return { ...nothingYet(request), ...times, state: 'finished' };
      tell({
        type: 'progress',
        phase: 'measuring',
        fraction: 0.5,
        cellsDone: 1,
        cellsPlanned: 2,
        roundsDone: 0,
        roundsPlanned: 1,
        secondsLeft: 9,
      });
      if (!signal.aborted) await once(signal, 'abort');
      const why = signal.reason instanceof ProblemError ? signal.reason.problem : null;
      return { ...nothingYet(request), ...times, state: 'incomplete', problem: why };
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
