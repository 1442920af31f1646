/** Protects the one estimate of how far a measurement is: by hand-derived times, and what people see of it never goes back. */
import { expect, test } from 'vitest';
import {
  type Countdown,
  countDown,
  estimateSecondsLeft,
  type Position,
  partOf,
  shareOf,
} from './progress.ts';

const phases = [
  { name: 'preparing', seconds: 10, steps: 5 },
  { name: 'measuring', seconds: 80, steps: 4, rounds: 10 },
  { name: 'ending', seconds: 10 },
];
const left = (position: Partial<Position>) =>
  estimateSecondsLeft(phases, { phase: 'measuring', part: 0, inPhaseS: 0, ...position });

test('it begins with the seconds of all phases left', () => {
  expect(left({ phase: 'preparing' })).toBe(100);
});

test('before a phase has a pace of its own, its plan counts down', () => {
  expect(left({ inPhaseS: 3 })).toBe(87);
  // Longer than planned, and nothing is done yet.
  expect(left({ inPhaseS: 90 })).toBe(10);
});

test('then its own pace says what is left of it, and what comes after takes what was planned', () => {
  // A quarter took 40 s, so the rest takes 120.
  expect(left({ part: 0.25, inPhaseS: 40 })).toBe(130);
  expect(left({ phase: 'ending', part: 1, inPhaseS: 12 })).toBe(0);
});

test('a step uses its own time, and delays the end only by the time that it takes longer', () => {
  // Two rounds of ten have taken 8 s each; the third one is under way.
  const third = (inStepS: number) => left({ part: 0.2, next: 0.3, inPhaseS: 16 + inStepS, inStepS });
  expect([0, 5, 8, 20].map(third)).toEqual([64, 59, 56, 56].map((seconds) => seconds + 10));
});

test('one that went on starts where it was, and its pace is that of what it did since', () => {
  const [, measuring] = phases;
  if (measuring === undefined) throw new Error('there are three');
  const before = { rounds: 5, steps: 0 };
  expect(shareOf(measuring, before)).toBe(0.5);
  expect(partOf(measuring, before, before)).toBe(0);
  expect(partOf(measuring, { rounds: 7, steps: 2 }, before)).toBeCloseTo(0.5, 12);
  expect(partOf(measuring, { rounds: 10, steps: 0 }, before)).toBe(1);
  expect(countDown(null, 40, 0, 0.5)).toEqual({ fraction: 0.5, secondsLeft: 40, longerS: 0 });
});

test('a phase without rounds is as far as its steps, and one without steps has no part', () => {
  const part = (index: number, steps: number) =>
    partOf(phases[index] ?? { name: '', seconds: 0 }, { rounds: 10, steps }, { rounds: 0, steps: 0 });
  expect([part(0, 2), part(0, 9), part(2, 3)]).toEqual([0.4, 1, 0]);
});

/** Countdown that is shown for estimates that come every `sinceS` seconds. */
function follow(estimates: readonly number[], sinceS = 1): Countdown[] {
  let shown: Countdown | null = null;
  return estimates.map((estimateS) => {
    shown = countDown(shown, estimateS, sinceS);
    return shown;
  });
}

test('of an estimate that is right, the countdown is a clock', () => {
  const shown = follow([20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10]);
  expect(shown.at(-1)?.secondsLeft).toBeCloseTo(10, 9);
  expect(shown.at(-1)?.fraction).toBeCloseTo(0.5, 9);
  expect(follow([20, 10, 0]).at(-1)).toEqual({ fraction: 1, secondsLeft: 0, longerS: 0 });
});

test('a rather longer estimate slows it down instead of setting it back, and both end together', () => {
  const shown = follow([20, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 1, 0]);
  const seconds = shown.map(({ secondsLeft }) => secondsLeft);
  expect(seconds).toEqual(seconds.toSorted((a, b) => b - a));
  // By 20 of 26 of a second for each.
  expect(seconds[11]).toBeCloseTo((20 / 26) * 15, 9);
  expect(shown.every(({ longerS }) => longerS === 0)).toBe(true);
  expect(seconds.at(-1)).toBe(0);
});

test('a shorter estimate makes it fall faster', () => {
  expect(follow([20, 9]).at(-1)?.secondsLeft).toBeCloseTo(18, 9);
  expect(follow([20, 0.5]).at(-1)?.secondsLeft).toBeCloseTo(20 / 3, 9);
});

test('a plan that has really grown is shown at once, with how much, and the bar stays', () => {
  const shown = follow([20, 19, 60, 59]);
  expect(shown[2]).toMatchObject({ secondsLeft: 60 });
  expect(shown[2]?.longerS).toBeCloseTo(60 - 19 * (60 / 61), 9);
  expect(shown[3]?.secondsLeft).toBe(59);
  expect(shown[3]?.longerS).toBe(shown[2]?.longerS);
  const fractions = shown.map(({ fraction }) => fraction);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
});

test('whatever is estimated, time left only falls where the plan has not grown, nothing stands still, and no bar goes back', () => {
  let random = 12_345;
  const next = () => {
    random = (1_103_515_245 * random + 12_345) % 2 ** 31;
    return random / 2 ** 31;
  };
  for (let sequence = 0; sequence < 200; sequence++) {
    const estimates = Array.from({ length: 120 }, () => 240 * next() ** 3);
    let before: Countdown | null = null;
    for (const shown of follow(estimates)) {
      if (before !== null && shown.longerS === before.longerS) {
        expect(shown.secondsLeft).toBeLessThan(before.secondsLeft);
      }
      expect(shown.fraction).toBeGreaterThanOrEqual(before?.fraction ?? 0);
      expect(shown.fraction).toBeLessThanOrEqual(1);
      before = shown;
    }
  }
});
