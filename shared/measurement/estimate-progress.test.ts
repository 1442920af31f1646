/** Protects the one estimate of how far a measurement is: by hand-derived times, never back, and whole at the end alone. */
import { expect, test } from 'vitest';
import { estimateProgress, type Position, partOf, shareOf } from './estimate-progress.ts';

const phases = [
  { name: 'preparing', seconds: 10, steps: 5 },
  { name: 'measuring', seconds: 80, steps: 4, rounds: 10 },
  { name: 'ending', seconds: 10 },
];
const at = (position: Partial<Position>) =>
  estimateProgress(phases, {
    ...{ phase: 'measuring', part: 0, elapsedS: 10, inPhaseS: 0, before: 0, told: 0 },
    ...position,
  });

test('it begins with nothing done and the seconds of all phases left', () => {
  expect(at({ phase: 'preparing', elapsedS: 0 })).toEqual({ fraction: 0, secondsLeft: 100 });
});

test('before a phase has a pace of its own, its plan counts down', () => {
  expect(at({ inPhaseS: 3, elapsedS: 13 })).toEqual({ fraction: 13 / 100, secondsLeft: 87 });
  // Longer than planned, and nothing is done yet.
  expect(at({ inPhaseS: 90, elapsedS: 100 }).secondsLeft).toBe(10);
});

test('then its own pace says what is left of it, and what comes after takes what was planned', () => {
  // A quarter took 40 s, so the rest takes 120.
  expect(at({ part: 0.25, inPhaseS: 40, elapsedS: 50 })).toEqual({ fraction: 50 / 180, secondsLeft: 130 });
});

test('a bar never goes back, and is whole when nothing is left', () => {
  expect(at({ part: 0.25, inPhaseS: 40, elapsedS: 50, told: 0.6 }).fraction).toBe(0.6);
  expect(at({ phase: 'ending', part: 1, inPhaseS: 12, elapsedS: 120 })).toEqual({
    ...{ fraction: 1, secondsLeft: 0 },
  });
});

test('no more is left than the time that ends it', () => {
  expect(at({ part: 0.5, inPhaseS: 400, elapsedS: 410, mostSecondsLeft: 30 }).secondsLeft).toBe(30);
});

test('one that went on starts where it was, and its pace is that of what it did since', () => {
  const [, measuring] = phases;
  if (measuring === undefined) throw new Error('there are three');
  const before = { rounds: 5, steps: 0 };
  expect(shareOf(measuring, before)).toBe(0.5);
  expect(partOf(measuring, before, before)).toBe(0);
  expect(partOf(measuring, { rounds: 7, steps: 2 }, before)).toBeCloseTo(0.5, 12);
  expect(partOf(measuring, { rounds: 10, steps: 0 }, before)).toBe(1);
  expect(at({ before: 0.5, elapsedS: 0 }).fraction).toBe(0.5);
});

test('a phase without rounds is as far as its steps, and one without steps has no part', () => {
  const part = (index: number, steps: number) =>
    partOf(phases[index] ?? { name: '', seconds: 0 }, { rounds: 10, steps }, { rounds: 0, steps: 0 });
  expect([part(0, 2), part(0, 9), part(2, 3)]).toEqual([0.4, 1, 0]);
});
