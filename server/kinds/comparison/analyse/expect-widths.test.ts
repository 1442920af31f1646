/** Protects the interval that a run is expected to have: that of runs on this machine, else a typical one, never mixed. */
import { expect, test } from 'vitest';
import { expectWidths } from './expect-widths.ts';

const presets = [
  { preset: 'quick', detectable: 0.1 },
  { preset: 'standard', detectable: 0.03 },
] as const;

test('without runs, half of what the preset can detect is expected', () => {
  expect(expectWidths([], presets)).toEqual([
    { preset: 'quick', halfWidth: 0.05, runs: 0 },
    { preset: 'standard', halfWidth: 0.015, runs: 0 },
  ]);
});

test('runs of a preset say what to expect of it alone, the newest nine by their median', () => {
  const older = Array.from({ length: 5 }, () => ({ preset: 'quick' as const, halfWidth: 0.5 }));
  const newest = [0.02, 0.03, 0.09, 0.01, 0.04, 0.03, 0.03, 0.02, 0.05].map((halfWidth) => ({
    preset: 'quick' as const,
    halfWidth,
  }));
  expect(expectWidths([...newest, ...older], presets)).toEqual([
    { preset: 'quick', halfWidth: 0.03, runs: 9 },
    { preset: 'standard', halfWidth: 0.015, runs: 0 },
  ]);
});
