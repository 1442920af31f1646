/** Protects what is shown of one cell: its own visits by round, and the report of the round with the median rate. */

import { describe, expect, test } from 'vitest';
import type { LoadResult } from '../../../shared/kinds/comparison/slot.ts';
import {
  type AbCounts,
  cellDocumentSchema,
  type FactorPlanInput,
  type VisitAb,
} from '../../../shared/kinds/servers/servers-result.ts';
import { malmgren2011 } from '../../../shared/studies/malmgren-2011.ts';
import { encodeHistogram, newLatencyHistogram } from '../../method/statistics/latency-histogram.ts';
import { drawsOf } from '../../method/statistics/random.ts';
import { readAbReport } from '../../testing/read-ab-report.ts';
import { sampleServers } from '../../testing/sample-servers.ts';
import { sampleSlot } from '../../testing/sample-slot.ts';
import { abCountsOf } from './ab-counts.ts';
import { cellDocumentOf, printAb, reportOf } from './cell-document.ts';

const plan: FactorPlanInput = {
  shape: 'grid',
  base: { key: 'RSA-2048' },
  levels: { keepAlive: [true, false], concurrency: [1, 32] },
};

describe('a cell', () => {
  const { frame, kept, document } = sampleServers({ plan, rounds: 5 });
  const [, cell] = kept.facts.cells;
  if (cell === undefined) throw new Error('no second cell');
  const found = cellDocumentSchema.parse(cellDocumentOf(frame, kept, cell.id));

  test('has its own visits by round, and the figures of the sweep', () => {
    expect(found.visits.map(({ cell: index, round }) => [index, round])).toEqual(
      [0, 1, 2, 3, 4].map((round) => [1, round]),
    );
    expect(found.result).toEqual(document.cells[1]);
    expect(found.server?.name).toBe('nginx');
  });

  test('is reported by the round whose rate is the median, each side by its own', () => {
    for (const [side, arm] of [
      ['http', 'baseline'],
      ['https', 'comparison'],
    ] as const) {
      const rates = found.visits.map(({ arms }) => arms?.[arm].perS ?? Number.NaN);
      const median = rates.toSorted((a, b) => a - b)[2];
      const report = found.reports[side];
      expect(rates[report?.round ?? -1]).toBe(median);
      expect(report?.text).toContain(
        `Note: Round ${(report?.round ?? 0) + 1} of 5, the one with the median rate.`,
      );
    }
  });

  test('has in its report what was asked for, and what was counted', () => {
    const { numbers, texts } = readAbReport(found.reports.https?.text ?? '');
    expect(numbers['Document Length']).toBe(5496);
    expect(numbers['Concurrency Level']).toBe(32);
    const ab = found.visits[found.reports.https?.round ?? 0]?.arms?.comparison.ab;
    expect(numbers['Complete requests']).toBe(ab?.requests);
    expect(numbers['Total transferred']).toBe(ab?.totalBytes);
    expect(texts['SSL/TLS Protocol']).toBe('TLSv1.3,TLS_AES_256_GCM_SHA384,2048,256');
    expect(found.reports.http?.text).not.toContain('SSL/TLS');
  });

  test('one round of it can be asked for', () => {
    const visit = found.visits[3];
    if (visit === undefined) throw new Error('no fourth round');
    expect(reportOf(cell, visit, 'http', null)?.text).toContain('Note: Round 4.');
  });
});

test('of an even number of rounds the slower in the middle is reported', () => {
  const { frame, kept } = sampleServers({ plan, rounds: 4 });
  const { visits, reports, result } = cellDocumentOf(frame, kept, kept.facts.cells[0]?.id ?? '');
  expect(result.visits).toBe(4);
  const rates = visits.map(({ arms }) => arms?.comparison.perS ?? Number.NaN);
  expect(rates[reports.https?.round ?? -1]).toBe(rates.toSorted((a, b) => a - b)[1]);
});

