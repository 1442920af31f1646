/** Protects what an explanation of a run asks for, and what is said where both do not agree or the target has changed. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { NegotiatedTls } from '../../../shared/base/tls-profile.ts';
import { sidesOfPair } from '../../../shared/base/transport.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { type ExplainDocument, explainDocumentSchema } from '../../../shared/kinds/explain/explain.ts';
import type { HandshakesDocument } from '../../../shared/kinds/handshakes/handshakes.ts';
import { targetSchema } from '../../../shared/target/target.ts';
import { explainTitle } from '../../../shared/words/explain-sentence.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { changedSince, explainRequestOf, explanationOf, predictCost } from './run-explanation.ts';

const golden = explainDocumentSchema.parse(
  JSON.parse(readFileSync(new URL('../../life/database/golden/explain-v1.json', import.meta.url), 'utf8')),
);

const configuration = (port: number, directory: string, suites: string) =>
  `listen 127.0.0.1:${port} ssl;\nroot /tmp/${directory}/tls-toll-server-${directory}/documents;\nssl_ciphers ${suites};`;

function nginxRun(center: number, change: Partial<RunDocument> = {}): RunDocument {
  const run = sampleRun();
  const server = { name: 'nginx' as const, title: 'nginx', version: '1.22.1', witness: null };
  const text = configuration(36259, 'a', 'HIGH');
  return {
    ...run,
    target: targetSchema.parse({ kind: 'managed', server: 'nginx' }),
    environment: golden.environment,
    tls: { ...run.tls, comparison: { ...run.tls.comparison, negotiated: golden.negotiated } },
    server: {
      ...{ ...server, tlsLibrary: 'OpenSSL 3.0.19 27 Jan 2026' },
      files: [{ arm: 'comparison', name: 'nginx.conf', text }],
    },
    metrics: run.metrics.map((metric) =>
      metric.id === 'cpu_at_load' ? { ...metric, delta: { center, lo: center - 1, hi: center + 1 } } : metric,
    ),
    ...change,
  };
}

function explained(run: RunDocument, change: Partial<ExplainDocument> = {}): ExplainDocument {
  const request = explainRequestOf(run);
  return { ...golden, request, delta: { center: 15, lo: 14, hi: 16 }, ...change };
}

test('an explanation asks for the sides, the target and the load of its run', () => {
  const run = nginxRun(15);
  const request = explainRequestOf(run);
  const { id, target, scenario, atLoad: load } = run;
  expect(request.run).toMatchObject({ id, target, scenario, load });
  expect(explainTitle(request)).toBe('HTTP and HTTPS on nginx');
});

test('what cannot be explained is refused with what to do', () => {
  const standing = targetSchema.parse({
    kind: 'origins',
    http: 'http://192.0.2.1:1',
    https: 'https://192.0.2.1:2',
    agent: { address: '192.0.2.1:7301', fingerprint: '0'.repeat(64) },
  });
  expect(() => explainRequestOf(nginxRun(15, { target: standing }))).toThrow(
    /is on another host\. Run TLS Toll there/,
  );
  expect(() => explainRequestOf({ ...nginxRun(15), metrics: [] })).toThrow('did not measure a difference');
  const other = { ...nginxRun(15), id: '0000000000000000000000' };
  expect(() => explanationOf(other, explained(nginxRun(15)), null)).toThrow(
    'That explanation is not of this run.',
  );
});

test.each([
  [
    16,
    true,
    'The run measured +15.0 to +17.0 µs (95 % CI), and the groups add up to +14.0 to +16.0 µs. They agree within both intervals.',
  ],
  [
    18,
    false,
    'The run measured +17.0 to +19.0 µs (95 % CI), and the groups add up to +14.0 to +16.0 µs. They do not agree: the groups are 3.0 µs (1.6 to 4.4) short of the run.',
  ],
])('beside %s µs of the run, 15 µs agree: %s', (center, agrees, sentence) => {
  const run = nginxRun(center);
  expect(explanationOf(run, explained(run), null)).toMatchObject({ agrees, sentence, changes: [] });
});

test('what has changed since the run is said; ports and directories are new each time', () => {
  const run = nginxRun(15);
  const server = (version: string, suites: string) => ({
    ...{ ...golden.server, version },
    files: [{ arm: 'comparison' as const, name: 'nginx.conf', text: configuration(40001, 'b', suites) }],
  });
  expect(explanationOf(run, explained(run, { server: server('1.22.1', 'HIGH') }), null).changes).toEqual([]);
  const now = { server: server('1.28.0', 'ALL'), environment: { ...golden.environment, kernel: '6.18' } };
  expect(explanationOf(run, explained(run, now), null).changes).toEqual([
    { name: 'Server', from: 'nginx 1.22.1', to: 'nginx 1.28.0' },
    { name: 'Configuration', from: 'ssl_ciphers HIGH;', to: 'ssl_ciphers ALL;' },
    { name: 'Kernel', from: '6.12.0', to: '6.18' },
  ]);
});

/** Protects what the lab predicts of a run: what it negotiated, times how often it happened. */

type Tls = Pick<NegotiatedTls, 'protocol' | 'cipher' | 'key' | 'group'>;

function runWith(tls: Tls): RunDocument {
  return {
    metrics: [{ id: 'cpu_at_load', delta: { center: 100, lo: 90, hi: 110 } }],
    target: { kind: 'storefront' },
    sides: sidesOfPair(['http', 'https']),
    tls: { comparison: { negotiated: tls, handshakes: { full: 8, resumed: 0 } } },
  } as unknown as RunDocument;
}

