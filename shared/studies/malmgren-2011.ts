import { printNumber } from '../base/quantity.ts';
import { type AbCounts, abPercents } from '../kinds/servers/servers-result.ts';
import { about, type Claim, type ServersFigure } from './study-figure.ts';

/** Counts and rates that `ab` printed for nginx with keep-alive and 800 concurrent clients. */
export const malmgren2011 = {
  ...{ concurrency: 800, documentBytes: 5496, seconds: 11.31, requests: 10_000, connectionsOpened: 0 },
  ...{ failed: { connect: 0, receive: 0, length: 0, exceptions: 0 }, non2xx: 0, phased: true },
  ...{ totalBytes: 57_131_424, htmlBytes: 54_970_992 },
  ...{ requestsPerS: 884.17, msPerRequest: 904.801, msAcrossConcurrent: 1.131, kibPerS: 4933.01 },
  negotiated: { protocol: 'TLSv1/SSLv3', cipher: 'RC4-SHA', group: null, key: 'RSA 2048', alpn: null },
  timesMs: {
    connect: { min: 0, mean: 353, sd: 1238.8, median: 0, max: 6437 },
    processing: { min: 196, mean: 534, sd: 540.1, median: 390, max: 3240 },
    waiting: { min: 196, mean: 534, sd: 540.1, median: 390, max: 3240 },
    total: { min: 196, mean: 887, sd: 1676.8, median: 390, max: 6972 },
  },
  ladderMs: [390, 390, 391, 392, 395, 6674, 6924, 6949, 6972],
} satisfies AbCounts & Record<string, unknown>;

/** Claims of Malmgren, and the one report of `ab` that he prints whole. */

const study = 'malmgren-2011';
/** Below this, a factor is said to hardly matter. */
const tolerance = 1.05;

const finding = { study, unit: 'times', printed: null, by: ['servers-grid', 'servers'] } as const;

/** Cell of the report by `ab`: nginx, connections that stay open, RSA-2048, 5,496 bytes. */
const cell = { server: 'nginx', keepAlive: true, document: 5496, key: 'RSA-2048' } as const;

export const malmgrenClaims: readonly Claim[] = [
  {
    ...finding,
    ...{ id: 'malmgren-keep-alive', said: 'Keep-alive gains most' },
    figure: { kind: 'servers', of: 'keep-alive' },
    rule: { from: 1 },
    note: 'Gain of keep-alive ÷ that of the key or the cipher, whichever is larger; requests per CPU second over HTTPS.',
  },
  {
    ...finding,
    ...{ id: 'malmgren-key', said: 'The length of the key matters' },
    figure: { kind: 'servers', of: 'key length' },
    rule: { from: tolerance },
    note: 'Requests per CPU second, shortest RSA key ÷ longest.',
  },
  {
    ...finding,
    ...{ id: 'malmgren-cipher', said: 'The cipher hardly matters' },
    figure: { kind: 'servers', of: 'cipher' },
    rule: { from: 1 / tolerance, to: tolerance },
    note: 'RC4 is gone: ChaCha20-Poly1305 stands in for it beside AES-256.',
  },
  {
    ...finding,
    ...{ id: 'malmgren-servers', said: 'Servers differ under many connections' },
    figure: { kind: 'servers', of: 'servers apart' },
    rule: { from: tolerance },
    note: 'Requests per CPU second with the most connections, fastest server ÷ slowest.',
  },
  {
    ...finding,
    ...{ id: 'malmgren-apache', said: 'Apache stops at 256 clients', unit: '%' },
    figure: { kind: 'servers', of: 'errors', cell: { server: 'apache' } },
    rule: { from: 1 },
    note: 'Share of requests that fail beyond 256 connections.',
  },
  {
    ...{ id: 'malmgren-lighttpd', study, unit: '', printed: null, by: null, word: 'not measured' },
    said: 'lighttpd is unreliable past 400 clients',
    note: 'His grid has 320 connections at most, and so has the run.',
  },
  ...abClaims(),
];

