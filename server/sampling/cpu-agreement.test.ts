import { expect, test } from 'vitest';
import type { ResourceUse } from '../../shared/slot.ts';
import { cpuAgrees } from './cpu-agreement.ts';

function use(changes: Partial<ResourceUse>): ResourceUse {
  return {
    source: 'proc',
    wallUs: 1_000_000,
    cpuUs: 500_000,
    cpuTickUs: 500_000,
    cpuWitnessUs: null,
    rssPeakBytes: 0,
    memoryStartBytes: 0,
    memoryEndBytes: 0,
    diskReadBytes: null,
    diskWriteBytes: null,
    processes: 1,
    ...changes,
  };
}

test('ticks within two ticks and one percent agree', () => {
  expect(cpuAgrees(use({ cpuTickUs: 475_000 }))).toBe(true);
  expect(cpuAgrees(use({ cpuTickUs: 525_000 }))).toBe(true);
});

test('ticks further off do not', () => {
  expect(cpuAgrees(use({ cpuTickUs: 474_000 }))).toBe(false);
  expect(cpuAgrees(use({ cpuTickUs: 526_000 }))).toBe(false);
});

test('each process adds its own rounding', () => {
  expect(cpuAgrees(use({ cpuTickUs: 430_000, processes: 4 }))).toBe(true);
  expect(cpuAgrees(use({ cpuTickUs: 410_000, processes: 4 }))).toBe(false);
});

test('a witness must agree as well', () => {
  expect(cpuAgrees(use({ cpuWitnessUs: 510_000 }))).toBe(true);
  expect(cpuAgrees(use({ cpuWitnessUs: 540_000 }))).toBe(false);
});

test('with nothing to check against, nothing disagrees', () => {
  expect(cpuAgrees(use({ cpuTickUs: null }))).toBe(true);
});
