/** Protects what a list says of a later run: its traffic is the one that was counted, the machine's speed cancels, and what the list cannot price is named. */
import { expect, test } from 'vitest';
import type { Estimate } from '../../../shared/base/units.ts';

import { http, https, looked, roundsOf } from '../../testing/price-rounds.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { listPrices } from './price-list.ts';
import { judgePredictions, type MeasuredRun, predictRun } from './price-predictions.ts';

const rounds = roundsOf();
const { items } = listPrices({ cells: looked }, rounds);
const list = { cells: looked, rounds, items, command: 'npx tls-toll prices --target nginx' };

type Made = {
  bytes?: number;
  perConnection?: number;
  returning?: number;
  /** Factor on the machine's CPU per request. */
  slowness?: number;
  /** Added to what HTTPS costs, µs. */
  more?: number;
};

const around = (center: number): Estimate => ({ center, lo: center * 0.99, hi: center * 1.01 });

/** A run whose sides cost what the rounds were made of. */
function runOf(
  { bytes = 4000, perConnection = 5, returning = 0.5, slowness = 1, more = 0 }: Made = {},
  change: Partial<MeasuredRun> = {},
): MeasuredRun {
  const run = sampleRun();
  const { preflight } = run;
  const [cpu] = run.metrics.filter(({ id }) => id === 'cpu_at_load');
  const [response] = preflight?.sides.comparison.responses ?? [];
  if (preflight === null || cpu === undefined || response === undefined || run.fairness === null)
    throw new Error('the sample is not what it was');
  const costOf = ({ requestUs, connectionUs, usPerByte }: typeof http, resumedUs: number) =>
    slowness *
    (requestUs +
      (bytes - 1000) * usPerByte +
      ((1 - returning) * connectionUs + returning * resumedUs) / perConnection);
  const [first, second] = [costOf(http, http.connectionUs), costOf(https, https.resumedUs) + more];
  const requests = 100_000;
  const opened = Math.round(requests / perConnection);
  const handshakesResumed = Math.round(opened * returning);
  const counted = { requests, transactions: requests, opened, renegotiated: 0 };
  const responses = [{ ...response, bodyBytes: bytes, contentEncoding: '' }];
  const fairness = (side: 'baseline' | 'comparison') => ({
    ...(run.fairness as NonNullable<typeof run.fairness>)[side],
    bodyBytesPerTransaction: bytes,
    targetCpuPercent: { lockstep: null, maximum: 96, steady: null },
  });
  return {
    ...run,
    sides: {
      baseline: { ...run.sides.baseline, transport: 'http' },
      comparison: { ...run.sides.comparison, transport: 'https' },
    },
    scenario: { ...run.scenario, steps: run.scenario.steps.slice(0, 1) },
    preflight: {
      ...preflight,
      sides: { ...preflight.sides, comparison: { ...preflight.sides.comparison, responses } },
    },
    connections: {
      baseline: { ...counted, handshakesFull: 0, handshakesResumed: 0 },
      comparison: { ...counted, handshakesFull: opened - handshakesResumed, handshakesResumed },
    },
    fairness: { baseline: fairness('baseline'), comparison: fairness('comparison') },
    metrics: [{ ...cpu, baseline: around(first), comparison: around(second), delta: around(second - first) }],
    ...change,
  };
}

const about = { id: 'a', url: '/r/a', title: 'Documents on nginx', createdAt: 1 };
const judge = (runs: readonly MeasuredRun[]) =>
  judgePredictions(
    list,
    runs.map((run) => ({ about, found: predictRun(list, run) })),
  );

test.each([
  { bytes: 4000, perConnection: 5, returning: 0.5 },
  { bytes: 700_000, perConnection: 1, returning: 0.9 },
  { bytes: 30_000, perConnection: 100, returning: 0 },
  { bytes: 1000, perConnection: Number.POSITIVE_INFINITY, returning: 0 },
])('%j is predicted as it was measured, on a machine of another speed, too', (traffic) => {
  for (const slowness of [1, 1.6, 0.7]) {
    const found = predictRun(list, runOf({ ...traffic, slowness }));
    if (typeof found === 'string') throw new Error(found);
    expect(found.slowness).toBeCloseTo(slowness, 1);
    expect(found.scaled.difference.center / found.measured.difference.center).toBeCloseTo(1, 1);
    expect(found.scaled.baseline.center).toBeCloseTo(found.measured.baseline.center, 6);
    expect(found.listed.difference.center / found.measured.difference.center).toBeCloseTo(1 / slowness, 1);
    expect(found.agrees).toBe(true);
  }
});

