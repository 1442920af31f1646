/** Protects what is said of cores: threads of one core are named, as they slow each other. */
import { expect, test } from 'vitest';
import { describePlacement } from './at-load.ts';

test.each([
  [null, 'Generator and target were not pinned to cores.'],
  [{ generator: [1], target: [0] }, 'Generator on core 1, target on core 0.'],
  [{ generator: [2, 3], target: [0, 1], siblings: false }, 'Generator on cores 2, 3, target on cores 0, 1.'],
  [
    { generator: [1], target: [0], siblings: true },
    'Generator on core 1, target on core 0. They are two threads of one core, so each slows the other.',
  ],
  [
    { generator: [3], target: [0, 1], siblings: true },
    'Generator on core 3, target on cores 0, 1. Some of them are threads of one core, so each slows the other.',
  ],
])('%j', (placement, sentence) => {
  expect(describePlacement(placement)).toBe(sentence);
});
