/** Protects what a run learns from the database: of its machine, load and question only, and nothing of what is damaged. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AtLoad } from '../../../shared/kinds/comparison/at-load.ts';
import type { RunDocument, RunFacts } from '../../../shared/kinds/comparison/run.ts';
import { runRequestSchema } from '../../../shared/kinds/comparison/run-request.ts';
import { sampleAtLoad } from '../../../shared/testing/sample-at-load.ts';
import { betweenLaunchesPriors } from '../../kinds/comparison/run-pool.ts';
import { binMeasurement } from '../../life/database/bin.ts';
import { readDocument } from '../../life/database/measurements.ts';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { storeFinishedRun } from '../../testing/store-finished-run.ts';
import { openPast } from './open-past.ts';

const atLoad = sampleAtLoad;
const byRate: AtLoad = { ...atLoad, ratePerS: 2000 };
const first = sampleRun({ launches: 3, epochs: 1 });
const environment = { ...first.environment, machine: 'a'.repeat(32) };
const idOf = (place: number) => `${place}`.padEnd(22, 'k');
const run = (place: number, change: Partial<RunDocument> = {}): RunDocument => {
  const { metrics } = sampleRun({ seed: 100 + place, launches: 3, epochs: 1 });
  const createdAt = first.createdAt + place * 1000;
  return { ...first, id: idOf(place), createdAt, metrics, atLoad, environment, ...change };
};
const { scenario, revisionId, plan, launches, preflight, server } = first;
const facts: RunFacts = {
  ...{ scenario, revisionId, plan, launches, preflight, cache: null, server, placement: null, atLoad },
};
const request = runRequestSchema.parse({});
const asked = { request, facts };

describe.each(engines)('the past in %s', (engine) => {
  let opened: DatabaseInTest;
  beforeAll(async () => {
    opened = await openDatabaseInTest(engine);
  });
  afterAll(() => opened.close());

  const look = (change: Partial<typeof asked> = {}, where = environment) =>
    openPast(opened.database, where).past({ ...asked, ...change });

  test('is empty on a new machine, and says nothing of launches before there are three runs', async () => {
    const empty = { betweenLaunches: {}, betweenRuns: {}, earlier: [] };
    expect(await look()).toEqual(empty);
    for (const place of [1, 2]) await storeFinishedRun(opened.database, run(place));
    const two = await look();
    expect(two.betweenLaunches).toEqual({});
    expect(two.earlier.map(({ id }) => id)).toEqual([idOf(1), idOf(2)]);
  });

  test('holds what lay between launches of runs of this machine at a like load, whatever they asked for', async () => {
    await storeFinishedRun(
      opened.database,
      run(3, { scenario: { ...scenario, steps: scenario.steps.slice(0, 1) } }),
    );
    const { betweenLaunches, earlier } = await look();
    expect(betweenLaunches.cpu_at_load).toMatchObject({ runs: 3, from: 'history' });
    expect(earlier.map(({ id }) => id)).toEqual([idOf(1), idOf(2)]);
    const seen = [3, 2, 1].flatMap((place) => {
      const row = run(place).metrics.find(({ id }) => id === 'cpu_at_load');
      return row?.precision === undefined ? [] : [{ ...row.precision.launches, metric: row.id }];
    });
    expect(betweenLaunches.cpu_at_load).toEqual(betweenLaunchesPriors(seen, 'storefront').cpu_at_load);
    expect((await look({ facts: { ...facts, atLoad: byRate } })).betweenLaunches).toEqual({});
    const { atLoad: _, ...unknown } = facts;
    expect((await look({ facts: unknown })).betweenLaunches).toEqual({});
  });

  test('knows a foreign run of the question by its machine, and borrows nothing of it', async () => {
    const before = await look();
    const foreign = { ...environment, machine: 'b'.repeat(32), kernel: '6.12' };
    await storeFinishedRun(opened.database, run(4, { environment: foreign }));
    const { machine: _, ...unnamed } = environment;
    await storeFinishedRun(opened.database, run(5, { environment: unnamed }));
    const after = await look();
    expect(after.betweenLaunches).toEqual(before.betweenLaunches);
    expect(after.earlier.map(({ machine }) => machine)).toEqual([
      ...[environment.machine, environment.machine],
      ...[foreign.machine, null],
    ]);
    expect((await look({}, { ...environment, cores: 9 })).betweenLaunches).toEqual({});
    expect((await look({}, unnamed as typeof environment)).betweenLaunches).toEqual({});
  });

  test('holds figures with their errors, and how the run was made', async () => {
    const [found] = (await look()).earlier;
    const server = {
      ...{ title: 'Node', version: environment.node, tlsLibrary: `OpenSSL ${environment.openssl}` },
    };
    const cpu = run(1).metrics.find(({ id }) => id === 'cpu_at_load');
    expect(found).toMatchObject({
      ...{ id: idOf(1), cpuModel: environment.cpuModel, cores: 2, kernel: environment.kernel },
      sides: {
        baseline: { server, negotiated: null },
        comparison: { server, negotiated: { protocol: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' } },
      },
    });
    expect(found?.metrics.cpu_at_load?.error).toBeCloseTo(cpu?.precision?.withinError ?? 0, 12);
    expect(found?.metrics.cpu_at_load?.baseline).toBeCloseTo(cpu?.baseline?.center ?? 0, 9);
    expect(Object.keys(found?.metrics ?? {}).toSorted()).toEqual([
      'cpu_at_load',
      'latency_p50',
      'throughput',
    ]);
  });

  test('leaves out what is unfinished, refused, in the bin, without a noted error, or damaged', async () => {
    const before = await look();
    const bare = run(9).metrics.map(({ precision: _, ...row }) => row);
    await storeFinishedRun(opened.database, run(6, { state: 'interrupted' }));
    await storeFinishedRun(opened.database, run(7));
    await binMeasurement(opened.database, { id: idOf(7), fence: 1 }, 1);
    const refused = run(8).metrics.map((row) => ({ ...row, outcome: 'refused' as const }));
    await storeFinishedRun(opened.database, run(8, { metrics: refused }));
    await storeFinishedRun(opened.database, run(9, { metrics: bare }));
    await storeFinishedRun(opened.database, run(10));
    const broken = { facts: '{"scenario":7}', environment: '{}' };
    await opened.database.queries
      .updateTable('measurements')
      .set(broken)
      .where('id', '=', idOf(10))
      .execute();
    expect(await look()).toEqual(before);
  });

  test('knows what moves between runs of a standing target from three of the question', async () => {
    const origins = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' };
    const standing = runRequestSchema.parse({ target: origins });
    const lookAtIt = () => look({ request: standing });
    for (const place of [21, 22, 23]) {
      expect((await lookAtIt()).betweenRuns).toEqual({});
      await storeFinishedRun(opened.database, run(place, { target: standing.target }));
    }
    const { betweenLaunches, betweenRuns, earlier } = await lookAtIt();
    expect(earlier.map(({ id, sides }) => [id, sides.comparison.server])).toEqual(
      [21, 22, 23].map((place) => [idOf(place), null]),
    );
    expect(betweenRuns.cpu_at_load).toMatchObject({ runs: 3, degrees: 5, from: 'history' });
    // A run with one launch.
    expect(betweenLaunches).toEqual({});
    const other = { ...facts.preflight?.sides.comparison.tls, protocol: 'TLSv1.2' };
    const preflight = structuredClone(facts.preflight);
    if (preflight !== null) preflight.sides.comparison.tls = other as never;
    const changed = await look({ request: standing, facts: { ...facts, preflight } });
    expect(changed.betweenRuns).toEqual({});
    expect((await look()).betweenRuns).toEqual({});
  });

  test('another question has none of it, and the documents of the earlier ones stay as they are', async () => {
    const stored = async () => (await readDocument(opened.database, idOf(1)))?.unpack();
    const document = await stored();
    const other = runRequestSchema.parse({ users: 9 });
    expect((await look({ request: other })).earlier).toEqual([]);
    await storeFinishedRun(opened.database, run(11));
    expect((await look()).earlier.at(-1)?.id).toBe(idOf(11));
    expect(await stored()).toBe(document);
  });

  const loadsAt = (where = environment, machine: string | null = 'installation') => {
    return openPast(opened.database, where, machine).loads;
  };
  const { users, sides } = atLoad;

  test('a load is stored once, by the run that found it, and stays when that run is deleted', async () => {
    const loads = loadsAt();
    expect(await loads.find(asked)).toBeNull();
    await storeFinishedRun(opened.database, run(31));
    await loads.insert(asked, { users, sides, runId: idOf(31) }, null);
    const first = await loads.find(asked);
    expect(first).toMatchObject({ users, sides, runId: idOf(31) });
    await loads.insert(asked, { users: 64, sides, runId: idOf(32) }, null);
    await opened.database.queries.deleteFrom('measurements').where('id', '=', idOf(31)).execute();
    expect(await loads.find(asked)).toEqual(first);
    const sooner = { ...asked, request: runRequestSchema.parse({ seed: 5, length: 'quote' }) };
    expect(await loads.find(sooner)).toEqual(first);
  });

  test('a load that no longer fits is replaced once, and a deleted one is found again', async () => {
    const loads = loadsAt();
    const first = await loads.find(asked);
    await loads.insert(asked, { users: 16, sides, runId: idOf(33) }, first);
    await loads.insert(asked, { users: 64, sides, runId: idOf(34) }, first);
    expect(await loads.find(asked)).toMatchObject({ users: 16, runId: idOf(33) });
    await loads.delete(asked);
    expect(await loads.find(asked)).toBeNull();
    await loads.insert(asked, { users, sides, runId: idOf(35) }, null);
    expect(await loads.find(asked)).toMatchObject({ users, runId: idOf(35) });
  });

  test('a load is another one on another machine, for another question, or with other software', async () => {
    const find = (change: object, where = environment, machine: string | null = 'installation') =>
      loadsAt(where, machine).find({ ...asked, ...change });
    expect(
      await find({}, { ...environment, machine: 'started again'.padEnd(32), kernel: '6.12' }),
    ).toMatchObject({
      users,
    });
    expect(await find({}, environment, 'another')).toBeNull();
    expect(await find({}, environment, null)).toBeNull();
    expect(await find({}, { ...environment, cpuModel: 'other' })).toBeNull();
    expect(await find({}, { ...environment, cores: 9 })).toBeNull();
    expect(await find({}, { ...environment, openssl: '3.6.0' })).toBeNull();
    expect(await find({ request: runRequestSchema.parse({ users: 9 }) })).toBeNull();
    expect(await find({ facts: { ...facts, placement: { generator: [0], target: [1, 2] } } })).toBeNull();
    const preflight = structuredClone(facts.preflight);
    const tls = { ...preflight?.sides.comparison.tls, protocol: 'TLSv1.2' };
    if (preflight !== null) preflight.sides.comparison.tls = tls as never;
    expect(await find({ facts: { ...facts, preflight } })).toBeNull();
  });

  test('an entry that cannot be read counts as none', async () => {
    await opened.database.queries.updateTable('loads').set({ sides: '{' }).execute();
    expect(await loadsAt().find(asked)).toBeNull();
  });
});
