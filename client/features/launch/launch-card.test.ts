/** Protects the strip on the launch card: what it says of the machine, and no promise that nobody measured. */
import { expect, test } from 'vitest';
import type { Machine } from '../../../shared/results/summary.ts';
import { machineInWords } from './launch-card.tsx';

const machine: Machine = {
  ...{ overS: 10, stealRatio: 0, foreignRatio: 0.001, measuring: false },
  expected: (['first', 'quote', 'fine'] as const).map((length) => ({
    ...{ target: 'managed', length, seconds: 20, runs: 0, between: 0.032 },
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
  [{ measuring: true, foreignRatio: null }, 'A measurement is running, so this one will wait.'],
])('of %j it says %s', (change, sentence) => {
  expect(machineInWords({ ...machine, ...change }, 'first', 'managed')).toBe(sentence);
});

test('where runs differ by more than the length asks for, it offers several runs', () => {
  expect(machineInWords(machine, 'quote', 'managed')).toBe(
    'This machine was quiet in the last 10 s. Runs differ by about ±3.2 %. A longer run does not narrow that; three runs do, to about ±1.8 %.',
  );
  expect(machineInWords(machine, 'quote', 'storefront')).toBe('This machine was quiet in the last 10 s.');
});