test('a request is a part of a transaction of several steps', () => {
  const run = runOf();
  const [step] = run.scenario.steps;
  const [response] = run.preflight?.sides.comparison.responses ?? [];
  if (run.preflight === null || run.fairness === null || step === undefined || response === undefined)
    throw new Error('the sample is not what it was');
  const twice = <Of>(of: Of): Of[] => [of, of];
  const { comparison } = run.preflight.sides;
  const found = predictRun(list, {
    ...run,
    scenario: { ...run.scenario, steps: twice(step) },
    preflight: {
      ...run.preflight,
      sides: { ...run.preflight.sides, comparison: { ...comparison, responses: twice(response) } },
    },
    fairness: {
      ...run.fairness,
      comparison: { ...run.fairness.comparison, bodyBytesPerTransaction: 8000 },
    },
    connections: run.connections && {
      baseline: { ...run.connections.baseline, transactions: run.connections.baseline.requests / 2 },
      comparison: { ...run.connections.comparison, transactions: run.connections.comparison.requests / 2 },
    },
    metrics: run.metrics.map((row) => ({
      ...row,
      ...{ baseline: twofold(row.baseline), comparison: twofold(row.comparison), delta: twofold(row.delta) },
    })),
  });
  if (typeof found === 'string') throw new Error(found);
  expect(found.measured.difference).toEqual(run.metrics[0]?.delta);
});

function twofold(estimate: Estimate | null): Estimate | null {
  return estimate && { center: 2 * estimate.center, lo: 2 * estimate.lo, hi: 2 * estimate.hi };
}

test('a difference that is off disagrees, and one that three runs share names the item that would explain it', () => {
  const off = predictRun(list, runOf({ more: 40 }));
  expect(off).toMatchObject({ agrees: false });
  const traffics: Made[] = [
    ...[1, 2, 5, 10].map((perConnection) => ({ perConnection, returning: 0, more: 300 / perConnection })),
    { perConnection: 100, returning: 0, more: 3 },
  ];
  const { runs, suspect } = judge(traffics.map((traffic) => runOf(traffic)));
  expect(runs.filter(({ agrees }) => !agrees).length).toBeGreaterThanOrEqual(3);
  expect(suspect?.title).toBe('New connection');
  expect((suspect?.moreUs ?? 0) / 300).toBeCloseTo(1, 1);
  expect(suspect?.share).toBeGreaterThan(0.9);
  expect(judge(traffics.slice(0, 2).map((traffic) => runOf(traffic))).suspect).toBeNull();
});

const post = { name: 'buy', method: 'POST' as const, body: 'x' };
const idle = runOf();

test.each<[string, MeasuredRun, RegExp]>([
  ['a larger body', runOf({ bytes: 2_000_000 }), /a body of 2 MB, which the list lacks.*largest body/],
  [
    'an upload',
    runOf({}, { scenario: { ...idle.scenario, steps: [{ ...idle.scenario.steps[0], ...post } as never] } }),
    /POST requests with a body/,
  ],
  [
    'another load',
    runOf({}, { atLoad: idle.atLoad && { ...idle.atLoad, ratePerS: 100 } } as Partial<MeasuredRun>),
    /not measured at full load/,
  ],
  ['other work', runOf({ slowness: 7 }), /(69|70)\d % of what the list says/],
  [
    'another transport',
    runOf({}, { sides: { ...idle.sides, comparison: { ...idle.sides.comparison, transport: 'h2' } } }),
    /HTTP\/1\.1 without and with TLS/,
  ],
  ['no reading at full load', runOf({}, { metrics: [] }), /no CPU at full load/],
])('%s is left out with its reason', (_, run, reason) => {
  const { runs, leftOut } = judge([run]);
  expect(runs).toEqual([]);
  expect(leftOut).toMatchObject([{ ...about, reason: expect.stringMatching(reason) }]);
});

test('a server that was idle half of the time is left out, unless the list had it as idle', () => {
  const half = runOf();
  const fairness = half.fairness && {
    baseline: { ...half.fairness.baseline, targetCpuPercent: { lockstep: null, maximum: 45, steady: null } },
    comparison: {
      ...half.fairness.comparison,
      targetCpuPercent: { lockstep: null, maximum: 45, steady: null },
    },
  };
  expect(predictRun(list, { ...half, fairness })).toMatch(/another load/);
  const idleRounds = roundsOf({
    busyOf: ({ requestsPerConnection }) => (requestsPerConnection === null ? 1 : 0.5),
  });
  expect(predictRun({ ...list, rounds: idleRounds }, { ...half, fairness })).toMatchObject({ agrees: true });
});
