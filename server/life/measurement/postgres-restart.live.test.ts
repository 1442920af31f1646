/** Protects measurements from a PostgreSQL that dies and comes back: no result and no queue is lost. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isMeasuring, startLabServer } from '../../testing/lab-in-test.ts';
import { findPostgres, type PostgresCluster, startPostgres } from '../../testing/postgres-cluster.ts';
import { endPrograms } from '../../testing/program-in-test.ts';
import { untilAsync } from '../../testing/until-async.ts';

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

  test('loses no result and no queue, and viewers are told', async () => {
    const lab = await startLabServer(environment('one'));
    const { body: first } = await lab.create(50);
    const { body: second } = await lab.create(50);
    const viewer = lab.watch(first.id);
    await viewer.until(({ type }) => type === 'progress');
    await cluster.crash();
    const { detail } = await viewer.until(({ type }) => type === 'stalled');
    expect(detail).toMatch(/database/);

    expect(await lab.read(first.id)).toMatchObject({ status: 200, body: { state: 'running' } });
    // A waiting measurement exists only in the database.
    const away = { status: 503, body: { code: 'database_unavailable' } };
    expect(await lab.read(second.id)).toMatchObject(away);
    expect(await lab.create(50)).toMatchObject(away);

    await pause(5000);
    await cluster.restart();
    expect(await viewer.until(({ type }) => type === 'end')).toMatchObject({ state: 'finished' });
    expect(await lab.watch(second.id).until(({ type }) => type === 'end')).toMatchObject({
      state: 'finished',
    });
    expect((await lab.read(first.id)).body).toMatchObject({ state: 'finished', problem: null });
  });

  test('does not prevent canceling a running measurement', async () => {
    const lab = await startLabServer(environment('one'));
    const { body: first } = await lab.createLong();
    const viewer = lab.watch(first.id);
    await viewer.until(isMeasuring);
    await cluster.crash();
    expect(await lab.cancel(first.id)).toMatchObject({ status: 202, body: { id: first.id } });
    const ended = await untilAsync(
      () => lab.read(first.id),
      ({ body }) => body.state !== 'running',
    );
    expect(ended.body).toMatchObject({ state: 'incomplete' });
    await cluster.restart();
    expect(await viewer.until(({ type }) => type === 'end')).toMatchObject({ state: 'incomplete' });
    const stored = await untilAsync(
      () => lab.read(first.id),
      ({ status }) => status === 200,
    );
    expect(stored.body).toMatchObject({ state: 'incomplete' });
  });
});