test('rounds that failed are there with their reason, and report nothing', () => {
  const { frame, kept } = sampleServers({
    plan,
    rounds: 3,
    change: (visits) =>
      visits.map((visit) =>
        visit.cell === 0 ? { ...visit, arms: null, failure: 'nginx fell over.' } : visit,
      ),
  });
  const { visits, reports } = cellDocumentOf(frame, kept, kept.facts.cells[0]?.id ?? '');
  expect(visits.map(({ failure }) => failure)).toEqual(Array(3).fill('nginx fell over.'));
  expect(reports).toEqual({ http: null, https: null });
});

test('visits without counts have no report', () => {
  const { frame, kept } = sampleServers({ plan, rounds: 3 });
  const blocks = kept.blocks.map((visit) => ({
    ...visit,
    arms: visit.arms && {
      ...visit.arms,
      baseline: { ...visit.arms.baseline, ab: null },
      comparison: { ...visit.arms.comparison, ab: null },
    },
  }));
  const { result, reports } = cellDocumentOf(frame, { ...kept, blocks }, kept.facts.cells[0]?.id ?? '');
  expect(result.throughput).not.toBeNull();
  expect(reports).toEqual({ http: null, https: null });
});

test('a cell that the sweep does not have is refused', () => {
  const { frame, kept } = sampleServers({ plan, rounds: 3 });
  expect(() => cellDocumentOf(frame, kept, 'nginx-none')).toThrow(/no combination nginx-none/);
});

/** Protects the layout of ApacheBench, to the column, and what is said of a slot in it. */

const then: VisitAb = {
  ...{ ...malmgren2011, serverSoftware: 'nginx/1.0.2', hostname: '192.0.2.1', port: 443 },
  // Its time per request says so; it prints 11.310.
  seconds: 11.3100125,
  negotiated: { ...malmgren2011.negotiated, cipher: 'AES128-SHA' },
};
const settings = { document: 5496, concurrency: 800, keepAlive: true };
const printed = (change: Partial<VisitAb> = {}, asked: Partial<typeof settings> = {}) =>
  printAb({ ...then, ...change }, { ...settings, ...asked }, 'https', 'Round 1.');

test('the report of 2011 matches the output of ab, with notes below it', () => {
  expect(printed()).toBe(`TLS Toll, in the layout of ApacheBench 2.3


Server Software:        nginx/1.0.2
Server Hostname:        192.0.2.1
Server Port:            443
SSL/TLS Protocol:       TLSv1/SSLv3,AES128-SHA,2048,128

Document Path:          /5496.html
Document Length:        5496 bytes

Concurrency Level:      800
Time taken for tests:   11.310 seconds
Complete requests:      10000
Failed requests:        0
Keep-Alive requests:    10000
Total transferred:      57131424 bytes
HTML transferred:       54970992 bytes
Requests per second:    884.17 [#/sec] (mean)
Time per request:       904.801 [ms] (mean)
Time per request:       1.131 [ms] (mean, across all concurrent requests)
Transfer rate:          4933.01 [Kbytes/sec] received

Connection Times (ms)
              min  mean[+/-sd] median   max
Connect:        0  353 1238.8      0    6437
Processing:   196  534 540.1    390    3240
Waiting:      196  534 540.1    390    3240
Total:        196  887 1676.8    390    6972

Percentage of the requests served within a certain time (ms)
  50%    390
  66%    390
  75%    391
  80%    392
  90%    395
  95%   6674
  98%   6924
  99%   6949
 100%   6972 (longest request)

Note: Round 1.
Note: Total transferred and Transfer rate count bytes on the wire, TLS records included; ab counts what they hold.
Note: Connect: min, sd, median and max are put together from TCP’s and the TLS handshake’s; only the mean is exact.
Note: Processing: min, sd, median and max are put together from those up to the first byte and from there to the last; only the mean is exact.
`);
});

