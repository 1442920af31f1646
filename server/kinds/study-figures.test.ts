/** Protects which figure of a document answers a claim: read from the stored result of each kind, with the arithmetic done by hand. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { MeasurementDocument } from '../../shared/results/kinds.ts';
import { allClaims, readFigure } from '../../shared/studies/read-figure.ts';
import type { Figure, Reading } from '../../shared/studies/study-figure.ts';

const golden = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../life/database/golden/${name}-v1.json`, import.meta.url), 'utf8'),
  ) as MeasurementDocument;

const run = golden('run');
const mesh = golden('mesh');
const handshakes = golden('handshakes');
const speed = golden('speed');

function read(figure: Figure, document: MeasurementDocument): Reading {
  const found = readFigure(figure, document);
  if ('missing' in found) throw new Error(found.missing);
  const [first] = found;
  if (first === undefined) throw new Error('nothing was read');
  return first;
}

const figureOf = (id: string): Figure => {
  const claim = allClaims.find((each) => each.id === id);
  if (claim?.by == null) throw new Error(`no figure of ${id}`);
  return claim.figure;
};

/** To four digits. */
const rounded = ({ values: [{ center, lo, hi }] }: Reading) =>
  [center, lo, hi].map((value) => Number(value.toPrecision(4)));

test('a run: percent of a ratio, a difference in its unit, and what the cache answered', () => {
  // 0.84618, 0.82416 to 0.86879; and 1 by 1.20225, 1.17450 to 1.23065.
  expect(rounded(read(figureOf('wong-throughput'), run))).toEqual([-15.38, -17.58, -13.12]);
  expect(rounded(read(figureOf('wong-disk'), run))).toEqual([0, 0, 0]);
  expect(rounded(read(figureOf('openssl-short-connections'), run))).toEqual([-16.82, -18.74, -14.86]);
  const cache = read(figureOf('wong-cache'), run);
  expect(rounded(cache)).toEqual([1, 1, 1]);
  expect(cache.today).toBe(
    'On a second visit, the cache answered 2 of 4 requests over HTTPS, and 2 of 4 over HTTP.',
  );
  // Without a link all of it is the handshake: 20.174 % and 1,400 bytes.
  expect(rounded(read(figureOf('chrome-kb'), run))).toEqual([14.41, 12.65, 16.21]);
  if (run.kind !== 'comparison') throw new Error('not a run');
  // Two round trips are a third of the baseline: the rest takes 1.5 × 20.174 % more.
  const baseline = run.metrics.find(({ id }) => id === 'latency_p50')?.baseline?.center ?? 0;
  const link = {
    roundTripMs: 1,
    mbitPerS: null,
    added: { pings: 9, median: baseline / 6000, p5: 0, p95: 0 },
  };
  expect(rounded(read(figureOf('chrome-ml-kem'), { ...run, link }))).toEqual([30.26, 26.57, 34.03]);
});

test('visits: what HTTPS adds to the load of a second visit', () => {
  expect(rounded(read(figureOf('wong-cache-slow'), golden('visits')))).toEqual([10.43, 9.602, 13.59]);
});

test('the speed table: openssl speed where it measured, in MB, or as often as another row', () => {
  // 1,465,140.88 blocks of 1,024 bytes.
  expect(rounded(read({ kind: 'speed', row: 'SHA-256/digest/1024' }, speed))).toEqual([1500, 1493, 1649]);
  const often = { kind: 'speed', row: 'SHA-256/digest/16', over: 'SHA-256/digest/1024' } as const;
  expect(rounded(read(often, speed))).toEqual([5.797, 3.782, 6.891]);
  expect(readFigure({ kind: 'speed', row: 'MD5/digest/8' }, speed)).toEqual({
    missing: 'Inputs of 8 bytes are not measured.',
  });
});

test('handshakes: those of one end, and of both; a mean has the interval of its ratio', () => {
  // 1 s by 524 µs (503.04 to 544.96) of the server.
  expect(rounded(read(figureOf('rustls-openssl-ecdsa'), handshakes))).toEqual([1908, 1835, 1988]);
  // 818.43 ÷ 1,269.90 µs; times 0.73006 ÷ 0.80066 is the least, times 0.87099 ÷ 0.80066 the most.
  expect(rounded(read(figureOf('apache-security-sessions'), handshakes))).toEqual([0.6445, 0.5877, 0.7011]);
  expect(readFigure(figureOf('rustls-openssl-rsa'), handshakes)).toEqual({
    missing: 'The grid has no combination with TLS_AES_128_GCM_SHA256 and RSA-2048.',
  });
});

test('distance: a resumed connection against a full one, on the longest link', () => {
  // 202.8310 ÷ 196.0318 ms.
  expect(rounded(read(figureOf('ssleay-latency'), golden('distance')))).toEqual([1.035, 0.7278, 1.444]);
});

test('a mesh: the CPU of its server’s proxy, what TLS adds to all of it, and what it adds to the latency', () => {
  // 40.02 µs for each of 1,000 requests.
  expect(rounded(read(figureOf('istio-sidecar-cpu'), mesh))).toEqual([0.04002, 0.03246, 0.04758]);
  // 46.769 % of a direct request, which with a proxy takes 2.10145 times as much.
  expect(rounded(read(figureOf('istio-mtls-cpu'), mesh))).toEqual([22.26, 2.655, 41.86]);
  // 60.009 + 40.687 %, ± √(8.2234² + 2.9862²).
  expect(rounded(read(figureOf('mesh-mtls-latency'), mesh))).toEqual([100.7, 91.95, 109.4]);
});
