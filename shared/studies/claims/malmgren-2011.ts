import { printNumber } from '../../base/quantity.ts';
import { about, type Claim } from '../claim.ts';
import type { ServersFigure } from '../figures/figure.ts';
import { malmgren2011 } from '../tables/malmgren-2011.ts';

/** What Malmgren found, and the one report of `ab` that he prints whole. */

const study = 'malmgren-2011';
/** Below this, a factor is said to hardly matter. */
const tolerance = 1.05;

const finding = { study, unit: 'times', printed: null, by: ['servers-grid', 'servers'] } as const;

/** Of `ab`: nginx, connections that stay open, RSA-2048, 5,496 bytes. */
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
    note: 'His grid has 320 connections at most, and so has the measurement.',
  },
  ...abClaims(),
];

/** The figures of the report that today's cell has with an interval; its percentiles belong to 800 connections. */
function abClaims(): Claim[] {
  const { requestsPerS, msPerRequest, kibPerS, timesMs, percentiles, concurrency } = malmgren2011;
  const ofReport = { study, table: 'ab on nginx, keep-alive, 800 connections' } as const;
  const asked = (of: 'requests' | 'ms per request'): ServersFigure => ({ kind: 'servers', of, cell });
  const elsewhere = {
    by: null,
    word: 'not comparable',
    note: 'Malmgren measured it with 800 connections. The page of this cell shows both reports.',
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
    ...Object.entries(timesMs ?? {}).map(
      ([phase, { min, mean, sd, median, max }]): Claim => ({
        ...ofReport,
        ...{ id: `malmgren-ab-${phase}`, said: `${phase}: min, mean ± sd, median, max`, unit: '' },
        printed: `${min}, ${mean} ± ${sd}, ${median}, ${max} ms`,
        ...elsewhere,
      }),
    ),
    ...percentiles.map(
      ({ percent, ms }): Claim => ({
        ...ofReport,
        ...{ id: `malmgren-ab-p${percent}`, said: `${percent} % of the requests within`, unit: '' },
        printed: `${printNumber(ms, 0)} ms`,
        ...elsewhere,
      }),
    ),
  ];
}