test('handshakes and bytes of a transaction are those of the blocks at load, which its CPU is read from', () => {
  const tls = { protocol: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', key: 'EC P-256', group: 'X25519' };
  const block = (kind: string, handshakesFull: number, bytes: number) => ({
    ...{ kind, reasons: [] },
    slots: [
      {
        arm: 'comparison',
        load: {
          ...{ succeeded: 100, handshakesFull, handshakesResumed: 0 },
          ...{ wireBytesRead: 100 * bytes, wireBytesWritten: 0 },
        },
      },
    ],
  });
  const run = {
    ...runWith(tls),
    blocks: [block('lockstep', 100, 9000), block('maximum', 25, 3000), block('steady', 50, 7000)],
    environment: { cpuModel: 'a', openssl: 'b' },
  } as unknown as RunDocument;
  const exactly = (center: number) => ({ center, lo: center, hi: center });
  const cell = (bytes: number, times: number) => ({
    cell: {
      ...{ resumption: 'full', bytes, group: 'X25519', key: 'P-256', version: 'TLSv1.3' },
      cipher: 'TLS_AES_128_GCM_SHA256',
    },
    ...{ status: 'measured', ratio: exactly(times), ends: null },
  });
  const plain = [1, 102_400].map((bytes) => ({ bytes, cpuUs: { median: 100 }, ends: null }));
  const lab = {
    ...{ id: 'lab', environment: run.environment },
    cells: [cell(1, 2), cell(102_400, 4)],
    ...{ baseline: { cpuUs: { median: 100 } }, plain },
  } as unknown as HandshakesDocument;
  // Both ends of a handshake cost 100 µs more than the runtime's share, and one end half of that.
  expect(predictCost(run, lab)).toMatchObject({
    ...{ handshakes: 'lab', us: { center: 0.25 * 50 + 3000 * byteUs } },
    formula: '0.250 full handshakes × 50 µs + 3,000 bytes × 0.49 ns',
  });
  const elsewhere = { ...run.environment, cpuModel: 'another' };
  expect(predictCost({ ...run, environment: elsewhere }, lab)).toBeNull();
  const chacha = { ...tls, cipher: 'TLS_CHACHA20_POLY1305_SHA256' };
  expect(predictCost({ ...run, tls: runWith(chacha).tls }, lab)).toBeNull();
});

const byteUs = 200 / (4 * (102_400 - 1));

/** Protects what is said to have changed since a run: all that both know of target and machine, and nothing that one of them does not know. */

const { environment, negotiated } = golden;

const server = { name: 'nginx' as const, title: 'nginx', version: '1.22.1', witness: null, files: [] };
const sample = sampleRun();
const run = {
  ...sample,
  environment,
  server: { ...server, tlsLibrary: 'OpenSSL 3.0.19' },
  tls: { ...sample.tls, comparison: { ...sample.tls.comparison, negotiated } },
};
const explain = {
  ...golden,
  server: { title: 'nginx', version: '1.22.1', tlsLibrary: 'OpenSSL 3.0.19' },
};

function changesOf(change: Partial<ExplainDocument>) {
  return changedSince(run, { ...explain, ...change }).map(({ name, from, to }) => [name, from, to]);
}

test('nothing is said where all is the same', () => {
  expect(changesOf({})).toEqual([]);
});

test('what one of them does not know has not changed', () => {
  const unknown = { title: 'nginx', version: null, tlsLibrary: null };
  expect(changesOf({ server: unknown, negotiated: null })).toEqual([]);
});

test('library, protocol, machine, runner, CPU, and TLS Toll are held against the run', () => {
  if (negotiated === null) throw new Error('the golden document has TLS');
  const elsewhere = {
    ...environment,
    ...{ machine: '0123456789abcdef', cpuModel: 'Intel Xeon', cores: 8, product: 'tls-toll 0.2.0' },
    runner: { name: 'lab', labels: {} },
  } as unknown as ExplainDocument['environment'];
  const changes = changesOf({
    server: { ...explain.server, tlsLibrary: 'OpenSSL 3.5.1' },
    negotiated: { ...negotiated, group: 'P-256' },
    environment: elsewhere,
  });
  expect(changes.map(([name]) => name)).toEqual([
    ...['TLS library', 'Negotiated TLS', 'Machine', 'Runner', 'CPU', 'TLS Toll'],
  ]);
  expect(changes).toContainEqual(['TLS library', 'OpenSSL 3.0.19', 'OpenSSL 3.5.1']);
  expect(changes).toContainEqual(['CPU', 'AMD EPYC, 2 cores', 'Intel Xeon, 8 cores']);
  expect(changes).toContainEqual(['Runner', 'this server', 'lab']);
});

test('where each side has its own server, both are held against those of the run', () => {
  const before = {
    ...run,
    baselineServer: { ...server, title: 'Node', version: '24.1.0', tlsLibrary: null },
  };
  const after = { ...explain, baselineServer: { title: 'Node', version: '24.2.0', tlsLibrary: null } };
  expect(changedSince(before, after)).toEqual([
    { name: 'Server', from: 'Node 24.1.0 and nginx 1.22.1', to: 'Node 24.2.0 and nginx 1.22.1' },
  ]);
});