/** The figures of the report that today's cell has with an interval; its percentiles belong to 800 connections. */
function abClaims(): Claim[] {
  const { requestsPerS, msPerRequest, kibPerS, timesMs, ladderMs, concurrency } = malmgren2011;
  const ofReport = { study, table: 'ab on nginx, keep-alive, 800 connections' } as const;
  const asked = (of: 'requests' | 'ms per request'): ServersFigure => ({ kind: 'servers', of, cell });
  const elsewhere = {
    by: null,
    word: 'not comparable',
    note: 'Malmgren measured it with 800 connections. The page of this combination shows both reports.',
  } as const;
  const by = ['servers', 'servers-grid'] as const;
  const stands = 'AES-256-GCM stands in for RC4-SHA, and 320 connections for 800.';
  return [
    {
      ...ofReport,
      ...{ id: 'malmgren-ab-rate', said: 'Requests per second', unit: 'requests/s', by },
      printed: `${requestsPerS} per second`,
      ...{ figure: asked('requests'), rule: about(requestsPerS), note: stands },
    },
    {
      ...ofReport,
      ...{ id: 'malmgren-ab-time', said: 'Time per request, mean', unit: 'ms', by },
      printed: `${msPerRequest} ms`,
      figure: asked('ms per request'),
      rule: null,
      note: `It grows with the connections: ${concurrency} then, 320 now.`,
    },
    {
      ...ofReport,
      ...{ id: 'malmgren-ab-transfer', said: 'Transfer rate', unit: '', printed: `${kibPerS} KiB/s` },
      ...{ by: null, word: 'not comparable', note: 'It is the requests per second again, in bytes.' },
    },
    ...Object.entries(timesMs).map(
      ([phase, { min, mean, sd, median, max }]): Claim => ({
        ...ofReport,
        ...{ id: `malmgren-ab-${phase}`, said: `${phase}: min, mean ± sd, median, max`, unit: '' },
        printed: `${min}, ${mean} ± ${sd}, ${median}, ${max} ms`,
        ...elsewhere,
      }),
    ),
    ...ladderMs.map(
      (ms, index): Claim => ({
        ...ofReport,
        ...{
          id: `malmgren-ab-p${abPercents[index]}`,
          said: `${abPercents[index]} % of the requests within`,
          unit: '',
        },
        printed: `${printNumber(ms, 0)} ms`,
        ...elsewhere,
      }),
    ),
  ];
}

/** Figures that `openssl speed` printed, as reported in Apache Security. */
export const openssl2005Speed: SpeedTable = {
  sizes: [16, 64, 256, 1024, 8192],
  rows: [
    { algorithm: 'md2', kBPerS: [1841.78, 3965.8, 5464.83, 5947.39, 6223.19] },
    { algorithm: 'md4', kBPerS: [17326.58, 55490.11, 138188.97, 211403.09, 263528.45] },
    { algorithm: 'md5', kBPerS: [12795.17, 41788.59, 117776.81, 234883.07, 332759.04] },
    { algorithm: 'hmac(md5)', kBPerS: [8847.31, 32256.23, 101450.5, 217330.69, 320913.41] },
    { algorithm: 'sha1', kBPerS: [9529.72, 29872.66, 75258.54, 117943.64, 141710.68] },
    { algorithm: 'rmd160', kBPerS: [10551.1, 31148.82, 62616.23, 116250.38, 101944.89] },
    { algorithm: 'rc4', kBPerS: [90858.18, 102016.45, 104585.22, 105199.27, 105250.82] },
    { algorithm: 'des cbc', kBPerS: [45279.25, 47156.76, 47537.41, 47827.29, 47950.51] },
    { algorithm: 'des ede3', kBPerS: [17932.17, 18639.27, 18866.43, 18930.35, 18945.37] },
    { algorithm: 'rc2 cbc', kBPerS: [11813.34, 12087.81, 12000.34, 12156.25, 12113.24] },
    { algorithm: 'blowfish cbc', kBPerS: [80290.79, 83618.41, 84170.92, 84815.87, 84093.61] },
    { algorithm: 'cast cbc', kBPerS: [30767.63, 32477.4, 32840.53, 32925.35, 32863.57] },
    { algorithm: 'aes-128 cbc', kBPerS: [51152.56, 52996.52, 54039.55, 54286.68, 53947.05] },
    { algorithm: 'aes-192 cbc', kBPerS: [45540.74, 46613.01, 47561.56, 47818.41, 47396.18] },
    { algorithm: 'aes-256 cbc', kBPerS: [40427.22, 41204.46, 42097.83, 42277.21, 42125.99] },
  ],
};

export const openssl2005Keys: readonly KeyRow[] = [
  { key: 'RSA', bits: 512, signS: 0.0008, verifyS: 0.0001, signsPerS: 1187.4, verifiesPerS: 13406.5 },
  { key: 'RSA', bits: 1024, signS: 0.0041, verifyS: 0.0002, signsPerS: 242, verifiesPerS: 4584.5 },
  { key: 'RSA', bits: 2048, signS: 0.025, verifyS: 0.0007, signsPerS: 40, verifiesPerS: 1362.2 },
  { key: 'RSA', bits: 4096, signS: 0.1705, verifyS: 0.0026, signsPerS: 5.9, verifiesPerS: 379 },
  { key: 'DSA', bits: 512, signS: 0.0007, verifyS: 0.0009, signsPerS: 1372.6, verifiesPerS: 1134 },
  { key: 'DSA', bits: 1024, signS: 0.0021, verifyS: 0.0026, signsPerS: 473.9, verifiesPerS: 389.9 },
  { key: 'DSA', bits: 2048, signS: 0.0071, verifyS: 0.0087, signsPerS: 141.4, verifiesPerS: 114.4 },
];

/** Common form of the old tables, so that today's figures can be shown beside any of them. */

/** One row for an algorithm, in thousands of bytes a second at each of the sizes. */
export type SpeedTable = {
  /** Bytes of one block. */
  sizes: readonly number[];
  rows: readonly { algorithm: string; kBPerS: readonly number[] }[];
};

/** Seconds of one operation, and operations a second where the source prints them as well. */
export type KeyRow = {
  key: 'RSA' | 'DSA';
  bits: number;
  signS: number;
  verifyS: number;
  signsPerS?: number;
  verifiesPerS?: number;
};
