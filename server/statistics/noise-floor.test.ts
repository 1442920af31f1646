/** Protects the noise floor, and the alarm when identical listeners differ. */
import { describe, expect, test } from 'vitest';
import { comparePaired, type PairedComparison } from './compare-paired.ts';
import { listenersDiffer, noiseFloor } from './noise-floor.ts';

function twinOf(changes: readonly number[]): PairedComparison {
  return comparePaired(
    changes.map((change) => ({ a: [100], b: [100 * (1 + change)] })),
    'ratio',
  );
}

describe('the noise floor', () => {
  test('is the far end of the twin’s interval', () => {
    expect(noiseFloor(twinOf([-0.03, -0.01, 0, 0.005, 0.01, 0.02]))).toBeCloseTo(0.03, 12);
    expect(noiseFloor(twinOf([-0.01, 0, 0.01, 0.02, 0.03, 0.04]))).toBeCloseTo(0.04, 12);
  });
  test('is never below 1 %', () => {
    expect(noiseFloor(twinOf([-0.001, 0, 0, 0.001, 0.002, 0.001]))).toBe(0.01);
  });
  test('is the minimum where the twin has no interval', () => {
    expect(noiseFloor(twinOf([0.3, 0.2]))).toBe(0.01);
  });
  test('of differences is in their unit', () => {
    const twin = comparePaired(
      [-4, -2, 0, 1, 3, 5].map((growth) => ({ a: [0], b: [growth] })),
      'difference',
    );
    expect(noiseFloor(twin, 1)).toBe(5);
    expect(noiseFloor(twin, 9)).toBe(9);
  });
});

describe('identical listeners differ', () => {
  const off = [0.03, 0.025, 0.028, 0.031, 0.027, 0.026, 0.033, 0.029];
  test('when eight blocks agree that one is more than the tolerance off, to either side', () => {
    expect(listenersDiffer(twinOf(off))).toBe(true);
    expect(listenersDiffer(twinOf(off.map((change) => -change)))).toBe(true);
  });
  test('but not on seven, which have no interval at 99 %', () => {
    expect(listenersDiffer(twinOf(off.slice(0, 7)))).toBe(false);
  });
  test('nor when the tolerance covers it, or one block says otherwise', () => {
    expect(listenersDiffer(twinOf(off), 0.99, 0.05)).toBe(false);
    expect(listenersDiffer(twinOf([-0.2, ...off.slice(1)]))).toBe(false);
  });
});
