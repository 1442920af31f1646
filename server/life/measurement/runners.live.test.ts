/** Protects dashboards and runners on one database: each measurement, of one site or of several, runs on one runner that fits, and none is lost with its runner. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problem } from '../../../shared/base/problem.ts';
import type { Runner } from '../../../shared/measurement/runner.ts';
import { type Batch, batchSchema, createdBatchSchema } from '../../../shared/results/schedule.ts';
import { createPostgresDatabase } from '../../testing/database-in-test.ts';
import { isMeasuring, type LabInTest, longMeasurement, startLabServer } from '../../testing/lab-in-test.ts';
import { openMeasurementsOn } from '../../testing/measurements-in-test.ts';
import { findPostgres } from '../../testing/postgres-cluster.ts';
import { endPrograms, type Program, startProgram } from '../../testing/program-in-test.ts';
import { untilAsync } from '../../testing/until-async.ts';
import { openDatabase } from '../database/open-database.ts';

const sites = [{ site: 'fra' }, { site: 'iad' }];

describe.skipIf(findPostgres() === null)('runners of two dashboards', () => {
  let databaseUrl: string;
  let directory: string;
  let a: LabInTest;
  let b: LabInTest;
  let fra: Program;
  let iad: Program;

  const environment = (name: string) => ({
    ...{ TLS_TOLL_DATA: join(directory, name), DATABASE_URL: databaseUrl, TLS_TOLL_RUNNER: 'off' },
  });

  async function startRunner(name: string, ...more: string[]): Promise<Program> {
    const program = startProgram(
      'server/edge/cli.ts',
      ['runner', '--name', name, ...more],
      environment(name),
    );
    await program.prints(/is waiting for runs/);
    return program;
  }

  async function createLong(labels: Record<string, string>): Promise<string> {
    return (await a.createLong(labels)).body.id;
  }

  const gridOf = (connections: number) => ({
    ...{ kind: 'handshakes', grid: { keys: ['P-256'], groups: ['X25519'] }, connections },
  });

  function askForBatch(body: object, key = '') {
    const headers = key === '' ? {} : { 'Idempotency-Key': key };
    return a.ask('POST', '/api/v1/batches', headers, body);
  }

  async function createBatch(measurement: object) {
    const { status, body } = await askForBatch({ ...measurement, labels: sites });
    expect(status, JSON.stringify(body)).toBe(201);
    return createdBatchSchema.parse(body);
  }

  async function readBatch(id: string): Promise<Batch> {
    return batchSchema.parse((await a.ask('GET', `/api/v1/batches/${id}`)).body);
  }

  const statesOf = (batch: Batch) => batch.sites.map(({ measurement }) => measurement?.state);

  async function countMeasurements(): Promise<number> {
    return (await a.ask('GET', '/api/v1/measurements')).body.measurements.length;
  }

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tls-toll-runners-'));
    databaseUrl = await createPostgresDatabase();
    [a, b, fra, iad] = await Promise.all([
      startLabServer(environment('a')),
      startLabServer(environment('b')),
      startRunner('fra-1', '--labels', 'site=fra,cpu=x64'),
      startRunner('iad-1', '--labels', 'site=iad'),
    ]);
  });
  afterAll(() => {
    endPrograms();
    rmSync(directory, { recursive: true });
  });

  test('a runner with the labels measures for one dashboard, the other shows it, and a schedule keeps the labels', async () => {
    const { body } = await a.create(50, {}, { site: 'iad' });
    const viewer = b.watch(body.id);
    expect(await viewer.until(({ type }) => type === 'end')).toMatchObject({ state: 'finished' });
    expect(viewer.events.filter(({ type }) => type === 'progress').length).toBeGreaterThan(3);
    const shown = await b.read(body.id);
    expect(shown.body.environment.runner).toEqual({ name: 'iad-1', labels: { site: 'iad' } });
    expect((await a.read(body.id)).body).toEqual(shown.body);

    const repeat = async (labels?: object) => {
      const asked = { of: body.id, rhythm: { every: 'night' }, labels };
      return (await a.ask('POST', '/api/v1/schedules', {}, asked)).body;
    };
    expect((await repeat()).schedule.labels).toEqual({ site: 'iad' });
    expect((await repeat({})).schedule.labels).toEqual({});
    expect(await repeat({ site: 'lhr' })).toMatchObject({ code: 'runner_unknown' });
  });

  test('labels that no runner has are refused, with a list of the runners', async () => {
    const { status, body } = await a.create(50, {}, { site: 'lhr' });
    expect({ status, code: body.code, detail: body.detail }).toEqual({
      status: 422,
      code: 'runner_unknown',
      detail: 'No runner has site=lhr. The runners are fra-1 (cpu=x64,site=fra), iad-1 (site=iad).',
    });
    expect(await a.create(50, {}, { Site: 'fra' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });

  test('each site of a batch is measured by its own runner, at one address', async () => {
    const { body: limits } = await a.ask('GET', '/api/v1/limits');
    expect(limits).toMatchObject({ runners: true, measures: false });
    const { id, url, measurements } = await createBatch(gridOf(50));
    expect(url).toBe(`/b/${id}`);
    expect(measurements.map(({ labels }) => labels)).toEqual(sites);
    for (const each of measurements) await a.watch(each.id).until(({ type }) => type === 'end');
    const batch = await readBatch(id);
    expect(statesOf(batch)).toEqual(['finished', 'finished']);
    expect(batch.sites.map(({ runner }) => runner)).toEqual(['fra-1', 'iad-1']);
    const [first, second] = await Promise.all(measurements.map((each) => a.read(each.id)));
    expect(first?.body.environment.runner.labels).toEqual({ site: 'fra', cpu: 'x64' });
    expect(first?.body.seed).toBe(second?.body.seed);
  });

  test('a key makes one batch, and nothing is left where one site cannot be queued', async () => {
    const before = await countMeasurements();
    const body = { ...gridOf(10), labels: sites };
    const [made, again] = [await askForBatch(body, 'once'), await askForBatch(body, 'once')];
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(again.body.id).toBe(made.body.id);
    for (const other of [{ connections: 11 }, { labels: sites.toReversed() }]) {
      const answer = await askForBatch({ ...body, ...other }, 'once');
      expect(answer.body).toMatchObject({ code: 'idempotency_conflict' });
    }
    expect(await countMeasurements()).toBe(before + 2);

    const refused = await askForBatch({ ...gridOf(10), labels: [...sites, { site: 'lhr' }] });
    expect([refused.status, refused.body.code]).toEqual([422, 'runner_unknown']);
    expect(await countMeasurements()).toBe(before + 2);
  });

  test('a dashboard cancels queued and running measurements of another dashboard', async () => {
    const running = await createLong({ site: 'fra' });
    const atA = a.watch(running);
    await atA.until(isMeasuring);
    const waiting = await createLong({ site: 'fra' });
    expect((await b.read(waiting)).body).toMatchObject({ state: 'queued' });
    const waited = b.watch(waiting);
    await waited.until(({ queuePosition }) => queuePosition === 1);
    expect(await b.cancel(waiting)).toMatchObject({ status: 202, body: { state: 'incomplete' } });
    expect(await waited.until(({ type }) => type === 'end')).toMatchObject({ state: 'incomplete' });
    expect(await b.cancel(running)).toMatchObject({ status: 202 });
    expect(await atA.until(({ type }) => type === 'end')).toMatchObject({ state: 'incomplete' });
    expect((await a.read(running)).body).toMatchObject({ state: 'incomplete' });
  });

  test('a measurement is kept and never overwritten when its runner dies, freezes, or loses the database, and the other site of its batch continues', async () => {
    const { id, measurements } = await createBatch(longMeasurement);
    const [killed = '', frozen = ''] = measurements.map((each) => each.id);
    const [atKilled, atFrozen] = [b.watch(killed), b.watch(frozen)];
    for (const viewer of [atKilled, atFrozen]) await viewer.until(isMeasuring);
    const running = await untilAsync(
      () => readBatch(id),
      (batch) => batch.sites.every(({ progress }) => progress !== null),
    );
    expect(running.sites.map(({ runner }) => runner)).toEqual(['fra-1', 'iad-1']);
    const cutOff = await cutOffRunner(databaseUrl);
    fra.kill('SIGKILL');
    expect(await atKilled.until(({ type }) => type === 'end')).toMatchObject({ state: 'interrupted' });
    const batch = await readBatch(id);
    expect(statesOf(batch)).toEqual(['interrupted', 'running']);
    expect(batch.sites[0]?.measurement?.problem?.detail).toMatch(/^The runner fra-1 stopped answering/);
    iad.kill('SIGSTOP');
    expect(await atFrozen.until(({ type }) => type === 'end')).toMatchObject({ state: 'interrupted' });
    const interrupted = (await a.read(frozen)).body;
    expect(interrupted.problem.detail).toBe('The runner iad-1 stopped answering while it was measuring.');

    iad.kill('SIGCONT');
    const { body: next } = await a.create(50, {}, { site: 'iad' });
    expect(await b.watch(next.id).until(({ type }) => type === 'end')).toMatchObject({ state: 'finished' });
    expect((await a.read(frozen)).body).toEqual(interrupted);
    await cutOff.goesOnElsewhere();
  });

  test('the list shows connected runners with their labels, and those that are gone', async () => {
    const { body } = await a.runners();
    const states = body.runners.map(({ name, state, busy }: Runner) => [name, state, busy]);
    expect(states).toEqual(
      expect.arrayContaining([
        ['fra-1', 'lost', null],
        ['iad-1', 'idle', null],
      ]),
    );
    const { body: waiting } = await a.create(1, {}, { site: 'fra' });
    expect((await b.runners()).body.stranded).toEqual([
      { id: waiting.id, url: `/l/${waiting.id}`, title: expect.any(String), labels: { site: 'fra' } },
    ]);
    const args = ['handshakes', '--labels', 'site=fra'];
    const command = startProgram('server/edge/cli.ts', args, environment('a'));
    const said = async () => command.stderr();
    await untilAsync(said, (text) => text.includes('Waiting for a runner with site=fra: none is connected.'));
    command.kill('SIGINT');
    expect(await command.ended).toBe(1);
    await a.cancel(waiting.id);
    expect(body.runners.find(({ name }: Runner) => name === 'iad-1')).toMatchObject({
      labels: { site: 'iad' },
      version: '0.1.0',
      machine: { cores: expect.any(Number) },
    });
  });

  test('a name is taken until its runner has ended', async () => {
    const second = startProgram('server/edge/cli.ts', ['runner', '--name', 'iad-1'], environment('second'));
    expect(await second.ended).toBe(2);
    expect(second.stderr()).toMatch(/^Another runner already has the name iad-1\./);
    expect(second.stderr() + second.stdout()).not.toMatch(/\bat .*:\d+:\d+/);
    iad.kill('SIGTERM');
    expect(await iad.ended).toBe(0);
    iad = await startRunner('iad-1');
  });
});

/** Two runners of dummies, which can go on: the first begins one and does not reach the database from now on. */
async function cutOffRunner(url: string) {
  const open = async (name: string) => {
    const database = await openDatabase({ directory: '', url });
    const self = { name, labels: { kind: 'dummy' }, version: '0.1.0', measures: true };
    const close = () => database.close();
    return openMeasurementsOn({ database, close }, {}, self);
  };
  const first = await open('first');
  await first.measurements.runner?.joined;
  const id = await first.create({ words: ['one', 'two'], labels: { kind: 'dummy' } });
  const before = await first.begun();
  await before.keep({ block: { word: 'one', letters: 3 }, facts: { letters: 3, note: '' } });
  first.store.failure = problem('database_unavailable', 'The cable is cut.');
  const second = await open('second');
  return {
    /** The second one goes on after the first block, and the first one writes nothing when it is back. */
    async goesOnElsewhere() {
      const after = await second.begun();
      expect(after.task.blocks).toEqual([{ word: 'one', letters: 3 }]);
      first.store.failure = null;
      await expect(before.keep({ block: { word: 'zombie', letters: 6 } })).rejects.toMatchObject({
        problem: { code: 'claim_lost' },
      });
      await after.keep({ block: { word: 'two', letters: 3 }, facts: { letters: 6, note: '' } });
      after.finish();
      expect((await second.events(id)).at(-1)).toMatchObject({ type: 'end' });
      const document = await untilAsync(
        () => first.document(id),
        ({ state }) => state === 'finished',
      );
      expect(document.blocks.map(({ word }) => word)).toEqual(['one', 'two']);
      expect(document.environment.runner?.name).toBe('second');
      await Promise.all([first.close(), second.close()]);
    },
  };
}
