import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from '../method/statistics/quantile.ts';
import { type LabInTest, startLabServer } from '../testing/lab-in-test.ts';
import { findPostgres, startPostgres } from '../testing/postgres-cluster.ts';
import { endPrograms, type Program, startProgram } from '../testing/program-in-test.ts';
import type { Figure } from './figure.ts';
import { watchByMany } from './team-viewers.ts';

const jobs = 10;
const queued = 4;

/** Two dashboards and two runners on one PostgreSQL of their own: how soon, how safely, and how much more. */
export async function measureTeam(): Promise<Figure[]> {
  const bin = findPostgres();
  if (bin === null) throw new Error('team needs the Debian package postgresql');
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-team-'));
  const cluster = await startPostgres(bin);
  const environment = (name: string) => ({
    ...{ TLS_TOLL_DATA: join(directory, name), DATABASE_URL: cluster.url, TLS_TOLL_RUNNER: 'off' },
  });
  const startRunner = async (name: string) => {
    const runner = startProgram('server/edge/cli.ts', ['runner', '--name', name], environment(name));
    await runner.prints(/is waiting for measurements/);
    return runner;
  };
  try {
    const a = await startLabServer(environment('a'));
    const b = await startLabServer(environment('b'));
    const first = await startRunner('one');
    const taken = await measureTaking(a);
    const viewers = await watchByMany([a, b], () => beginLong(a));
    const alone = await timeQueue(a);
    const second = await startRunner('two');
    const together = await timeQueue(a);
    second.kill('SIGTERM');
    await second.ended;
    return [
      figure('queued to running', quantile(taken, 0.5), 's', 1, [Math.min(...taken), Math.max(...taken)]),
      figure('runner killed to interrupted', await measureLoss(a, b, first), 's', 15),
      figure(`${queued} waiting measurements, one runner`, alone, 's', null),
      figure('the same, two runners', together, 's', null),
      // 1.9 times as many an hour.
      figure('two against one', together / alone, '×', 1 / 1.9),
      figure(`events missed by ${viewers.count} viewers`, viewers.missed, '', 0),
      figure('memory for them, larger dashboard', viewers.megabytes, 'MB', 100),
    ];
  } finally {
    endPrograms();
    await cluster.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function figure(
  name: string,
  value: number,
  unit: string,
  atMost: number | null,
  range: [number, number] | null = null,
): Figure {
  return { bench: 'team', figure: name, value, unit, range, atMost };
}

/** Takes until it is canceled. */
async function beginLong(dashboard: LabInTest): Promise<string> {
  const { body } = await dashboard.create(100_000);
  return body.id;
}

/** From the answer that one is queued until a free runner has begun it, as it is stored, in s. */
async function measureTaking(dashboard: LabInTest): Promise<number[]> {
  const seconds: number[] = [];
  for (let job = 0; job < jobs; job++) {
    const id = await beginLong(dashboard);
    const viewer = dashboard.watch(id);
    await viewer.until(({ state }) => state === 'running');
    const { body } = await dashboard.read(id);
    seconds.push((body.startedAt - body.createdAt) / 1000);
    await dashboard.cancel(id);
    await viewer.until(({ type }) => type === 'end');
  }
  return seconds;
}

async function measureLoss(a: LabInTest, b: LabInTest, runner: Program): Promise<number> {
  const viewer = b.watch(await beginLong(a));
  await viewer.until(({ type }) => type === 'cells');
  const since = performance.now();
  runner.kill('SIGKILL');
  await viewer.until(({ type }) => type === 'end');
  return (performance.now() - since) / 1000;
}

/**
 * Several that wait one after the other, in s. They measure a distance: their target takes next to no CPU, so two runners on this
 * machine do not compete for it.
 */
async function timeQueue(dashboard: LabInTest): Promise<number> {
  const since = performance.now();
  const ids: string[] = [];
  for (let count = 0; count < queued; count++) {
    const { body } = await dashboard.ask('POST', '/api/v1/measurements', {}, distance);
    ids.push(body.id);
  }
  await Promise.all(ids.map((id) => dashboard.watch(id).until(({ type }) => type === 'end')));
  return (performance.now() - since) / 1000;
}

const distance = { kind: 'distance', links: [{ roundTripMs: 60 }], rounds: 12 };
