/** Protects series: who belongs to one, which versions are new in it, and where its level changed. */
import { expect, test } from 'vitest';
import { seriesSchema } from '../../../shared/kinds/comparison/past.ts';
import { type RunRequestInput, runRequestSchema } from '../../../shared/kinds/comparison/run-request.ts';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { sampleCertificate } from '../../../shared/testing/sample-certificate.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { questionOf } from './asked-question.ts';
import { type StoredRun, seriesOf, stepsOf } from './run-series.ts';

const scenario = scenarioSchema.parse({
  name: 'Home',
  steps: [{ name: 'Home', method: 'GET', path: '/' }],
});
const origins = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' };
const keyOf = (request: RunRequestInput, sent = scenario) =>
  questionOf(runRequestSchema.parse(request), sent);

test('another seed, process, certificate, name, or time to measure is the same question', () => {
  expect(keyOf({ seed: 1 })).toBe(keyOf({ seed: 2 }));
  expect(keyOf({ target: { ...origins, pid: 7 } })).toBe(keyOf({ target: { ...origins, pid: 8 } }));
  const ca = sampleCertificate;
  expect(keyOf({ target: { ...origins, ca } })).toBe(keyOf({ target: origins }));
  expect(keyOf({}, { ...scenario, description: 'Words.' })).toBe(keyOf({}));
  expect(keyOf({ length: 'fine', launches: 3, windowMs: 100, tolerance: 0.01 })).toBe(keyOf({}));
  expect(keyOf({ sides: { comparison: { name: 'ours' } } })).toBe(keyOf({}));
});

test('sides that come to the same are the same question, however they were asked for', () => {
  const group = 'X25519';
  expect(keyOf({ sides: { comparison: { tls: { group } } } })).toBe(keyOf({ tls: { group } }));
  const key = 'RSA-2048';
  const ofSide = { sides: { comparison: { target: { key } } } } as const;
  expect(keyOf({ target: 'nginx', ...ofSide })).toBe(
    keyOf({ target: { kind: 'managed', server: 'nginx', key } }),
  );
  const own = { target: { origin: origins.https } };
  expect(keyOf({ target: { http: origins.http }, sides: { comparison: own } })).toBe(
    keyOf({ target: origins }),
  );
});

