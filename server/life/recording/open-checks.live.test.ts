/** Protects a measurement that has the machine from a dry run, and a check of a target from saying more than a run will find. */
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { expect, test } from 'vitest';
import { createRunSchema } from '../../../shared/kinds/comparison/run-request.ts';
import type { AgentAt } from '../../../shared/target/readings.ts';
import { startAgentInTest } from '../../testing/agent-in-test.ts';
import { openDatabaseInTest } from '../../testing/database-in-test.ts';
import { freePort } from '../../testing/free-port.ts';
import { authority, issue, listen, shop } from '../../testing/preflight-in-test.ts';
import { openMachineQueue } from '../measurement/machine-queue.ts';
import { openChecks } from './open-permits.ts';

const nobody = { id: null, key: null };

test('a dry run does not disturb a measurement that has the machine', async () => {
  const { database, close } = await openDatabaseInTest();
  const queue = openMachineQueue(() => {});
  const { promise, resolve } = Promise.withResolvers<void>();
  queue.add({ id: 'a measurement', kind: 'measurement', onPlace() {}, perform: () => promise });
  const house = { dataDirectory: '', storefrontDatabaseUrl: null, chromiumPath: null };
  await expect(
    openChecks(database, house, queue).dryRun(createRunSchema.parse({}), nobody),
  ).rejects.toMatchObject({
    problem: { code: 'machine_busy' },
  });
  resolve();
  await close();
});

test('a dry run that has the machine is ended by its holder and by an admin, and by nobody else', async () => {
  const { database, close } = await openDatabaseInTest();
  const house = { dataDirectory: '', storefrontDatabaseUrl: null, chromiumPath: null };
  const queue = openMachineQueue(() => {});
  const checks = openChecks(database, house, queue);
  const silent = await listen(createServer(() => {}));
  const request = createRunSchema.parse({
    target: { http: `http://127.0.0.1:${silent}`, https: `https://127.0.0.1:${silent}` },
    scenario: { name: 'Silent', steps: [{ name: 'Silent', method: 'GET', path: '/' }] },
  });
  const holder = { id: 'ada', key: null, role: 'operator' } as const;
  const [other, admin] = [
    { ...holder, id: 'bob' },
    { ...holder, id: 'eve', role: 'admin' as const },
  ];
  const ended = checks.dryRun(request, holder).catch((error) => error);
  await expect.poll(() => checks.openDryRun(holder)).toMatchObject({ startedAt: expect.any(Number) });
  expect(checks.openDryRun(other)).toBeNull();
  await expect(checks.endDryRun(other)).rejects.toMatchObject({ problem: { code: 'dry_run_not_found' } });
  expect(checks.openDryRun(admin)).not.toBeNull();
  await checks.endDryRun(holder);
  expect(await ended).toMatchObject({ problem: { code: 'run_cancelled' } });
  await expect.poll(() => queue.status().holder).toBeNull();
  await close();
});

test('a check fails where agent or exporter is away, another one, or has another token, and is well with the right one', async () => {
  const { database, close } = await openDatabaseInTest();
  const house = { dataDirectory: '', storefrontDatabaseUrl: null, chromiumPath: null };
  const checks = openChecks(
    database,
    house,
    openMachineQueue(() => {}),
  );
  const http = await listen(createServer(shop));
  const https = await listen(createSecureServer(await issue('localhost'), shop));
  const agent = await startAgentInTest(['--pid', String(process.pid)]);
  const check = ({ name, fingerprint }: Pick<AgentAt, 'name' | 'fingerprint'>, token?: string) =>
    checks.preflight(
      createRunSchema.parse({
        target: {
          ...{ http: `http://localhost:${http}`, https: `https://localhost:${https}` },
          ...{ ca: authority.certificatePem, agent: { address: name, fingerprint } },
        },
        scenario: { name: 'Shop', steps: [{ name: 'Shop', method: 'GET', path: '/' }] },
        secrets: token === undefined ? {} : { agent_token: token },
      }),
    );
  const { at, token } = agent;
  const rejection = (asked: ReturnType<typeof check>) => asked.then(String, ({ problem }) => problem.code);
  expect(await check(at, token)).toMatchObject({ sides: expect.anything() });
  const other = at.fingerprint.replace(/^../, (byte) => (byte === '00' ? '01' : '00'));
  expect(await rejection(check({ ...at, fingerprint: other }, token))).toBe('agent_untrusted');
  expect(
    await rejection(
      check(
        at,
        token.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')),
      ),
    ),
  ).toBe('agent_untrusted');
  expect(await rejection(check(at))).toBe('secret_missing');
  const exporter = await listen(
    createServer((request, response) => {
      response.statusCode = request.headers.authorization === 'Bearer right' ? 200 : 401;
      response.end('process_cpu_seconds_total 1\nprocess_resident_memory_bytes 2\n');
    }),
  );
  const checkExporter = (port: number, exporter_token: string) =>
    checks.preflight(
      createRunSchema.parse({
        target: {
          ...{ http: `http://localhost:${http}`, https: `https://localhost:${https}` },
          ca: authority.certificatePem,
          prometheus: { url: `http://127.0.0.1:${port}/metrics`, bearer: true },
        },
        scenario: { name: 'Shop', steps: [{ name: 'Shop', method: 'GET', path: '/' }] },
        secrets: { exporter_token },
      }),
    );
  expect(await checkExporter(exporter, 'right')).toMatchObject({ sides: expect.anything() });
  expect(await rejection(checkExporter(exporter, 'wrong'))).toBe('exporter_unusable');
  expect(await rejection(checkExporter(await freePort(), 'right'))).toBe('exporter_unreachable');

  await agent.stop();
  expect(await rejection(check(at, token))).toBe('agent_unreachable');
  await close();
});
