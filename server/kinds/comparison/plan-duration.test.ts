/** Protects how many launches fit into the time of a run. */

import { describe, expect, test } from 'vitest';
import { type Length, lengthNames } from '../../../shared/kinds/comparison/options.ts';
import { runRequestSchema } from '../../../shared/kinds/comparison/run-request.ts';
import { epochS, launchS, rateFor, runS, steadyRate } from './plan-duration.ts';
import { planFor } from './run-plan.ts';

const planOf = (length: Length) => planFor({ ...runRequestSchema.parse({}), length }, 1);

test('each further launch takes its start, its warm-up and its epochs', () => {
  const plan = planOf('quote');
  // 1.2 s in lockstep, 6 s at load, three slots of 0.8 s in open load, and edges.
  expect(epochS(plan)).toBeCloseTo(1.2 + 6 + 3 * 0.8 + 0.3, 9);
  expect(launchS(plan)).toBeCloseTo(1 + 0.6 * 7 + 2 * epochS(plan), 9);
  expect(runS(plan, 4) - runS(plan, 3)).toBeCloseTo(launchS(plan), 9);
});

test('a slow target takes a transaction of each side longer at every load', () => {
  const target = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' };
  const plan = planFor(runRequestSchema.parse({ target, length: 'quote' }), 1);
  // A transaction of 1 s: 3 s in lockstep, 6 s and 3 s at load, 2.4 s and 3 s in open load, and edges.
  expect(epochS(plan, { transactionMs: 1000, epochS: null, startS: null })).toBeCloseTo(3 + 9 + 5.4 + 0.3, 9);
});

test.each(lengthNames)('the length %s has the time for its fewest launches', (length) => {
  const plan = planOf(length);
  expect(runS(plan, plan.launches.minimum)).toBeLessThanOrEqual(plan.longestS);
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

/** Protects the rate of open load. */

describe('the steady rate', () => {
  test('is half of what the slowest side manages, in two digits', () => {
    expect(steadyRate([1234, 987])).toBe(490);
    expect(steadyRate([30, 45])).toBe(15);
    expect(steadyRate([900, 500, 200])).toBe(100);
  });
  test('is never below one a second', () => {
    expect(steadyRate([0.4, 3])).toBe(1);
  });
});

describe('the rate of a run', () => {
  const capacities = [1000, 800];
  test('is the one asked for, when both sides can bear it', () => {
    expect(rateFor(700, capacities)).toBe(700);
    expect(rateFor(null, capacities)).toBe(400);
  });
  test('is refused beyond nine tenths of what the slower side manages', () => {
    expect(() => rateFor(721, capacities)).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ code: 'rate_too_high' }) }),
    );
  });
});
