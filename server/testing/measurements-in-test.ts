import type { Part, Task, Watch } from '../kinds/kind.ts';
import type { ToldEvent } from '../kinds/told-event.ts';
import type { Database } from '../life/database/open-database.ts';
import type { Measurements } from '../life/measurement/asked-measurements.ts';
import { openStopSwitch } from '../life/measurement/dispatch.ts';
import { type MachineQueue, openMachineQueue } from '../life/measurement/machine-queue.ts';
import type { Self } from '../life/measurement/open-dispatch.ts';
import { openMeasurements } from '../life/measurement/open-measurements.ts';
import { type DatabaseInTest, openDatabaseInTest } from './database-in-test.ts';
import {
  type DummyBlock,
  type DummyDocument,
  type DummyFacts,
  type DummyKind,
  type DummyRequest,
  dummy,
  dummyDocumentSchema,
} from './dummy-kind.ts';
import { sampleSurroundings } from './sample-surroundings.ts';

/** For tests of the life of measurements: dummies that are conducted by the test, on SQLite, without HTTP. */
export type MeasurementsInTest = {
  measurements: Measurements;
  queue: MachineQueue;
  database: Database;
  /** Error with which all storing fails from now on; null when the store works. */
  store: { failure: Error | null };
  /** Delays noting the load of a new one. */
  noting: { until: Promise<void> };
  problems: unknown[];
  /** Queues a dummy; resolves to its id. */
  create(body?: object): Promise<string>;
  /** The next one that begins. */
  begun(): Promise<Conducted>;
  /** All that its log tells, up to the end. */
  events(id: string): Promise<ToldEvent[]>;
  document(id: string): Promise<DummyDocument>;
  /** Another server on the same store, as if this one had died. */
  restart(): Promise<MeasurementsInTest>;
  close(): Promise<void>;
};

/** A measurement that goes on until the test ends it, or until it is aborted. */
export type Conducted = {
  task: Task<DummyRequest, DummyFacts>;
  signal: AbortSignal;
  tell: Watch<DummyFacts, DummyBlock>['tell'];
  keep(part: Part<DummyFacts, DummyBlock>): Promise<void>;
  measured(): Promise<void>;
  finish(): void;
  fail(error: unknown): void;
};

export async function openMeasurementsInTest(change: Partial<DummyKind> = {}): Promise<MeasurementsInTest> {
  return openMeasurementsOn(await openDatabaseInTest(), change);
}

/** @param self what it is on a PostgreSQL */
export async function openMeasurementsOn(
  opened: Pick<DatabaseInTest, 'database' | 'close'>,
  change: Partial<DummyKind>,
  self?: Self,
): Promise<MeasurementsInTest> {
  const problems: unknown[] = [];
  const onError = (error: unknown) => void problems.push(error);
  const store: { failure: Error | null } = { failure: null };
  const database = failingWith(opened.database, () => store.failure);
  const noting = { until: Promise.resolve() };
  const queue = openMachineQueue(onError);
  const { conduct, begun } = scriptConductor();
  const measurements = await openMeasurements({
    ...{
      database,
      queue,
      stopSwitch: openStopSwitch(),
      onError,
      self,
      house: null,
      noteLoad: () => noting.until,
    },
    kinds: [{ ...dummy, conduct, ...change }],
    environment: sampleSurroundings.environment,
  });
  const document = async (id: string) =>
    dummyDocumentSchema.parse(JSON.parse(await (await measurements.readDocument(id)).text()));
  return {
    ...{ measurements, queue, database, store, noting, problems, begun, document },
    create: async (body = {}) => (await measurements.create('dummy', body, null)).id,
    events: (id) =>
      new Promise((resolve) => {
        const heard: ToldEvent[] = [];
        const onEvent = (event: ToldEvent) => void heard.push(event);
        const stop = measurements.follow(id, 0, { onEvent, onEnd: () => resolve(heard) });
        if (stop === null) resolve(measurements.events(id, 0));
      }),
    restart: () => openMeasurementsOn(opened, change, self),
    async close() {
      await measurements.close();
      await opened.close();
    },
  };
}

/** The same database, that stores nothing while there is a failure. */
function failingWith(database: Database, failure: () => Error | null): Database {
  const queries = database.queries.withPlugin({
    transformQuery({ node }) {
      const error = failure();
      if (error !== null && node.kind !== 'SelectQueryNode') throw error;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { ...database, queries };
}

function scriptConductor(): { conduct: DummyKind['conduct']; begun(): Promise<Conducted> } {
  const begun: Conducted[] = [];
  const waiting: ((conducted: Conducted) => void)[] = [];
  return {
    conduct(task, { signal, tell, keep, measured }) {
      const { promise, resolve: finish, reject: fail } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => fail(signal.reason));
      if (signal.aborted) fail(signal.reason);
      const conducted = { task, signal, tell, keep, measured, finish, fail };
      const wanted = waiting.shift();
      if (wanted === undefined) begun.push(conducted);
      else wanted(conducted);
      return promise;
    },
    async begun() {
      return begun.shift() ?? new Promise((resolve) => waiting.push(resolve));
    },
  };
}