test('a reader by labels gets every figure back', () => {
  const read = readAbReport(printed());
  expect(read.numbers).toEqual({
    'Server Port': 443,
    'Document Length': 5496,
    'Concurrency Level': 800,
    'Time taken for tests': 11.31,
    'Complete requests': 10_000,
    'Failed requests': 0,
    'Keep-Alive requests': 10_000,
    'Total transferred': 57_131_424,
    'HTML transferred': 54_970_992,
    'Requests per second': 884.17,
    'Time per request': 904.801,
    'Time per request, across all': 1.131,
    'Transfer rate': 4933.01,
  });
  expect(read.times.Total).toEqual([196, 887, 1676.8, 390, 6972]);
  expect(read.percentiles['99']).toBe(6949);
});

test('lines that ab leaves out are left out, and failures have their line', () => {
  const failed = { connect: 1, receive: 2, length: 3, exceptions: 4 };
  const bare = { negotiated: null, timesMs: null, ladderMs: null, failed, non2xx: 7 };
  const text = printed({ ...bare, serverSoftware: 'One\nline' }, { keepAlive: false });
  expect(text).toContain('Server Software:        One\ufffdline\n');
  expect(text).toContain(
    'Failed requests:        10\n   (Connect: 1, Receive: 2, Length: 3, Exceptions: 4)\nNon-2xx responses:      7\nTotal',
  );
  expect(text).not.toMatch(/SSL|Keep-Alive|Connection Times|Percentage/);
});

function histogram(...us: number[]): string {
  const counted = newLatencyHistogram();
  for (const value of us) counted.recordValue(value);
  return encodeHistogram(counted);
}

function load(change: Partial<LoadResult>): LoadResult {
  return {
    ...sampleSlot('comparison', 'maximum', 0, drawsOf(1), { slotMs: 500, ofLaunch: 1 }).load,
    ...{
      elapsedUs: 2e6,
      requests: 1000,
      connectionsOpened: 0,
      bodyBytes: 5_496_000,
      wireBytesRead: 5_700_000,
    },
    ...{ errors: [], latencyHistogram: histogram(1000, 1500, 2000, 2500) },
    phaseHistograms: {
      ...{ connectUs: null, tlsUs: null },
      ...{ ttfbUs: histogram(400, 500, 600, 700), downloadUs: histogram(600, 1000, 1400, 1800) },
    },
    ...change,
  };
}

/** Its report, read by labels, and the notes below it. */
function readOf(counts: AbCounts, side: 'http' | 'https', keepAlive = true) {
  const ab = { ...counts, serverSoftware: 'nginx/1.22.1', hostname: '127.0.0.1', port: 8080 };
  const text = printAb(ab, { document: 5496, concurrency: 4, keepAlive }, side, 'Round 1.');
  const notes = [...text.matchAll(/^Note: (.*)$/gm)].map(([, note = '']) => note);
  return { ...readAbReport(text), notes };
}

