/** Protects which runs are continued: those of this machine and of the last 15 minutes, on the same processes. */
import { expect, test } from 'vitest';
import { samplePlan } from '../../../testing/sample-plan.ts';
import { sampleRun } from '../../../testing/sample-run.ts';
import type { EarlierRun } from '../../apparatus.ts';
import { findEarlier, planContinued, whyNotContinued } from './target-fit.ts';

const run = sampleRun();
const { blocks, environment } = run;
const facts = { ...run, cache: null } as unknown as EarlierRun['facts'];
const here = { ...environment, machine: 'one' };
const endedAt = Date.UTC(2026, 10, 27, 12);
const minute = 60_000;

const houseWith = (change: Partial<EarlierRun['environments']['before']> = {}) => ({
  earlier: async (id: string): Promise<EarlierRun> => ({
    ...{ id, startedAt: endedAt - minute, endedAt, facts, blocks },
    environments: { before: { ...here, ...change }, here },
  }),
});
const find = (house: object, now: number) => findEarlier(run.id, house as never, now);

test('a run of this machine and of the last 15 minutes is found, with what was kept of it', async () => {
  expect(await find(houseWith(), endedAt + 15 * minute)).toMatchObject({ id: run.id, blocks });
});

test.each<[object, number, RegExp]>([
  [houseWith(), endedAt + 15 * minute + 1, /more than 15 minutes ago/],
  [houseWith({ machine: 'two' }), endedAt, /another machine/],
  [houseWith({ openssl: '1.0.0' }), endedAt, /software of this machine has changed/],
  [{}, endedAt, /cannot read the earlier run/],
])('what rules it out is said: %#', async (house, now, why) => {
  await expect(find(house, now)).rejects.toMatchObject({
    problem: { code: 'not_continuable', detail: expect.stringMatching(why) },
  });
});

test('it has the shape of the earlier plan and time of its own', () => {
  const origins = { kind: 'origins' as const, http: 'http://127.0.0.1:1', https: 'https://127.0.0.1:2' };
  const single = { ...samplePlan, launches: { minimum: 1, maximum: 1 } };
  expect(planContinued(single, { target: origins, length: 'first', atMostS: null })).toEqual({
    ...single,
    longestS: 120,
  });
  expect(
    planContinued(samplePlan, { target: { kind: 'storefront' }, length: 'quote', atMostS: 90 }),
  ).toMatchObject({ launches: { minimum: 1, maximum: 50 }, longestS: 90 });
});

test('other TLS, another server, or another process makes it a run of its own', () => {
  const same = { before: [1, 2, 1], now: [1, 2, 1] };
  expect(whyNotContinued(facts, facts, same)).toBeNull();
  expect(whyNotContinued(facts, facts, { ...same, now: [1, 3, 1] })).toMatch(/has been restarted/);
  const sides = facts.preflight?.sides;
  if (sides?.comparison.tls == null) throw new Error('the sample has TLS');
  const older = { ...sides.comparison, tls: { ...sides.comparison.tls, protocol: 'TLSv1.2' } };
  const preflight = { ...facts.preflight, sides: { ...sides, comparison: older } } as typeof facts.preflight;
  expect(whyNotContinued(facts, { ...facts, preflight }, same)).toMatch(/negotiated differently/);
  const { atLoad: _, ...unloaded } = facts;
  expect(whyNotContinued(unloaded as typeof facts, facts, same)).toMatch(/found no load/);
});
