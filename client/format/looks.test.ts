/** Protects the direction of an overhead, and a word and an icon of its own for every outcome. */
import { describe, expect, test } from 'vitest';
import { lookOfOutcome } from './looks.ts';

describe('an overhead', () => {
  test('is more of what should be low, or less of what should be high', () => {
    expect(lookOfOutcome('overhead', 0.2, 'lower')).toMatchObject({ word: 'Costs more', icon: 'up' });
    expect(lookOfOutcome('overhead', -0.2, 'higher')).toMatchObject({ word: 'Costs more', icon: 'up' });
  });
  test('costs less when HTTPS does better', () => {
    expect(lookOfOutcome('overhead', -0.2, 'lower').word).toBe('Costs less');
    expect(lookOfOutcome('overhead', 0.2, 'higher').word).toBe('Costs less');
  });
  test('has a color and an arrow for either direction', () => {
    const [more, less] = [0.2, -0.2].map((shift) => lookOfOutcome('overhead', shift, 'lower'));
    expect(more?.tone).not.toBe(less?.tone);
    expect(more?.icon).not.toBe(less?.icon);
  });
});

test('a difference that is too small to matter is named with its limit', () => {
  expect(lookOfOutcome('no_overhead', 0.01, 'lower', 0.025).word).toBe('Within ±2.5 %');
  expect(lookOfOutcome('no_overhead', 0.01, 'lower').word).toBe('Within ±5 %');
});

test('every outcome has its own word and its own icon', () => {
  const looks = (['overhead', 'no_overhead', 'inconclusive', 'not_tested', 'refused'] as const).map(
    (outcome) => lookOfOutcome(outcome, 0.1, 'lower'),
  );
  expect(new Set(looks.map(({ word }) => word)).size).toBe(5);
  expect(new Set(looks.map(({ icon }) => icon)).size).toBe(5);
});