test('old and new questions are told apart, and each from what it is turned around', () => {
  const side = (tls: object, transport = 'https' as const) => ({ transport, tls });
  const pair = (baseline: object, comparison: object) => keyOf({ sides: { baseline, comparison } });
  const [old, modern] = [side({ version: 'TLSv1.2' }), side({ version: 'TLSv1.3' })];
  const keys = [
    keyOf({}),
    pair(old, modern),
    pair(modern, old),
    pair(modern, modern),
    pair(side({ group: 'X25519' }), side({ group: 'X25519MLKEM768' })),
    keyOf({ target: 'nginx' }),
    keyOf({ target: 'nginx', sides: { comparison: { target: { server: 'node' } } } }),
    keyOf({ target: 'nginx', sides: { baseline: { target: { server: 'node' } } } }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test('another target, load, connection policy, path, TLS profile or request is another question', () => {
  const [step] = scenario.steps;
  if (step === undefined) throw new Error('it has a step');
  const others = [
    keyOf({ target: 'nginx' }),
    keyOf({ target: { kind: 'managed', server: 'nginx', key: 'RSA-2048' } }),
    keyOf({ target: origins }),
    keyOf({ target: { ...origins, twin: 'http://127.0.0.1:8081' } }),
    keyOf({ link: 'metro' }),
    keyOf({ pairUsers: 2 }),
    keyOf({ connectionPolicy: 'connection-per-transaction' }),
    keyOf({ connectionPolicy: 'requests-per-connection' }),
    keyOf({ connectionPolicy: 'requests-per-connection', requestsPerConnection: 7 }),
    keyOf({ sides: { baseline: { transport: 'http' }, comparison: { transport: 'h2' } } }),
    keyOf({ users: 9 }),
    keyOf({ tls: { group: 'X25519' } }),
    keyOf({ tls: { version: 'TLSv1.3' } }),
    keyOf({}, { ...scenario, steps: [{ ...step, path: '/cart' }] }),
    keyOf({}, { ...scenario, cookies: true }),
  ];
  expect(new Set([...others, keyOf({})]).size).toBe(others.length + 1);
});

const nginx = { title: 'nginx', version: '1.29.1', tlsLibrary: 'OpenSSL 3.5.1' };
const both = (server: typeof nginx | null) => ({ baseline: server, comparison: server });
const { environment } = sampleRun({ launches: 1, epochs: 1 });
const stored = (place: number, center: number, change: Partial<StoredRun> = {}): StoredRun => ({
  id: `${place}`.padEnd(22, 'r'),
  createdAt: place,
  ratio: { center, lo: center / 1.02, hi: center * 1.02 },
  first: 100,
  outcome: 'overhead',
  ...{ withinError: 0.0062, widened: 0, load: { users: 8, ratePerS: null }, beside: [], departed: null },
  servers: both(nginx),
  tls: 'TLS 1.2, AES-256-GCM',
  environment,
  ...change,
});

test('a step is where the level changed, as a quotient, and the noise is around each level', () => {
  const series = seriesOf(
    [1.2, 1.21, 1.19, 1.2, 1.1, 1.11, 1.09, 1.1].map((center, index) => stored(index, center)),
  );
  expect(series.levels.map(({ from, to }) => [from, to])).toEqual([
    [0, 4],
    [4, 8],
  ]);
  const [before, after] = series.levels;
  expect(before?.step).toBeNull();
  expect(after?.step?.center).toBeCloseTo(1.1 / 1.2, 3);
  expect(after?.step?.hi).toBeLessThan(1);
  // Neighbors differ by a little more than their own errors.
  const reach = Math.log((before?.noise.hi ?? 0) / (before?.ratio.center ?? 1));
  expect(reach).toBeGreaterThan(1.96 * 0.0062);
  expect(reach).toBeLessThan(0.025);
  const document = { title: 'Home', metric: 'cpu_at_load', baseline: null, ...series };
  expect(seriesSchema.safeParse(document).error).toBeUndefined();
});

test('another load begins another level, which is no step', () => {
  const at = (users: number) => ({ load: { users, ratePerS: null } });
  const close = [1.2, 1.21, 1.19, 1.2].map((center, place) => stored(place, center, at(place < 2 ? 8 : 16)));
  const { levels, runs } = seriesOf(close);
  expect(levels.map(({ from, to, step }) => [from, to, step])).toEqual([
    [0, 2, null],
    [2, 4, null],
  ]);
  expect(runs[2]?.versions).toEqual(['load 8 users → 16 users']);
  const unknown = [1.2, 1.2].map((center, place) => stored(place, center, { load: null }));
  expect(seriesOf(unknown).levels.map(({ from, to }) => [from, to])).toEqual([
    [0, 1],
    [1, 2],
  ]);
  const moved = [1.2, 1.21, 1.19, 1.2, 1.1, 1.11, 1.09, 1.1, 1.3, 1.3, 1.31].map((center, place) =>
    stored(place, center, at(place < 8 ? 8 : 16)),
  );
  expect([...stepsOf(moved)]).toEqual([4]);
});

test('other connections than planned begin another level, which is no step', () => {
  const closed = 'keep-alive was planned; the server closed each connection after one response';
  const runs = [1.2, 1.21, 1.19, 1.2].map((center, place) =>
    stored(place, center, { departed: place < 2 ? closed : null }),
  );
  const series = seriesOf(runs);
  expect(series.levels.map(({ from, to, step }) => [from, to, step])).toEqual([
    [0, 2, null],
    [2, 4, null],
  ]);
  expect(series.runs[2]?.versions).toEqual([`connections ${closed} → as planned`]);
});

test('what is new in a run is told from the one before it', () => {
  const newer = { ...nginx, version: '1.29.3' };
  const node = { title: 'Node', version: 'v24.1.0', tlsLibrary: 'OpenSSL 3.5.1' };
  const beside = (version: string) => ({ baseline: newer, comparison: { ...node, version } });
  const { runs } = seriesOf([
    stored(0, 1.2),
    stored(1, 1.2, { servers: both(newer) }),
    stored(2, 1.2, { servers: both(newer), environment: { ...environment, openssl: '3.5.9' } }),
    stored(3, 1.2, { servers: both(null), environment: null }),
    stored(4, 1.2, { servers: both(null), environment: null, tls: 'TLS 1.3, AES-256-GCM' }),
    stored(5, 1.2, { servers: beside('v24.1.0') }),
    stored(6, 1.2, { servers: beside('v24.2.0') }),
    stored(7, 1.2, { servers: { baseline: nginx, comparison: newer } }),
    stored(8, 1.2, { servers: { baseline: nginx, comparison: { ...newer, version: '1.29.4' } } }),
  ]);
  expect(runs.map(({ versions }) => versions)).toEqual([
    [],
    ['nginx 1.29.1 → 1.29.3'],
    ['OpenSSL 3.5.8 → 3.5.9'],
    [],
    ['negotiated TLS 1.2, AES-256-GCM → TLS 1.3, AES-256-GCM'],
    ['negotiated TLS 1.3, AES-256-GCM → TLS 1.2, AES-256-GCM'],
    ['Node v24.1.0 → v24.2.0'],
    ['Node v24.2.0 → v24.21.0'],
    ['nginx of the comparison 1.29.3 → 1.29.4'],
  ]);
});

test('a run of which no error is known is shown, and is in no level', () => {
  const older = { withinError: null, ratio: { center: 1.9, lo: 1.2, hi: 3 } };
  const series = seriesOf([stored(0, 1.9, older), stored(1, 1.2), stored(2, 1.21), stored(3, 1.19)]);
  expect(series.runs).toHaveLength(4);
  expect(series.levels.map(({ from, to }) => [from, to])).toEqual([[1, 4]]);
  expect(series.levels[0]?.ratio.center).toBeCloseTo(1.2, 2);
  expect(seriesOf([stored(0, 1.9, older)])).toMatchObject({ runs: [{}], levels: [] });
});

test('a run whose interval was widened counts for less', () => {
  const [calm] = seriesOf([stored(0, 1.2), stored(1, 1.3)]).levels;
  const [widened] = seriesOf([stored(0, 1.2), stored(1, 1.3, { widened: 0.4 })]).levels;
  expect(calm?.ratio.center).toBeCloseTo(1.249, 2);
  expect(widened?.ratio.center).toBeLessThan(calm?.ratio.center ?? 0);
});

test('no run, and one, have no step', () => {
  expect(seriesOf([])).toEqual({ runs: [], levels: [] });
  expect(seriesOf([stored(0, 1.2)]).levels.map(({ step }) => step)).toEqual([null]);
});
