/** Protects the lengths: what they plan and what they refuse. */
import { describe, expect, test } from 'vitest';
import { planSchema } from '../../../shared/kinds/comparison/load-profile.ts';
import { lengthNames } from '../../../shared/kinds/comparison/options.ts';
import { type RunRequestInput, runRequestSchema } from '../../../shared/kinds/comparison/run-request.ts';
import { capsSchema } from '../../../shared/target/target.ts';
import { runS } from './plan-duration.ts';
import { planFor } from './run-plan.ts';

const planOf = (asked: RunRequestInput) => planFor(runRequestSchema.parse(asked), 99, { cores: 12 });
const standing = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' };

describe.each(lengthNames)('the length %s', (length) => {
  test('makes a plan with what was asked for', () => {
    const asked = { users: 16, connectionPolicy: 'connection-per-request', tolerance: 0.02 } as const;
    const plan = planSchema.parse(planOf({ length, ...asked }));
    expect(plan).toMatchObject({ length, seed: 99, ...asked, ratePerS: null });
  });
  test('has two launches at least, or enough epochs of the one that stands', () => {
    expect(planOf({ length }).launches.minimum).toBeGreaterThanOrEqual(2);
    const { launches, epochs } = planOf({ length, target: standing });
    expect(launches).toEqual({ minimum: 1, maximum: 1 });
    expect(epochs.minimum).toBeGreaterThanOrEqual(4);
  });
});

test.each<[RunRequestInput, number, number | null]>([
  [{}, 60, null],
  [{ precision: 0.03 }, 240, null],
  [{ precision: 0.02 }, 240, 800],
  [{ precision: 0.01 }, 900, 800],
  [{ atMostS: 120 }, 120, null],
  [{ atMostS: 150 }, 150, 800],
  [{ length: 'fine', precision: 0.05 }, 900, 2400],
])('a tight precision or a long time has what a figure to quote has: %j', (asked, longestS, openMs) => {
  expect(planOf(asked)).toMatchObject({ longestS, openMs });
});

test('at least half of a first answer is measured', () => {
  for (const asked of [{}, { target: 'nginx' }, { target: standing }] as const) {
    const plan = planOf(asked);
    const launches = plan.launches.minimum;
    const epochs = launches === 1 ? plan.epochs.minimum : plan.epochs.maximum;
    const measuredS = (launches * epochs * (plan.maximumMs + plan.lockstepMs)) / 1000;
    expect(measuredS / runS(plan, launches)).toBeGreaterThanOrEqual(0.5);
  }
});

test('a first answer has open load only when a rate is asked for, and with it room for the ramp', () => {
  expect(planOf({}).openMs).toBeNull();
  expect(planOf({ ratePerS: 100 }).openMs).toBe(400);
  expect(planOf({ ratePerS: 100, rampMs: 300 }).openMs).toBe(700);
  expect(planOf({ length: 'quote' }).openMs).toBe(800);
});

test('launches that are asked for are all made, however long they take', () => {
  const plan = planOf({ launches: 20 });
  expect(plan.launches).toEqual({ minimum: 20, maximum: 20 });
  expect(plan.longestS).toBeCloseTo(runS(plan, 20), 9);
});

test('a single launch has enough epochs for an interval, whoever starts it', () => {
  expect(planOf({ launches: 1 }).epochs).toEqual(planOf({ target: standing }).epochs);
});

test('generator processes have equally many users, and at least as many as go in lockstep', () => {
  expect(planOf({ users: 9 }).generators).toBe(3);
  expect(planOf({ users: 8, pairUsers: 4 }).generators).toBe(2);
  expect(planOf({ users: 8 }).generators).toBe(4);
  expect(planOf({}).generators).toBe(4);
});

test.each([
  [{ target: standing, launches: 2 }, 'launches', 'A target that is already running'],
  [{ users: 2, pairUsers: 3 }, 'pairUsers', '3 users who alternate need as many users, but there are 2'],
  [{ users: 3, generators: 2 }, 'generators', '2 generator processes cannot share 3 users evenly'],
  [{ users: 8, findLoad: true }, 'findLoad', 'there is no load to find'],
  [{ atMostS: 12 }, 'atMostS', 'he shortest run of this takes about 28 s'],
] as [RunRequestInput, string, string][])(
  'what cannot be is refused with its field: %j',
  (asked, field, words) => {
    expect(() => planOf(asked)).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({
          code: 'invalid_request',
          detail: expect.stringContaining(words),
          errors: [expect.objectContaining({ field })],
        }),
      }),
    );
  },
);

test.each([
  { tolerance: 0 },
  { tolerance: 1.01 },
  { launches: 0 },
  { launches: 51 },
  { windowMs: 49 },
  { windowMs: 2001 },
  { pairUsers: 0 },
  { pairUsers: 65 },
])('what is out of range is no request: %j', (asked) => {
  expect(runRequestSchema.safeParse(asked).success).toBe(false);
});

test('plans do not share their parts', () => {
  const [first, second] = [planOf({}), planOf({})];
  first.warmUp.longestMs = 1;
  expect(second.warmUp.longestMs).toBeGreaterThan(1);
});

test('one process keeps the rate of another host, however many are asked for', () => {
  const permit = { host: 'staging.example.com', caps: capsSchema.parse({ requestsPerS: 2 }) };
  const request = runRequestSchema.parse({ target: standing, generators: 8 });
  expect(planFor(request, 99, { permit }).generators).toBe(1);
});

describe('load from other hosts', () => {
  const permitOf = (requestsPerS: number) => ({
    host: 'staging.example.com',
    caps: capsSchema.parse({ requestsPerS }),
  });
  const planFrom = (asked: RunRequestInput, permit: ReturnType<typeof permitOf> | null) =>
    planFor(runRequestSchema.parse({ target: standing, ...asked }), 99, { permit });

  test.each([
    [{ generatorHosts: 3 }, 100, 1],
    [{ generatorHosts: 2, users: 12 }, 10_000, 5],
    [{ generatorHosts: 2 }, 10_000, 4],
    [{ generatorHosts: 2, generators: 3 }, 100, 3],
    [{ generatorHosts: 8, generators: 3 }, 100, 1],
  ])('%j at %i requests per second is %i processes on each', (asked, requestsPerS, generators) => {
    const plan = planFrom({ users: 8, ...asked }, permitOf(requestsPerS));
    expect([plan.generators, plan.generatorHosts]).toEqual([generators, asked.generatorHosts]);
  });

  test('pods are planned as hosts are', () => {
    const { generators, generatorHosts, generatorPods } = planFrom({ generatorPods: 2 }, permitOf(100));
    expect({ generators, generatorHosts, generatorPods }).toEqual({
      ...{ generators: 1, generatorHosts: 2, generatorPods: 2 },
    });
  });

  test.each([
    ['hosts and pods', { generatorHosts: 2, generatorPods: 2 }, permitOf(100), /hosts or pods, not both/],
    ['a target on this machine', { generatorHosts: 2 }, null, /load a target on another host/],
    ['fewer users than hosts', { generatorHosts: 9 }, permitOf(100), /9 hosts need a user each/],
    ['a link', { generatorHosts: 2, link: '25ms' }, permitOf(100), /A link begins on this machine/],
  ] as const)('%s is refused', (_, asked, permit, message) => {
    expect(() => planFrom({ users: 8, ...asked }, permit)).toThrow(message);
  });
});
