/** Protects what is said to have changed since a run: all that both know of target and machine, and nothing that one of them does not know. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ExplainDocument, explainDocumentSchema } from '../../../../shared/kinds/explain/explain.ts';
import { sampleRun } from '../../../testing/sample-run.ts';
import { changedSince } from './changed-since.ts';

const golden = explainDocumentSchema.parse(
  JSON.parse(readFileSync(new URL('../../../life/database/golden/explain-v1.json', import.meta.url), 'utf8')),
);
const { environment, negotiated } = golden;

const server = { name: 'nginx' as const, title: 'nginx', version: '1.22.1', witness: null, files: [] };
const sample = sampleRun();
const run = {
  ...sample,
  environment,
  server: { ...server, tlsLibrary: 'OpenSSL 3.0.19' },
  tls: { ...sample.tls, comparison: { ...sample.tls.comparison, negotiated } },
};
const explain = { ...golden, server: { title: 'nginx', version: '1.22.1', tlsLibrary: 'OpenSSL 3.0.19' } };

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
