/** Protects the list of what differs between two runs: what was set up is in it, chance is not. */
import { expect, test } from 'vitest';
import type { NegotiatedTls } from '../../../shared/base/tls-profile.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { type MeasuredServer, managedTargetSchema } from '../../../shared/target/target.ts';
import { laterRun } from '../../testing/later-run.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { setupDifferences } from './setup-differences.ts';

const sample = sampleRun();
const later = laterRun();
const against = (change: Partial<RunDocument>) => setupDifferences(sample, { ...later, ...change });
const withNegotiated = (change: Partial<NegotiatedTls>): RunDocument['tls'] => {
  const { baseline, comparison } = later.tls;
  if (comparison.negotiated === null) throw new Error('the sample has TLS');
  return { baseline, comparison: { ...comparison, negotiated: { ...comparison.negotiated, ...change } } };
};
const names = (change: Partial<RunDocument>) => against(change).map(({ name }) => name);

test('another day, other ports, another seed and a rate that was found out again are no difference', () => {
  const plan = { ...later.plan, seed: 99, ratePerS: 640 };
  const sides = {
    baseline: { ...later.sides.baseline, origin: 'http://shop.localhost:52001' },
    comparison: { ...later.sides.comparison, origin: 'https://shop.localhost:52002' },
  };
  expect(against({ plan, sides })).toEqual([]);
});

test('another server, its version and options come first, then the plan, then the machine', () => {
  const target = managedTargetSchema.parse({ kind: 'managed', server: 'nginx', key: 'RSA-2048' });
  const server: MeasuredServer = {
    name: 'nginx',
    title: 'nginx',
    version: '1.29.1',
    tlsLibrary: 'OpenSSL 3.5.1',
    witness: null,
    files: [],
  };
  const nginx = { ...sample, target, server };
  const differences = setupDifferences(nginx, {
    ...{ ...later, target: { ...target, key: 'P-256' as const } },
    server: { ...server, version: '1.29.3' },
    plan: { ...later.plan, length: 'fine' },
    environment: { ...later.environment, cores: 4, openssl: '3.5.9' },
    placement: null,
  });
  expect(differences).toEqual([
    { name: 'Server', from: 'nginx 1.29.1', to: 'nginx 1.29.3' },
    { name: 'Target options', from: '--key RSA-2048', to: 'none' },
    { name: 'Length', from: 'quote', to: 'fine' },
    { name: 'Cores', from: '2', to: '4' },
    { name: 'OpenSSL of TLS Toll', from: '3.5.8', to: '3.5.9' },
    {
      name: 'Placement',
      from: 'Generator on core 1, target on core 0.',
      to: 'Generator and target were not pinned to cores.',
    },
  ]);
});

test('a server beside two addresses is another target, not a version of nothing', () => {
  const target = { kind: 'origins', http: 'http://127.0.0.1:80', https: 'https://127.0.0.1:443' } as const;
  const sides = {
    baseline: { transport: 'http', origin: target.http },
    comparison: { transport: 'https', origin: target.https },
  } as const;
  expect(against({ target, sides })).toEqual([
    { name: 'Target', from: 'the demo shop', to: 'http://127.0.0.1:80 and https://127.0.0.1:443' },
  ]);
});

test('what TLS agreed on, and what was asked of it', () => {
  expect(
    names({
      tls: withNegotiated({ group: 'X25519' }),
      asked: { ...later.asked, tls: { ...later.asked.tls, group: 'X25519' } },
    }),
  ).toEqual(['Key agreement group', 'Negotiated TLS']);
});

test('what was asked of the load, and what was planned of it', () => {
  const plan = {
    ...later.plan,
    ...{
      pairUsers: 4,
      windowMs: 100,
      generators: 2,
      thinkMs: 300,
      tolerance: 0.02,
      launches: { minimum: 6, maximum: 8 },
    },
    ...{ connectionPolicy: 'requests-per-connection' as const, requestsPerConnection: 5 },
  };
  expect(against({ plan })).toEqual([
    { name: 'Connections live for', from: 'The whole run (keep-alive)', to: 'A fixed number of requests' },
    { name: 'Think time', from: '0 ms in a transaction', to: '300 ms in a transaction' },
    { name: 'Load generators', from: '1', to: '2' },
    { name: 'Starts planned', from: '4 to 8', to: '6 to 8' },
    { name: 'Tolerance', from: '5.0 %', to: '2.0 %' },
    { name: 'Users who alternate', from: '1', to: '4' },
    { name: 'Reading interval', from: '200 ms', to: '100 ms' },
  ]);
  const every = (requestsPerConnection: number) => ({ ...later, plan: { ...plan, requestsPerConnection } });
  expect(setupDifferences(every(5), every(10))).toEqual([
    { name: 'Requests on a connection', from: '5', to: '10' },
  ]);
});

test('a server that went to another version of TLS, where none was asked for', () => {
  const tls = withNegotiated({
    ...{ protocol: 'TLSv1.2', cipher: 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384' },
  });
  const [difference, ...others] = against({ tls });
  expect(difference).toEqual({
    name: 'Negotiated TLS',
    from: expect.stringMatching(/^TLS 1\.3, TLS_AES_/),
    to: expect.stringMatching(/^TLS 1\.2, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, /),
  });
  expect(others).toEqual([]);
});

test('other transports, another content encoding and a body that grew', () => {
  const { fairness } = later;
  if (fairness === null) throw new Error('the sample has it');
  expect(
    against({
      sides: { ...later.sides, comparison: { ...later.sides.comparison, transport: 'h2' } },
      fairness: {
        baseline: { ...fairness.baseline, contentEncoding: 'gzip' },
        comparison: { ...fairness.comparison, bodyBytesPerTransaction: 190_000 },
      },
    }),
  ).toEqual([
    { name: 'Sides', from: 'HTTP and HTTPS', to: 'HTTP and HTTPS, HTTP/2' },
    { name: 'Content encoding', from: 'identity', to: 'gzip and identity' },
    { name: 'Body of a transaction', from: '170,400 bytes', to: '190,000 bytes' },
  ]);
});

test('a scenario differs by its steps, or by what is in their requests, not by the names of its steps', () => {
  const { scenario } = later;
  const [home, ...others] = scenario.steps;
  if (home === undefined) throw new Error('the sample has steps');
  const renamed = { ...scenario, steps: [{ ...home, name: 'Start' }, ...others] };
  const moved = { ...scenario, steps: [{ ...home, path: '/home' }, ...others] };
  const headed = { ...scenario, steps: [{ ...home, headers: { accept: 'text/html' } }, ...others] };
  expect(against({ scenario: renamed })).toEqual([]);
  expect(against({ scenario: moved })).toEqual([
    { name: 'Steps', from: 'GET /, GET /search, POST /search', to: 'GET /home, GET /search, POST /search' },
  ]);
  expect(against({ scenario: headed })).toEqual([
    { name: 'Requests', from: 'not stored', to: 'other headers, bodies, checks, pauses or data' },
  ]);
  expect(against({ scenario: headed, revisionId: 'r'.repeat(22) })).toEqual([
    { name: 'Requests', from: 'not stored', to: `revision ${'r'.repeat(22)}` },
  ]);
});
