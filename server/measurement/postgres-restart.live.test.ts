/** Protects a measurement from a PostgreSQL that dies and comes back: no end and no owner is lost. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startLabServer } from '../testing/lab-in-test.ts';
import { findPostgres, type PostgresCluster, startPostgres } from '../testing/postgres-cluster.ts';
import { endPrograms, startProgram } from '../testing/program-in-test.ts';
import { untilAsync } from '../testing/until-async.ts';

const bin = findPostgres();

describe.skipIf(bin === null)('a PostgreSQL that dies and comes back', () => {
  let cluster: PostgresCluster;
  let directory: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tls-toll-restart-'));
    cluster = await startPostgres(bin ?? '');
  });
  beforeEach(() => cluster.restart());
  afterEach(endPrograms);
  afterAll(async () => {
    await cluster.stop();
    rmSync(directory, { recursive: true });
  });

  const environment = (name: string) => ({
    TLS_TOLL_DATA: join(directory, name),
    DATABASE_URL: cluster.url,
  });

  test('loses no end and no queue, is said to viewers, and finds the same server', async () => {
    const lab = await startLabServer(environment('one'));
    const { body: first } = await lab.create(50);
    const { body: second } = await lab.create(50);
    const viewer = lab.watch(first.id);
    await viewer.until(({ type }) => type === 'progress');
    await cluster.crash();
    const { detail } = await viewer.until(({ type }) => type === 'stalled');
    expect(detail).toMatch(/database/);

    expect(await lab.read(first.id)).toMatchObject({ status: 200, body: { state: 'running' } });
    expect(await lab.read(second.id)).toMatchObject({ status: 200, body: { state: 'queued' } });
    expect(await lab.create(50)).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });

    await pause(5000);
    await cluster.restart();
    expect(await viewer.until(({ type }) => type === 'end')).toMatchObject({ state: 'finished' });
    expect(await lab.watch(second.id).until(({ type }) => type === 'end')).toMatchObject({
      state: 'finished',
    });
    expect((await lab.read(first.id)).body).toMatchObject({ state: 'finished', problem: null });

    const other = startProgram('server/main.ts', [], { PORT: '0', ...environment('other') });
    expect(await other.ended).toBe(1);
    expect(other.stderr()).toMatch(/^Another server uses the database/);
  });

  test('does not keep anybody from cancelling', async () => {
    const lab = await startLabServer(environment('one'));
    const { body: first } = await lab.create(100_000);
    const { body: second } = await lab.create(50);
    const viewer = lab.watch(first.id);
    await viewer.until(({ type }) => type === 'cells');
    await cluster.crash();
    expect(await lab.cancel(second.id)).toMatchObject({ status: 202, body: { id: second.id } });
    expect(await lab.cancel(first.id)).toMatchObject({ status: 202, body: { id: first.id } });
    const ended = await untilAsync(
      () => lab.read(first.id),
      ({ body }) => body.state !== 'running',
    );
    expect(ended.body).toMatchObject({ state: 'incomplete' });
    await cluster.restart();
    expect(await viewer.until(({ type }) => type === 'end')).toMatchObject({ state: 'incomplete' });
    const stored = await untilAsync(
      () => lab.read(second.id),
      ({ status, body }) => status === 200 && body.state !== 'queued',
    );
    expect(stored.body).toMatchObject({ state: 'incomplete' });
  });

  test('a server that lost it to another one takes no work, and writes over nothing', async () => {
    const lab = await startLabServer(environment('one'));
    const { body: first } = await lab.create(100_000);
    const { body: second } = await lab.create(50);
    const viewer = lab.watch(first.id);
    await viewer.until(({ type }) => type === 'cells');
    // Held still, so that it cannot take the lock again first.
    lab.program.kill('SIGSTOP');
    await cluster.restart();
    const other = await startLabServer(environment('other'));
    lab.program.kill('SIGCONT');

    const atOther = other.watch(second.id);
    expect(await atOther.until(({ type }) => type === 'end')).toMatchObject({ state: 'finished' });
    expect(atOther.events.filter(({ state }) => state === 'running')).toHaveLength(1);
    const interrupted = (await other.read(first.id)).body;
    expect(interrupted).toMatchObject({ state: 'interrupted' });
    expect(await lab.create(50)).toMatchObject({ status: 500, body: { code: 'data_directory_in_use' } });
    expect(await viewer.until(({ type }) => type === 'end')).toMatchObject({ state: 'interrupted' });
    expect((await lab.read(first.id)).body).toEqual(interrupted);
    const waiting = lab.watch(second.id);
    expect(await waiting.until(({ type }) => type === 'stalled')).toMatchObject({
      detail: expect.stringMatching(/^Another server uses the database/),
    });

    other.program.kill('SIGTERM');
    expect(await other.program.ended).toBe(0);
    expect(await waiting.until(({ type }) => type === 'end')).toMatchObject({ state: 'finished' });
    expect(waiting.events.filter(({ state }) => state === 'running')).toEqual([]);
    expect((await lab.read(second.id)).body).toMatchObject({ state: 'finished' });
    expect((await lab.read(first.id)).body).toEqual(interrupted);
    const { body: third } = await untilAsync(
      () => lab.create(50),
      ({ status }) => status === 201,
    );
    expect(await lab.watch(third.id).until(({ type }) => type === 'end')).toMatchObject({
      state: 'finished',
    });
  });
});
