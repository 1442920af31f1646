import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measurementEndpoints } from '../../shared/api/measurement-endpoints.ts';
import { type RunDocument, runDocumentSchema } from '../../shared/kinds/comparison/run.ts';
import type { CreateRunInput } from '../../shared/kinds/comparison/run-request.ts';
import type { CreatedMeasurement } from '../../shared/measurement/measurement.ts';
import type { MeasurementEvent } from '../../shared/results/kinds.ts';
import { type ApiClient, connectTo } from '../edge/commands/api-client.ts';
import { startServer } from '../edge/start/start-server.ts';

/** For tests: the whole server on a data directory of its own, and a client of it. */
export type ServerInTest = ClientInTest & { url: string; directory: string; close(): Promise<void> };

type ClientInTest = {
  api: ApiClient;
  cancel(id: string, keep: boolean): Promise<void>;
  create(request?: CreateRunInput): Promise<CreatedMeasurement>;
  /** The first event of a run that satisfies the condition; throws when the log ends without. */
  until(id: string, isIt: (event: MeasurementEvent) => boolean): Promise<MeasurementEvent>;
  /** The document at the permalink, parsed with its schema. */
  document(id: string): Promise<RunDocument>;
  /** The status of the permalink's `.json`. */
  status(id: string): Promise<number>;
};

/**
 * @param directory of the data; a new one, removed in the end, when it is left out
 * @param change what is otherwise than in `configInTest`
 */
export async function openServerInTest(
  directory?: string,
  change: Partial<ReturnType<typeof configInTest>> = {},
): Promise<ServerInTest> {
  const own = directory ?? mkdtempSync(join(tmpdir(), 'tls-toll-server-'));
  const server = await startServer({ ...configInTest(own), ...change });
  return {
    ...clientInTest(server.url),
    url: server.url,
    directory: own,
    async close() {
      await server.close();
      if (directory === undefined) rmSync(own, { recursive: true });
    },
  };
}

/** Configuration of a server on a free port, without sign-in and without a browser, which each run would start. */
export function configInTest(directory: string): Parameters<typeof startServer>[0] {
  return {
    host: '127.0.0.1',
    port: 0,
    dataDirectory: directory,
    databaseUrl: null,
    storefrontDatabaseUrl: null,
    chromiumPath: '/nowhere',
    libraries: {},
    targets: [],
    tls: null,
    keep: null,
    runner: { measures: true, labels: {} },
    generators: null,
    pods: null,
    team: null,
    metrics: false,
    logLevel: 'silent',
  };
}

export function clientInTest(url: string): ClientInTest {
  const api = connectTo({ url, key: null });
  return {
    api,
    create: ({ secrets = {}, ...request } = {}) =>
      api.call(measurementEndpoints.createMeasurement, { body: { ...request, kind: 'comparison', secrets } }),
    async cancel(id, keep) {
      await api.call(measurementEndpoints.cancelMeasurement, { params: { id }, body: { keep } });
    },
    async until(id, isIt) {
      for await (const event of api.events(id)) if (isIt(event)) return event;
      throw new Error(
        `the log ended without the event: ${await api.readDocument(`/r/${id}`).then(describeEnd, String)}`,
      );
    },
    async document(id) {
      return runDocumentSchema.parse(JSON.parse(await api.readDocument(`/r/${id}`)));
    },
    async status(id) {
      return (await fetch(`${url}/r/${id}.json`)).status;
    },
  };
}

function describeEnd(text: string): string {
  const { state, problem } = runDocumentSchema.parse(JSON.parse(text));
  return `the run is ${state}${problem === null ? '' : `, ${problem.detail}`}`;
}

export const isEnd = (event: MeasurementEvent) => event.type === 'end';
export const isBlock = (event: MeasurementEvent) => event.type === 'block';
