/** Protects how the spread of repeated runs is shown beside what they printed, and beside other tools. */
import { expect, test } from 'vitest';
import { readK6, readWrk } from './load-peers.ts';
import { estimateOfPairs, pairsIn } from './peer-pairs.ts';
import { type Method, printPrecision, type Repetition, tallyPrecision } from './precision-tally.ts';

const repetition = (method: Method, log: number, halfWidth: number): Repetition => {
  const center = Math.exp(log);
  const ratio = { center, lo: center - halfWidth, hi: center + halfWidth };
  return {
    ...{ machine: 'quiet', method, seconds: 25 },
    ratios: { cpu_at_load: ratio, latency_p50: null, throughput: null },
  };
};

test('the spread of estimates is compared with that of another tool, and intervals with the grand mean', () => {
  const rows = tallyPrecision([
    ...[0.1, 0.11, 0.12].map((log, place) => repetition('tls-toll', log, place === 2 ? 0.001 : 0.02)),
    ...[0, 0.1, 0.2].map((log) => repetition('wrk', log, 0.3)),
  ]);
  const [own, wrk] = rows;
  expect(own).toMatchObject({
    method: 'tls-toll',
    repetitions: 3,
    holding: 2,
    intervals: 3,
    timesOurs: null,
  });
  expect(own?.grandMean).toBeCloseTo(Math.exp(0.11), 12);
  expect(own?.spread).toBeCloseTo(0.01, 12);
  expect(wrk?.timesOurs?.center).toBeCloseTo(10, 9);
  expect(rows.some(({ method }) => method === 'k6')).toBe(false);
  expect(printPrecision(rows, [])).toMatch(
    /^quiet +Server CPU per transaction at load +wrk, A then B, paired t +3 of 25 s +10\.5 % +10\.00 % +10\.0 \(1\.6 to 62\.4\) +±30\.00 % +3 of 3, /m,
  );
});

test('pairs that rise together have a narrow interval, and a single one none', () => {
  const windows = (cpu: number) => ({ cpu_at_load: cpu, latency_p50: cpu, throughput: 900 });
  const pairs = [1, 2, 3].map((level) => ({
    ...{ baseline: windows(100 * level), comparison: windows(120 * level) },
  }));
  expect(estimateOfPairs(pairs, 'cpu_at_load')?.hi).toBeCloseTo(1.2, 12);
  expect(estimateOfPairs(pairs.slice(1, 2), 'cpu_at_load')).toBeNull();
});

test('another tool gets as many pairs as fit in the time, and two at least', () => {
  const plan = { path: '/', connections: 8, windowS: 3, warmUpS: 4 };
  expect([28, 5].map((seconds) => pairsIn({ ...plan, seconds }))).toEqual([4, 2]);
});

test('wrk and k6 say what they sent a second and their median', () => {
  const wrk = `  Latency Distribution\n     50%    1.50ms\n     75%    2.00ms\n  9135 requests in 2.00s, 90MB read\nRequests/sec:   4567.89\n`;
  expect(readWrk(wrk)).toEqual({ requests: 9135, perS: 4567.89, medianUs: 1500 });
  expect(() => readWrk(`${wrk}  Non-2xx or 3xx responses: 3\n`)).toThrow('wrk could not load');
  const k6 = { metrics: { http_reqs: { count: 900, rate: 300.5 }, http_req_duration: { med: 2.25 } } };
  expect(readK6(JSON.stringify(k6))).toEqual({ requests: 900, perS: 300.5, medianUs: 2250 });
});
