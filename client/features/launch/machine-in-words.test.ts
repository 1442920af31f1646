/** Protects the strip on the launch card: what it says of the machine, and no promise that nobody measured. */
import { expect, test } from 'vitest';
import type { Machine } from '../../../shared/measurement/machine.ts';
import { machineInWords } from './machine-in-words.ts';

const machine: Machine = {
  ...{ overS: 10, stealRatio: 0, foreignRatio: 0.001, measuring: false },
  expected: [
    { preset: 'quick', halfWidth: 0.06, runs: 5 },
    { preset: 'standard', halfWidth: 0.015, runs: 0 },
  ],
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
  expect(machineInWords({ ...machine, ...change }, 'quick')).toBe(
    `${sentence} Expect ±6.0 % from Quick, as in the last 5 runs here.`,
  );
});

test('what was measured elsewhere is a guess, and none for a machine that is busy', () => {
  expect(machineInWords(machine, 'standard')).toContain(
    'Expect about ±1.5 % from Standard, as on other quiet',
  );
  expect(machineInWords({ ...machine, stealRatio: 0.18 }, 'standard')).toContain(
    'Expect wider than ±1.5 % from Standard, which is for a quiet machine.',
  );
  expect(machineInWords(machine, 'thorough')).toBe('This machine was quiet in the last 10 s.');
});
