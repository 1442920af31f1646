/** Protects the direction of an overhead, and a word and an icon of its own for every outcome. */
import { describe, expect, test } from 'vitest';
import { lookOfOutcome } from './looks.ts';

describe('an overhead', () => {
  test('is more of what should be low, or less of what should be high', () => {
    expect(lookOfOutcome('overhead', 0.2, 'lower')).toMatchObject({ word: 'Overhead', icon: 'up' });
    expect(lookOfOutcome('overhead', -0.2, 'higher')).toMatchObject({ word: 'Overhead', icon: 'down' });
  });
  test('is negative when HTTPS does better', () => {
    expect(lookOfOutcome('overhead', -0.2, 'lower').word).toBe('Negative overhead');
    expect(lookOfOutcome('overhead', 0.2, 'higher').word).toBe('Negative overhead');
  });
});

test('too little to matter is said with its limit, where that is known', () => {
  expect(lookOfOutcome('no_overhead', 0.01, 'lower', 0.025).word).toBe('Within 2.5 %');
  expect(lookOfOutcome('no_overhead', 0.01, 'lower').word).toBe('Within tolerance');
});

test('every outcome has its own word and its own icon', () => {
  const looks = (['overhead', 'no_overhead', 'inconclusive', 'not_tested', 'refused'] as const).map(
    (outcome) => lookOfOutcome(outcome, 0.1, 'lower'),
  );
  expect(new Set(looks.map(({ word }) => word)).size).toBe(5);
  expect(new Set(looks.map(({ icon }) => icon)).size).toBe(5);
});
