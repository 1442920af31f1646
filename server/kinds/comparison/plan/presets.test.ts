/** Protects the presets: what they plan, and what their cards promise. */
import { describe, expect, test } from 'vitest';
import { presetCardSchema } from '../../../../shared/api.ts';
import { planSchema, presetSchema } from '../../../../shared/load-profile.ts';
import { runRequestSchema } from '../../../../shared/run.ts';
import { blocksThatFit, runS } from './plan-duration.ts';
import { planFor, presetCards } from './presets.ts';

const presets = presetSchema.options;
const planOf = (preset: (typeof presets)[number]) =>
  planFor(
    runRequestSchema.parse({ preset, connections: 16, connectionPolicy: 'connection-per-request' }),
    99,
  );

describe.each(presets)('the preset %s', (preset) => {
  test('makes a plan with what was asked for', () => {
    const plan = planSchema.parse(planOf(preset));
    expect(plan).toMatchObject({
      preset,
      seed: 99,
      connections: 16,
      connectionPolicy: 'connection-per-request',
      ratePerS: null,
    });
  });
  test('ends within the time on its card', () => {
    const card = presetCards.find((each) => each.preset === preset);
    const plan = planOf(preset);
    expect(runS(plan, plan.blocksPerPoint.maximum)).toBeLessThanOrEqual(card?.maximumS ?? 0);
    expect(card?.expectedS).toBeLessThanOrEqual(card?.maximumS ?? 0);
  });
  test('has a card that the API can send', () => {
    expect(presetCardSchema.parse(presetCards.find((each) => each.preset === preset)).preset).toBe(preset);
  });
  test('leaves room to lose a block and still have an interval', () => {
    expect(planOf(preset).blocksPerPoint.minimum).toBeGreaterThan(6);
  });
});

test('a quick run ends within a minute', () => {
  const quick = planOf('quick');
  expect(runS(quick, quick.blocksPerPoint.maximum)).toBeLessThanOrEqual(60);
});

test('plans do not share their parts', () => {
  const [first, second] = [planOf('quick'), planOf('quick')];
  first.slots.steady.durationMs = 1;
  expect(second.slots.steady.durationMs).toBeGreaterThan(1);
});

test('slots of twice the length leave time for fewer blocks, never fewer than the least', () => {
  const plan = planOf('standard');
  const shapes = {
    steady: { durationMs: 2000, discardMs: 100 },
    maximum: { durationMs: 1000, discardMs: 100 },
  };
  expect(blocksThatFit(plan, plan.slots)).toBe(21);
  expect(blocksThatFit(plan, shapes)).toBe(12);
  expect(runS(plan, 12, shapes)).toBeLessThanOrEqual(250);
  expect(blocksThatFit(planOf('quick'), shapes)).toBe(7);
});
