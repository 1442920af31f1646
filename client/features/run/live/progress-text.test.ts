import { expect, test } from 'vitest';
import { beginLiveRun } from './live-run.ts';
import { progressText } from './progress-text.ts';

test('the text counts blocks and guesses the time', () => {
  const run = { ...beginLiveRun('running'), blocksDone: 7, blocksPlanned: 12, secondsLeft: 41 };
  expect(progressText(run)).toBe('7 of 12 blocks, about 40 s left');
  expect(progressText({ ...run, secondsLeft: null })).toBe('7 of 12 blocks');
  expect(progressText(beginLiveRun('running'))).toBe('No blocks yet');
});
