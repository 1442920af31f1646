/** Protects what each program costs: per transaction, each with its own interval, from the samples that count. */

import { expect, test } from 'vitest';
import type { Arm } from '../../../shared/base/transport.ts';
import type { Block, Window } from '../../../shared/kinds/comparison/block.ts';
import { describePath } from '../../../shared/kinds/comparison/link.ts';
import type { Program } from '../../../shared/kinds/comparison/program.ts';
import type { LoadResult } from '../../../shared/kinds/comparison/slot.ts';
import { blockInTest } from '../../testing/block-in-test.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { doubtOfLate, pathOfRun, programCosts, shareOutLate } from './program-costs.ts';

const programs: Program[] = [
  { name: 'nginx', pids: [7], role: 'target', tie: null },
  { name: 'node', pids: [8], role: 'companion', tie: 'connection' },
];

/** Window of ten transactions per arm. @param each µs of both programs in each arm's transactions */
function windowOf(each: Record<Arm, [number, number]>, change: Partial<Window> = {}): Window {
  const arm = (name: Arm): Window['arms'][Arm] => ({
    ...{ transactions: 10, cpuUs: each[name][0] + each[name][1], medianUs: null, perS: 1 },
    programsUs: each[name],
  });
  return {
    ...{ startedAtMs: 0, elapsedMs: 1000, stealRatio: 0, foreignRatio: 0, aside: false, rounds: 20 },
    arms: { baseline: arm('baseline'), comparison: arm('comparison'), twin: arm('twin') },
    ...change,
  };
}

function blockOf(windows: Window[]): Block {
  return {
    ...{ index: 0, kind: 'maximum', launch: 0, epoch: 0, order: 'ABN', reasons: [], slots: [], ratios: {} },
    windows,
  };
}

const costsOf = (blocks: Block[]) => programCosts(programs, shareOutLate(programs, blocks), true);

test('a program’s difference is the mean over samples, against both arms of the baseline', () => {
  // nginx: (10 + 12) ÷ 20 = 1.1 µs against 2.0, and 1.3 against 2.4: differences of 0.9, 1.1, and 1.0.
  const windows = [
    windowOf({ baseline: [10, 500], twin: [12, 500], comparison: [20, 490] }),
    windowOf({ baseline: [12, 510], twin: [14, 490], comparison: [24, 510] }),
    windowOf({ baseline: [12, 500], twin: [12, 500], comparison: [22, 500] }),
  ];
  const [nginx, node] = costsOf([blockOf(windows)]) ?? [];
  expect(nginx?.delta.center).toBeCloseTo(1, 10);
  expect(nginx?.baseline.center).toBeCloseTo(1.2, 10);
  // Standard deviation 0.1, error 0.1 ÷ √3, and Student's 4.303 of two degrees.
  expect((nginx?.delta.hi ?? 0) - (nginx?.delta.lo ?? 0)).toBeCloseTo((2 * 4.3027 * 0.1) / Math.sqrt(3), 3);
  expect(node?.delta.center).toBeCloseTo(0, 10);
  expect([node?.name, node?.tie]).toEqual(['node', 'connection']);
});

test('a program’s costs add up to the metric’s', () => {
  const windows = [1, 2, 3].map((more) =>
    windowOf({ baseline: [10, 500], twin: [10, 500 + more], comparison: [20 + more, 480] }),
  );
  const costs = costsOf([blockOf(windows)]) ?? [];
  const whole = windows.map(({ arms }) => (arms.comparison.cpuUs ?? 0) / 10);
  const mean = whole.reduce((sum, each) => sum + each, 0) / whole.length;
  expect(costs.reduce((sum, { comparison }) => sum + comparison.center, 0)).toBeCloseTo(mean, 10);
});

test('disturbed samples, blocks that are left out, and samples without programs do not count', () => {
  const calm = windowOf({ baseline: [10, 500], twin: [10, 500], comparison: [20, 500] });
  const wild = windowOf({ baseline: [10, 500], twin: [10, 500], comparison: [900, 900] }, { aside: true });
  const many = Array.from({ length: 12 }, () => calm);
  const bare = structuredClone(calm);
  delete bare.arms.twin.programsUs;
  const [nginx] = costsOf([blockOf([...many, wild, bare])]) ?? [];
  expect(nginx?.delta).toEqual({
    center: expect.closeTo(1, 10),
    lo: expect.closeTo(1, 10),
    hi: expect.closeTo(1, 10),
  });
  const spoiled = { ...blockOf(many), reasons: [{ code: 'errors', message: '', spoils: 'all' } as const] };
  expect(costsOf([spoiled])).toBeNull();
});

/** Windows of a writer that uses 4 µs per transaction immediately and 6 in the next turn; turns without requests counted that as idle use. */
const late = [5.9, 6, 6.1, 5.9, 6, 6.1].map((us) =>
  windowOf(
    { baseline: [10, 40], twin: [10, 50], comparison: [20, 30] },
    { lag: { us: [0, us], subtracted: 30 } },
  ),
);

