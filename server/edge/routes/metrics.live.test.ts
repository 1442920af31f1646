/** Protects the metrics for Prometheus: they describe this server, and need at least the role reader. */
import { expect, test } from 'vitest';
import { openTeamInTest } from '../../testing/team-in-test.ts';
import { openTestServer } from '../../testing/test-server.ts';

const counted = async (server: { send(path: string): Promise<{ text: string }> }) =>
  Object.fromEntries(
    (await server.send('/metrics')).text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );

test('they count stored measurements, queued measurements and requests', async () => {
  const server = await openTestServer({ metrics: true });
  await server.storeRun();
  await server.send('/api/v1/health', { method: 'DELETE' });
  for (const _ of [1, 2]) {
    const made = await server.send('/api/v1/measurements', { method: 'POST', body: { kind: 'comparison' } });
    expect(made.status).toBe(201);
  }
  expect(await counted(server)).toMatchObject({
    'tls_toll_info{version="0.1.0"}': 1,
    'tls_toll_measurements{kind="comparison",state="finished"}': 1,
    tls_toll_running: 1,
    tls_toll_queued: 1,
    'tls_toll_http_request_duration_seconds_count{method="POST",status="201"}': 2,
    'tls_toll_http_request_duration_seconds_count{method="DELETE",status="405"}': 1,
  });
  await server.close();
});

test('/metrics is not found unless it is switched on', async () => {
  const server = await openTestServer();
  expect((await server.send('/metrics')).status).toBe(404);
  await server.close();
});

test('with sign-in, they need the role reader', async () => {
  const team = await openTeamInTest({ metrics: true });
  expect((await team.server.send('/metrics')).status).toBe(401);
  const headers = { Authorization: 'Bearer tt_wrong' };
  expect((await team.server.send('/metrics', { headers })).text).toContain('key_refused');
  expect((await team.sendAs('reader', '/metrics')).text).toContain('tls_toll_running 0');
  await team.server.close();
});
