/** Protects the way from origins to pinned addresses, each judged by the policy. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ProblemError } from '../../../shared/base/problem.ts';
import { twoSidesAndTwin as arms } from '../../../shared/base/transport.ts';
import { capsSchema } from '../../../shared/target/target.ts';
import { type LookUp, resolveOrigins } from './resolve-origins.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function codeOf(http: string, https = 'https://127.0.0.1:8443'): Promise<[string, string]> {
  const error = await resolveOrigins({ http, https }, { arms, transports: ['http', 'https'] }).catch(
    (reason) => reason,
  );
  if (!(error instanceof ProblemError)) throw new Error('it was not refused', { cause: error });
  return [error.problem.code, error.problem.detail];
}

test('origins become listeners at pinned addresses, the twin being the baseline again', async () => {
  const target = { http: 'http://127.0.0.1:8080', https: 'https://[::1]:8443', ca: 'PEM', pid: 7 };
  const { listeners } = await resolveOrigins(target, { arms, transports: ['http', 'https'] });
  const http = {
    transport: 'http',
    hostname: '127.0.0.1',
    address: '127.0.0.1',
    port: 8080,
    ca: null,
    pid: 7,
  };
  const https = { transport: 'https', hostname: '::1', address: '::1', port: 8443, ca: 'PEM', pid: 7 };
  expect(listeners).toEqual({
    baseline: { arm: 'baseline', ...http },
    comparison: { arm: 'comparison', ...https },
    twin: { arm: 'twin', ...http },
  });
});

test('a named twin is a listener of its own, and must be of the baseline’s scheme', async () => {
  const target = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443', ca: 'PEM' };
  const { listeners } = await resolveOrigins(
    { ...target, twin: 'http://127.0.0.1:8081' },
    { arms, transports: ['http', 'https'] },
  );
  expect(listeners.twin).toMatchObject({ transport: 'http', port: 8081, ca: null });
  await expect(
    resolveOrigins({ ...target, twin: 'https://127.0.0.1:8444' }, { arms, transports: ['http', 'https'] }),
  ).rejects.toMatchObject({ problem: { code: 'invalid_request', errors: [{ field: 'target.twin' }] } });
  await expect(
    resolveOrigins({ ...target, twin: 'http://10.0.0.1' }, { arms, transports: ['http', 'https'] }),
  ).rejects.toMatchObject({ problem: { code: 'target_not_permitted', errors: [{ field: 'target.twin' }] } });
});

test('a run of https against itself has three https listeners', async () => {
  const target = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' };
  const { listeners } = await resolveOrigins(target, { arms, transports: ['https', 'https'] });
  expect(Object.values(listeners).map(({ transport, port }) => [transport, port])).toEqual([
    ['https', 8443],
    ['https', 8443],
    ['https', 8443],
  ]);
});

test('HTTP/2 goes to the origin of its scheme', async () => {
  const target = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443', ca: 'PEM' };
  const { listeners } = await resolveOrigins(target, { arms, transports: ['h2c', 'h2'] });
  expect(Object.values(listeners).map(({ transport, port, ca }) => [transport, port, ca])).toEqual([
    ['h2c', 8080, null],
    ['h2', 8443, 'PEM'],
    ['h2c', 8080, null],
  ]);
});

test('localhost is pinned to the address that something listens on', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const target = { http: `http://localhost:${port}`, https: 'https://127.0.0.1:8443' };
  const { listeners } = await resolveOrigins(target, { arms, transports: ['http', 'https'] });
  expect(listeners.baseline).toMatchObject({ hostname: 'localhost', address: '127.0.0.1', port });
});

test.each([
  ['http://169.254.169.254', /169\.254\.169\.254 is link-local \(a metadata address\)/],
  ['http://0xa9fea9fe', /169\.254\.169\.254 is link-local/],
  ['http://[::ffff:10.0.0.1]', /is an address of a private network/],
  ['http://192.168.0.1:8080', /192\.168\.0\.1 is an address of a private network/],
  ['http://0.0.0.0:8080', /unspecified/],
])('%s is refused by address and range', async (http, detail) => {
  expect(await codeOf(http)).toEqual(['target_not_permitted', expect.stringMatching(detail)]);
});

test('the https origin is judged even in a run that does not use it', async () => {
  const target = { http: 'http://127.0.0.1:8080', https: 'https://10.0.0.1' };
  await expect(resolveOrigins(target, { arms, transports: ['http', 'http'] })).rejects.toThrow(
    'private network',
  );
});

test('a name that leads nowhere is not allowed', async () => {
  expect(await codeOf('http://nowhere.invalid')).toEqual([
    'target_not_permitted',
    expect.stringMatching(/^Not allowed: nowhere\.invalid does not resolve to an address/),
  ]);
});

test('one port may be both addresses, which its listeners say, however it is written', async () => {
  const sharedBy = async (https: string) => {
    const target = { http: 'http://127.0.0.1:8080', https };
    const { listeners } = await resolveOrigins(target, { arms, transports: ['http', 'https'] });
    return Object.values(listeners).map(({ sharesPort }) => sharesPort);
  };
  expect(await sharedBy('https://0x7f.1:8080')).toEqual([true, true, true]);
  expect(await sharedBy('https://127.0.0.1:8443')).toEqual([undefined, undefined, undefined]);
});

test('an origin of the other scheme names the field', async () => {
  const [code, detail] = await codeOf('https://127.0.0.1:8080');
  expect([code, detail]).toEqual(['invalid_request', expect.stringMatching(/^target\.http: .*http:\/\//)]);
});

describe('with other hosts allowed', () => {
  const caps = capsSchema.parse({});
  const permits = async () => ['staging.test', '10.1.0.0/16'].map((host) => ({ host, caps }));
  const origins = { http: 'http://staging.test:8080', https: 'https://staging.test:8443' };

  test('a name is looked up once, and all arms stay with its address', async () => {
    const asked: string[] = [];
    const lookUp: LookUp = async (hostname) => {
      asked.push(hostname);
      return asked.length === 1 ? ['192.168.7.1'] : ['192.168.7.2'];
    };
    const { listeners } = await resolveOrigins(
      origins,
      { arms, transports: ['http', 'https'] },
      { permits, lookUp },
    );
    expect(asked).toEqual(['staging.test']);
    for (const { address, permit } of Object.values(listeners)) {
      expect([address, permit?.host]).toEqual(['192.168.7.1', 'staging.test']);
    }
  });

  test.each([
    ['169.254.169.254', /link-local \(a metadata address\), which is never allowed/],
    ['::ffff:169.254.169.254', /never allowed/],
    ['64:ff9b::a9fe:a9fe', /never allowed/],
    ['fe80::1', /never allowed/],
  ])('a name that is allowed and leads to %s as well is refused', async (address, detail) => {
    const lookUp: LookUp = async () => ['192.168.7.1', address];
    const rejection = resolveOrigins(origins, { arms, transports: ['http', 'https'] }, { permits, lookUp });
    await expect(rejection).rejects.toMatchObject({
      problem: { code: 'target_not_permitted', detail: expect.stringMatching(detail) },
    });
  });

  test('another name that leads to the same address is not allowed by that', async () => {
    const lookUp: LookUp = async () => ['192.168.7.1'];
    const others = { http: 'http://other.test:8080', https: 'https://other.test:8443' };
    const rejection = resolveOrigins(others, { arms, transports: ['http', 'https'] }, { permits, lookUp });
    await expect(rejection).rejects.toThrow('nobody has allowed other.test. Allow it at /targets.');
  });

  test('a process of this machine cannot be the one that listens there', async () => {
    const lookUp: LookUp = async () => ['10.1.2.3'];
    const rejection = resolveOrigins(
      { ...origins, pid: 1 },
      { arms, transports: ['http', 'https'] },
      { permits, lookUp },
    );
    await expect(rejection).rejects.toMatchObject({ problem: { errors: [{ field: 'target.pid' }] } });
  });
});
