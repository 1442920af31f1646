/** Protects one request for several runners: each site measures it, all are queued or none, and a runner that dies takes no other site along. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Batch, batchSchema, createdBatchSchema } from '../../../shared/results/schedule.ts';
import { createPostgresDatabase } from '../../testing/database-in-test.ts';
import { isMeasuring, type LabInTest, longMeasurement, startLabServer } from '../../testing/lab-in-test.ts';
import { findPostgres } from '../../testing/postgres-cluster.ts';
import { endPrograms, type Program, startProgram } from '../../testing/program-in-test.ts';
import { untilAsync } from '../../testing/until-async.ts';

const sites = [{ site: 'fra' }, { site: 'iad' }];

describe.skipIf(findPostgres() === null)('two sites', () => {
  let databaseUrl: string;
  let directory: string;
  let dashboard: LabInTest;
  let fra: Program;

  const environment = (name: string) => ({
    ...{ TLS_TOLL_DATA: join(directory, name), DATABASE_URL: databaseUrl, TLS_TOLL_RUNNER: 'off' },
  });

  async function startRunner(site: string): Promise<Program> {
    const args = ['runner', '--name', `${site}-1`, '--labels', `site=${site}`];
    const program = startProgram('server/edge/cli.ts', args, environment(site));
    await program.prints(/is waiting for measurements/);
    return program;
  }

  const gridOf = (connections: number) => ({
    ...{ kind: 'handshakes', grid: { keys: ['P-256'], groups: ['X25519'] }, connections },
  });

  function ask(body: object, key = '') {
    const headers = key === '' ? {} : { 'Idempotency-Key': key };
    return dashboard.ask('POST', '/api/v1/batches', headers, body);
  }

  async function create(measurement: object) {
    const { status, body } = await ask({ ...measurement, labels: sites });
    expect(status, JSON.stringify(body)).toBe(201);
    return createdBatchSchema.parse(body);
  }

  async function read(id: string): Promise<Batch> {
    return batchSchema.parse((await dashboard.ask('GET', `/api/v1/batches/${id}`)).body);
  }

  const statesOf = (batch: Batch) => batch.sites.map(({ measurement }) => measurement?.state);

  async function countMeasurements(): Promise<number> {
    return (await dashboard.ask('GET', '/api/v1/measurements')).body.measurements.length;
  }

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tls-toll-batches-'));
    databaseUrl = await createPostgresDatabase();
    [dashboard, fra] = await Promise.all([
      startLabServer(environment('dashboard')),
      startRunner('fra'),
      startRunner('iad'),
    ]);
  });
  afterAll(() => {
    endPrograms();
    rmSync(directory, { recursive: true });
  });

  test('each site is measured by its own runner, at one address', async () => {
    const { body: limits } = await dashboard.ask('GET', '/api/v1/limits');
    expect(limits).toMatchObject({ runners: true, measures: false });
    const { id, url, measurements } = await create(gridOf(50));
    expect(url).toBe(`/b/${id}`);
    expect(measurements.map(({ labels }) => labels)).toEqual(sites);
    for (const each of measurements) await dashboard.watch(each.id).until(({ type }) => type === 'end');
    const batch = await read(id);
    expect(statesOf(batch)).toEqual(['finished', 'finished']);
    expect(batch.sites.map(({ runner }) => runner)).toEqual(['fra-1', 'iad-1']);
    const [first, second] = await Promise.all(measurements.map((each) => dashboard.read(each.id)));
    expect(first?.body.environment.runner.labels).toEqual({ site: 'fra' });
    expect(first?.body.seed).toBe(second?.body.seed);
  });

  test('a key makes one batch, and nothing is left where one site cannot be queued', async () => {
    const before = await countMeasurements();
    const body = { ...gridOf(10), labels: sites };
    const [made, again] = [await ask(body, 'once'), await ask(body, 'once')];
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(again.body.id).toBe(made.body.id);
    for (const other of [{ connections: 11 }, { labels: sites.toReversed() }]) {
      const answer = await ask({ ...body, ...other }, 'once');
      expect(answer.body).toMatchObject({ code: 'idempotency_conflict' });
    }
    expect(await countMeasurements()).toBe(before + 2);

    const { status, body: refused } = await ask({ ...gridOf(10), labels: [...sites, { site: 'lhr' }] });
    expect([status, refused.code, refused.detail]).toEqual([
      422,
      'runner_unknown',
      'No runner has site=lhr. The runners are fra-1 (site=fra), iad-1 (site=iad).',
    ]);
    expect(await countMeasurements()).toBe(before + 2);
  });

  test('a runner that is killed interrupts its site, and the other goes on', async () => {
    const { id, measurements } = await create(longMeasurement);
    const [atFra, atIad] = measurements.map((each) => dashboard.watch(each.id));
    for (const viewer of [atFra, atIad]) await viewer?.until(isMeasuring);
    const running = await untilAsync(
      () => read(id),
      (batch) => batch.sites.every(({ progress }) => progress !== null),
    );
    expect(running.sites.map(({ runner }) => runner)).toEqual(['fra-1', 'iad-1']);
    fra.kill('SIGKILL');
    expect(await atFra?.until(({ type }) => type === 'end')).toMatchObject({ state: 'interrupted' });
    const batch = await read(id);
    expect(statesOf(batch)).toEqual(['interrupted', 'running']);
    expect(batch.sites[0]?.measurement?.problem?.detail).toMatch(/^The runner fra-1 stopped answering/);
    await dashboard.cancel(batch.sites[1]?.id ?? '');
    expect(await atIad?.until(({ type }) => type === 'end')).toMatchObject({ state: 'incomplete' });

    const command = startProgram(
      'server/edge/cli.ts',
      ['handshakes', '--labels', 'site=fra'],
      environment('dashboard'),
    );
    const said = async () => command.stderr();
    await untilAsync(said, (text) => text.includes('Waiting for a runner with site=fra: none is connected.'));
    command.kill('SIGINT');
    expect(await command.ended).toBe(1);
  });
});
