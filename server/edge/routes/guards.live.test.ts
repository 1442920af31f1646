/** Protects the server from other sites, foreign names and floods, and its users from its mistakes. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { openTestServer, type Reply, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let lines: string[];
beforeAll(async () => {
  lines = [];
  server = await openTestServer({ hostname: 'toll.test', log: (line) => lines.push(line) });
});
afterAll(() => server.close());

const problemIn = (reply: Reply) => problemSchema.parse(JSON.parse(reply.text));
const health = (host: string) => server.send('/api/v1/health', { headers: { Host: host } });

test.each(['localhost', 'LOCALHOST:80', '127.0.0.1:7300', '127.1.2.3', '[::1]:7300', 'toll.test:7300'])(
  'the host %s is answered',
  async (host) => {
    expect((await health(host)).status).toBe(200);
  },
);

test.each([
  'evil.test',
  'localhost.evil.test',
  '127.0.0.1.evil.test',
  '192.168.1.4:7300',
  '[fe80::1]',
  'user@localhost',
  'localhost:7300:1',
  'localhost/x',
  '[::1',
])('the host "%s" is turned away', async (host) => {
  const reply = await health(host);
  expect(reply.status).toBe(421);
  expect(problemIn(reply).code).toBe('wrong_host');
});

test('a server on a wildcard address answers under any address, and under no foreign name', async () => {
  const open = await openTestServer({ hostname: '0.0.0.0' });
  const status = async (host: string) =>
    (await open.send('/api/v1/health', { headers: { Host: host } })).status;
  expect(await status('192.168.1.4:7300')).toBe(200);
  expect(await status('[fe80::1]:7300')).toBe(200);
  expect(await status('evil.test')).toBe(421);
  await open.close();
});

const create = (headers: Record<string, string>) =>
  server.send('/api/v1/measurements', { method: 'POST', body: { kind: 'comparison' }, headers });

test('what changes something must come from the same origin', async () => {
  expect((await create({})).status).toBe(201);
  expect((await create({ Origin: 'https://evil.test', 'Sec-Fetch-Site': 'same-origin' })).status).toBe(201);
  const bad: Record<string, string>[] = [
    { Origin: 'https://evil.test' },
    { Origin: 'null' },
    { Origin: '' },
    { Origin: `http://${server.host}0` },
    { Origin: `ftp://${server.host}` },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
  ];
  for (const headers of bad) {
    const reply = await create(headers);
    expect(reply.status, JSON.stringify(headers)).toBe(403);
    expect(problemIn(reply).code).toBe('cross_origin');
  }
});

test('reading needs no origin, and a link from elsewhere opens', async () => {
  const { id } = await server.storeRun();
  const status = async (headers: Record<string, string>) =>
    (await server.send(`/r/${id}`, { headers: { Accept: 'text/html', ...headers } })).status;
  expect(await status({})).toBe(200);
  expect(await status({ 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' })).toBe(200);
  expect(await status({ 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' })).toBe(200);
  const followed = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
  expect(await status({ ...followed, 'Sec-Fetch-Dest': 'document' })).toBe(200);
});

test.each([
  { Origin: 'https://evil.test' },
  { Origin: 'null' },
  { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
  { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors', Origin: 'http://localhost:3000' },
  { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' },
])('a page of another site fetches nothing: %j', async (headers) => {
  const reply = await server.send('/api/v1/health', { headers: headers as Record<string, string> });
  expect(reply.status).toBe(403);
  expect(problemIn(reply).code).toBe('cross_origin');
  expect(reply.headers['access-control-allow-origin']).toBeUndefined();
});

test.each([
  { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
  { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
])(
  'a page of another site that asks 1,300 times leaves the user a server that answers: %j',
  async (headers) => {
    const strict = await openTestServer({ limits: { requestsPerMinute: 1200 } });
    for (let sent = 0; sent < 1300; sent += 50) {
      await Promise.all(Array.from({ length: 50 }, () => strict.send('/api/v1/health', { headers })));
    }
    expect((await strict.send('/api/v1/health')).status).toBe(200);
    await strict.close();
  },
);

test('pages run scripts of this origin only, are framed by nobody, and are not upgraded to HTTPS', async () => {
  const { headers } = await server.send('/');
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('upgrade-insecure-requests');
  expect(headers['strict-transport-security']).toBeUndefined();
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['x-powered-by']).toBeUndefined();
});

test('too many requests are told when to come back, and files are not counted', async () => {
  const strict = await openTestServer({ limits: { requestsPerMinute: 3 } });
  for (let i = 0; i < 3; i++) expect((await strict.send('/api/v1/health')).status).toBe(200);
  const reply = await strict.send('/api/v1/health');
  expect(reply.status).toBe(429);
  const { code, retryAfterS } = problemIn(reply);
  expect(code).toBe('too_many_requests');
  expect(retryAfterS).toBeGreaterThan(0);
  expect(reply.headers['retry-after']).toBe(String(retryAfterS));
  expect((await strict.send('/')).status).toBe(200);
  await strict.close();
});

test.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('a clock that is set %s by an hour neither locks anybody out nor forgives', async (_, byMs) => {
  const strict = await openTestServer({ limits: { requestsPerMinute: 2 } });
  for (let i = 0; i < 2; i++) await strict.send('/api/v1/health');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs });
  try {
    const reply = await strict.send('/api/v1/health');
    expect(reply.status).toBe(429);
    expect(problemIn(reply).retryAfterS).toBeLessThanOrEqual(60);
    expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60);
  } finally {
    vi.useRealTimers();
    await strict.close();
  }
});

test('a mistake of the server names its request, keeps its stack to the log, and is JSON', async () => {
  const { status } = server.measurements;
  server.measurements.status = () => {
    throw new Error('broken inside');
  };
  const reply = await server.send('/api/v1/health');
  server.measurements.status = status;
  expect(reply.status).toBe(500);
  expect(reply.text).not.toContain('broken inside');
  const problem = problemIn(reply);
  const requestId = String(reply.headers['x-request-id']);
  expect(problem).toMatchObject({ code: 'internal', detail: expect.stringContaining(requestId) });
  const logged = lines.map((line) => JSON.parse(line)).find((line) => line.requestId === requestId);
  expect(logged.err.stack).toContain('broken inside');
});
