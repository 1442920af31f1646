/** Protects the machine's state in the bar: a level in a word, who is loudest, and that TLS Toll is counted apart. */
import { expect, test } from 'vitest';
import type { Machine } from '../../shared/results/summary.ts';
import { stateInWords } from './machine-state.tsx';

const quiet: Machine = {
  ...{ overS: 10, stealRatio: 0.001, foreignRatio: 0.02, cores: 2, holder: null, expected: [] },
  programs: {
    loudest: [
      { name: 'dockerd', share: 0.03 },
      { name: 'sshd', share: 0.01 },
      { name: 'cron', share: 0.006 },
    ],
    ours: 0.004,
  },
};

test('a quiet machine names the two loudest programs', () => {
  expect(stateInWords(quiet)).toEqual({
    level: 'Quiet',
    rest: '2 cores · loudest: dockerd 3.0 %, sshd 1.0 %',
  });
});

test('what others take decides the level, and TLS Toll stands apart', () => {
  const ours = { loudest: [], ours: 0.4 };
  expect(stateInWords({ ...quiet, programs: ours })).toEqual({
    level: 'Quiet',
    rest: '2 cores · TLS Toll 40 %',
  });
  expect(stateInWords({ ...quiet, foreignRatio: 0.1 }).level).toBe('Some load');
  expect(stateInWords({ ...quiet, foreignRatio: 0.1, stealRatio: 0.2 })).toMatchObject({
    level: 'Busy',
    rest: expect.stringContaining('other virtual machines 20 %'),
  });
});

test('nothing is said of a machine that was not looked at', () => {
  expect(stateInWords({ ...quiet, foreignRatio: null, programs: null }).level).toBe('Checking');
});
