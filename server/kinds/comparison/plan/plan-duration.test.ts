/** Protects how many launches fit into the time of a run. */
import { expect, test } from 'vitest';
import { presetSchema } from '../../../../shared/kinds/comparison/load-choice.ts';
import { runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import { epochS, launchS, mostEpochs, mostLaunches, runS } from './plan-duration.ts';
import { planFor } from './presets.ts';

const planOf = (preset: 'quick' | 'standard' | 'thorough') =>
  planFor({ ...runRequestSchema.parse({}), preset }, 1);

test('each further launch takes its start, its warm-up and its epochs', () => {
  const plan = planOf('standard');
  // 1.2 s in lockstep, 6 s at load, three slots of 0.8 s in open load, and edges.
  expect(epochS(plan)).toBeCloseTo(1.2 + 6 + 3 * 0.8 + 0.3, 9);
  expect(launchS(plan)).toBeCloseTo(1 + 0.6 * 7 + 2 * epochS(plan), 9);
  expect(runS(plan, 4) - runS(plan, 3)).toBeCloseTo(launchS(plan), 9);
});

test('of a slow target a single launch has as many epochs as the time holds, and never fewer than four', () => {
  const target = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' };
  const plan = planFor(runRequestSchema.parse({ target, preset: 'standard' }), 1);
  const epochsAt = (transactionMs: number) => mostEpochs(plan, { transactionMs, epochS: null, startS: null });
  // A transaction of 1 s: 3 s in lockstep, 6 s and 3 s at load, 2.4 s and 3 s in open load, and edges.
  expect(epochS(plan, { transactionMs: 1000, epochS: null, startS: null })).toBeCloseTo(3 + 9 + 5.4 + 0.3, 9);
  expect([0, 1, 300, 1000, 4000].map(epochsAt)).toEqual([11, 11, 10, 6, 4]);
});

test.each(presetSchema.options)(
  'the %s preset keeps the time it promises, with its fewest launches and more',
  (preset) => {
    const plan = planOf(preset);
    expect(mostLaunches(plan)).toBeGreaterThanOrEqual(plan.launches.minimum);
    expect(runS(plan, mostLaunches(plan))).toBeLessThanOrEqual(plan.longestS);
  },
);

test('a plan whose time holds fewer launches than it needs has those it needs', () => {
  expect(mostLaunches({ ...planOf('standard'), longestS: 5 })).toBe(4);
});

test.each([
  { target: 'jdk' },
  { target: 'nginx', sides: { comparison: { target: { server: 'jdk' as const } } } },
])('a server that compiles while it runs is warmed up for longer, and has the time for that: %j', (asked) => {
  const request = runRequestSchema.parse(asked);
  const [plan, usual] = [planFor(request, 1), planFor(runRequestSchema.parse({ target: 'nginx' }), 1)];
  expect(plan.warmUp.longestMs).toBeGreaterThan(usual.warmUp.longestMs);
  expect([plan.warmUp.transactions, usual.warmUp.transactions]).toEqual([120_000, null]);
  expect(runS(plan, plan.launches.minimum)).toBeLessThanOrEqual(plan.longestS);
});
