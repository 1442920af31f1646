/** Protects what the launch card promises: how quiet the machine is, and which length is enough. */
import { describe, expect, test } from 'vitest';
import type { Machine } from '../../../shared/results/summary.ts';
import { machineInWords, planEnough } from './plan-field.tsx';

const machine: Machine = {
  ...{ overS: 10, stealRatio: 0, foreignRatio: 0.001, cores: 2, programs: null, holder: null },
  expected: (['first', 'quote', 'fine'] as const).map((length) => ({
    ...{ target: 'managed', length, seconds: 20, runs: 0, between: 0.032, halfWidth: 0.059 },
  })),
};

test.each<[Partial<Machine>, string]>([
  [{}, 'This machine was quiet in the last 10 s.'],
  [{ stealRatio: 0.18 }, 'Other virtual machines took 18 % of this machine in the last 10 s.'],
  [
    { stealRatio: 0.18, foreignRatio: 0.031, overS: 4 },
    'Other virtual machines took 18 % and other programs 3.1 % of this machine in the last 4 s.',
  ],
  [{ overS: 0, stealRatio: null, foreignRatio: null }, 'Checking this machine.'],
  [{ holder: 'measurement', foreignRatio: null }, 'Another run is in progress, so this one will wait.'],
])('%j is described as: %s', (change, sentence) => {
  expect(machineInWords({ ...machine, ...change }, 'first', 'managed')).toBe(sentence);
});

test('if runs differ by more than the precision of the length, several runs are offered', () => {
  expect(machineInWords(machine, 'quote', 'managed')).toBe(
    'This machine was quiet in the last 10 s. Runs differ by about ±3.2 %. A longer run does not narrow that; three runs do, to about ±1.8 %.',
  );
  expect(machineInWords(machine, 'quote', 'storefront')).toBe('This machine was quiet in the last 10 s.');
});

describe('a length', () => {
  const expected = [
    { length: 'first', halfWidth: 0.05 },
    { length: 'quote', halfWidth: 0.02 },
    { length: 'fine', halfWidth: 0.01 },
  ] as const;

  test.each([
    [null, 'first', 'enough for differences above 10 %'],
    [0.75, 'first', '✓ enough: it was +75 % here'],
    [0.06, 'quote', '✓ enough: it was +6.0 % here'],
    [-0.06, 'quote', '✓ enough: it was −6.0 % here'],
    [0.01, 'quote', '✓ enough: it was +1.0 % here'],
    [0.045, 'quote', '✓ enough: it was +4.5 % here'],
  ] as const)('for an earlier difference of %s: %s is enough', (earlier, length, reason) => {
    expect(planEnough(expected, earlier)).toEqual({ length, reason });
  });

  test('is not promised to be enough on a machine that is too busy', () => {
    const wide = expected.map((each) => ({ ...each, halfWidth: 0.2 }));
    expect(planEnough(wide, 0.1)).toEqual({
      length: 'quote',
      reason: 'may not be enough: it was +10 % here',
    });
    expect(planEnough([], 0.1).length).toBe('first');
  });
});
