/** Protects what disturbed runs are held against: the quiet runs, and for a quiet run the other ones. */
import { expect, test } from 'vitest';
import type { VerdictOutcome } from '../../shared/kinds/comparison/comparison.ts';
import { type Condition, type DisturbedAttempt, printDisturbed, tallyDisturbed } from './disturbed-tally.ts';

const run = (
  condition: Condition,
  center: number,
  halfWidth: number,
  outcome: VerdictOutcome = 'overhead',
): DisturbedAttempt => ({
  planned: { condition },
  outcome: 'counted',
  observed: {
    seconds: 30,
    metrics: [
      {
        ...{ id: 'cpu_at_load', outcome },
        ratio: { center, lo: center - halfWidth, hi: center + halfWidth },
      },
    ],
  },
});

const refused: DisturbedAttempt = {
  ...{ planned: { condition: 'a build' }, outcome: 'refused', reason: 'too disturbed' },
};

const { rows, ends } = tallyDisturbed([
  run('quiet', 1.1, 0.05),
  run('quiet', 1.2, 0.15),
  run('a build', 1.05, 0.2),
  run('a build', 1.3, 0.1, 'refused'),
  refused,
]);
const cpuOf = (condition: Condition) =>
  rows.find((row) => row.condition === condition && row.metric === 'cpu_at_load');

test('a disturbed run agrees when its interval holds the mean of the quiet ones', () => {
  expect(cpuOf('a build')?.quiet).toBeCloseTo(Math.sqrt(1.1 * 1.2), 12);
  expect(cpuOf('a build')).toMatchObject({ agreeing: 1, intervals: 2, refused: 1 });
});

test('a quiet run is held against the others, not against itself', () => {
  // 1.2 is not in 1.05 to 1.15, 1.1 is in 1.05 to 1.35.
  expect(cpuOf('quiet')).toMatchObject({ agreeing: 1, intervals: 2 });
});

test('runs that did not finish are counted against the share that does', () => {
  expect(ends.find(({ condition }) => condition === 'a build')).toMatchObject({
    ...{ runs: 3, finished: 2, refused: 1, failed: 0, longestSeconds: 30 },
  });
  const text = printDisturbed(rows, ends);
  expect(text).toMatch(/^a build +2 of 3, 67 % \(9 to 99 %\) +1 +0 +30\.0 s +30\.0 s$/m);
  expect(text).toMatch(
    /^a build +Server CPU per transaction at load +14\.9 % +1 of 2, 50 % \(1 to 99 %\) +±15\.00 % +1 of 2$/m,
  );
});