test('late work is in the sum, of neither side, and half of it is open', () => {
  const shared = shareOutLate(programs, [blockOf(late)]);
  expect(shared.lateUs).toEqual([null, expect.closeTo(6, 10)]);
  // (120 + 6 × 30) µs ÷ 30 transactions: 10 µs on each side.
  const [nginx, writer] = programCosts(programs, shared, true) ?? [];
  expect([writer?.baseline.center, writer?.comparison.center]).toEqual([
    expect.closeTo(10, 10),
    expect.closeTo(10, 10),
  ]);
  expect(writer?.lateUs).toBeCloseTo(6, 10);
  expect([writer?.delta.center, writer?.delta.lo, writer?.delta.hi]).toEqual([
    0,
    expect.closeTo(-3, 10),
    expect.closeTo(3, 10),
  ]);
  expect(nginx?.lateUs).toBeUndefined();
  const [window] = shared.blocks[0]?.windows ?? [];
  expect(window?.arms.comparison.cpuUs).toBeCloseTo(20 + 100, 10);
  // 3 µs of (10 + 100) ÷ 10.
  expect(doubtOfLate(programs, shared)).toBeCloseTo(3 / 11, 10);
});

test('where nothing is late, blocks are what they were', () => {
  const blocks = [blockOf(late.map((window) => ({ ...window, lag: { us: [0, 0.4], subtracted: 30 } })))];
  const shared = shareOutLate(programs, blocks);
  expect(shared.blocks).toBe(blocks);
  expect(doubtOfLate(programs, shared)).toBe(0);
  expect(shareOutLate([], blocks).lateUs).toEqual([]);
});

test('the kernel’s threads are a row of their own, in no sum', () => {
  const windows = [1, 2, 3].map(() => {
    const window = windowOf({ baseline: [10, 40], twin: [10, 40], comparison: [20, 40] });
    for (const arm of Object.values(window.arms)) arm.kernelUs = 10;
    window.arms.comparison.kernelUs = 15;
    return window;
  });
  const kernel = costsOf([blockOf(windows)])?.at(-1);
  expect([kernel?.role, kernel?.baseline.center, kernel?.comparison.center]).toEqual(['kernel', 1, 1.5]);
});

/** Protects what is said of the path: how many round trips a transaction waits for, and what part of its latency they are. */

const { preflight, metrics, sides } = sampleRun({ launches: 1, epochs: 1 });
if (preflight === null) throw new Error('the sample run has no preflight');
const roundTrip = { connections: 7, minimumUs: 400, medianUs: 460 };
const elsewhere = {
  ...preflight,
  sides: {
    baseline: { ...preflight.sides.baseline, roundTrip },
    comparison: { ...preflight.sides.comparison, roundTrip },
  },
};
const metro = { roundTripMs: 5, mbitPerS: null, added: { pings: 50, median: 5.1, p5: 5, p95: 5.4 } };
const latency = metrics.map((row) =>
  row.id === 'latency_p50'
    ? {
        ...row,
        baseline: { center: 3000, lo: 2900, hi: 3100 },
        comparison: { center: 4000, lo: 3900, hi: 4100 },
      }
    : row,
);

/** A hundred transactions of three requests. */
const blocksOf = (loadOf: (arm: Arm) => Partial<LoadResult>) => [
  blockInTest(0, 'lockstep', (arm) => ({ load: loadOf(arm) })),
];
const kept = blocksOf(() => ({}));

test('on open connections a transaction waits for one round trip a request', () => {
  const path = pathOfRun({ preflight: elsewhere }, kept, latency);
  expect(path).toEqual({
    baseline: { roundTripUs: 400, roundTrips: 3, latencyUs: 3000 },
    comparison: { roundTripUs: 400, roundTrips: 3, latencyUs: 4000 },
  });
  expect(path && describePath(path, sides)).toBe(
    'HTTP: 3 round trips of 400 µs, 40 % of the median latency. HTTPS: 3 round trips of 400 µs, 30 % of the median latency.',
  );
});

test.each([
  ['TLSv1.3', 1],
  ['TLSv1.2', 2],
])('a new connection adds one round trip for TCP and, in %s, %i for TLS', (protocol, ofTls) => {
  const negotiated = { protocol, cipher: 'AES', group: null, key: null, alpn: null };
  const blocks = blocksOf((arm) => ({
    connectionsOpened: 100,
    ...(arm === 'comparison' ? { negotiated, handshakesFull: 100 } : {}),
  }));
  const path = pathOfRun({ preflight: elsewhere }, blocks, latency);
  expect(path?.baseline.roundTrips).toBe(4);
  expect(path?.comparison.roundTrips).toBe(4 + ofTls);
});

test('a link adds to the round trip what it took, and loopback has no path', () => {
  expect(pathOfRun({ preflight, link: metro }, kept, latency)?.baseline.roundTripUs).toBe(5100);
  expect(pathOfRun({ preflight: elsewhere, link: metro }, kept, latency)?.baseline.roundTripUs).toBe(5500);
  expect(pathOfRun({ preflight }, kept, latency)).toBeNull();
});