describe('a slot', () => {
  test('on open connections has no time to connect, and processing is all there is', () => {
    const found = abCountsOf(load({}));
    const read = readOf(found, 'http');
    expect(read.numbers).toMatchObject({
      ...{ 'Time taken for tests': 2, 'Complete requests': 1000, 'Keep-Alive requests': 1000 },
      ...{ 'Requests per second': 500, 'Time per request': 8, 'Time per request, across all': 2 },
      ...{ 'Total transferred': 5_700_000, 'HTML transferred': 5_496_000, 'Transfer rate': 2783.2 },
    });
    expect(read.notes).toEqual(['Round 1.']);
    expect(found.timesMs?.connect).toEqual({ min: 0, mean: 0, sd: 0, median: 0, max: 0 });
    expect(found.timesMs?.processing).toEqual(found.timesMs?.total);
    expect(found.timesMs?.total.mean).toBeCloseTo(1.75, 2);
    // √(Σ(x − 1.75)² ÷ 3) of 1, 1.5, 2, 2.5.
    expect(found.timesMs?.total.sd).toBeCloseTo(0.6455, 2);
    expect(found.timesMs?.waiting.max).toBeCloseTo(0.7, 2);
    expect(found.ladderMs?.at(-1)).toBeCloseTo(2.5, 2);
  });

  test('in which one request of four connected counts the others as 0', () => {
    const found = abCountsOf(
      load({
        connectionsOpened: 250,
        phaseHistograms: { ...noPhases, connectUs: histogram(800), ttfbUs: histogram(400, 500, 600, 700) },
      }),
    );
    const { timesMs } = found;
    const { numbers, notes } = readOf(found, 'http');
    expect(numbers['Keep-Alive requests']).toBe(750);
    expect(timesMs?.connect).toMatchObject({ min: 0, median: 0 });
    expect(timesMs?.connect.mean).toBeCloseTo(0.2, 3);
    expect(timesMs?.connect.sd).toBeCloseTo(0.4, 3);
    expect(timesMs?.connect.max).toBeCloseTo(0.8, 2);
    expect(timesMs?.processing.mean).toBeCloseTo(1.55, 2);
    expect(notes[1]).toMatch(/^Processing: min, sd, median and max are put together/);
  });

  test('over TLS says what it cannot know as ab does', () => {
    const opened = { ...noPhases, connectUs: histogram(100, 100), tlsUs: histogram(900, 1100) };
    const found = abCountsOf(load({ phaseHistograms: opened, latencyHistogram: histogram(2000, 2400) }));
    const { numbers, texts, notes } = readOf(found, 'https', false);
    expect(texts['SSL/TLS Protocol']).toMatch(/^TLSv1\.3,/);
    expect(numbers).not.toHaveProperty('Keep-Alive requests');
    expect(found.timesMs?.connect.mean).toBeCloseTo(1.1, 2);
    expect(notes.map((note) => note.split(/[ :]/)[0])).toEqual(['Round', 'Total', 'Connect', 'Processing']);
  });

  test('counts failures by ab’s four, and statuses apart', () => {
    const group = { transport: 'http', step: null, detail: '' } as const;
    const errors = [
      { ...group, outcome: 'connection_refused', count: 1 } as const,
      { ...group, outcome: 'timed_out', count: 2 } as const,
      { ...group, outcome: 'body_too_short', count: 3 } as const,
      { ...group, outcome: 'check_failed', count: 4 } as const,
      { ...group, outcome: 'unexpected_status', count: 5 } as const,
    ];
    const { failed, non2xx } = abCountsOf(load({ errors }));
    expect(failed).toEqual({ connect: 1, receive: 2, length: 3, exceptions: 4 });
    expect(non2xx).toBe(5);
  });

  test('without an answer has neither times nor a ladder', () => {
    const { numbers, times, percentiles } = readOf(
      abCountsOf(load({ requests: 0, latencyHistogram: histogram() })),
      'http',
    );
    expect(numbers).toMatchObject({ 'Complete requests': 0, 'Time per request': 0 });
    expect([times, percentiles]).toEqual([{}, {}]);
  });
});

const noPhases = { connectUs: null, tlsUs: null, ttfbUs: null, downloadUs: null };

test.each([
  [
    'RSA 2048',
    'TLS_AES_256_GCM_SHA384',
    'X25519',
    'TLSv1.3,TLS_AES_256_GCM_SHA384,2048,256',
    'X25519 253 bits',
  ],
  [
    'EC P-256',
    'TLS_AES_128_GCM_SHA256',
    'P-256',
    'TLSv1.3,TLS_AES_128_GCM_SHA256,256,128',
    'ECDH prime256v1 256 bits',
  ],
  [
    null,
    'TLS_CHACHA20_POLY1305_SHA256',
    'X25519MLKEM768',
    'TLSv1.3,TLS_CHACHA20_POLY1305_SHA256,0,256',
    null,
  ],
])('the TLS line of %s, %s and %s', (key, cipher, group, protocol, temporaryKey) => {
  const negotiated = { protocol: 'TLSv1.3', cipher, group, key, alpn: null };
  const { texts } = readAbReport(printed({ negotiated, hostname: '::1' }));
  expect(texts).toMatchObject({ 'SSL/TLS Protocol': protocol });
  expect(texts['Server Temp Key'] ?? null).toBe(temporaryKey);
  expect(texts).not.toHaveProperty('TLS Server Name');
  expect(readAbReport(printed({ hostname: 'localhost' })).texts['TLS Server Name']).toBe('localhost');
});
