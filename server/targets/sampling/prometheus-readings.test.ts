/** Protects how the steps of a counter are learned: seconds, ticks, microseconds, and figures that an exporter keeps for a while. */
import { expect, test } from 'vitest';
import { CounterSteps } from './prometheus-readings.ts';

/** A counter that is read after each of 40 turns of 7.3 ms of CPU. */
function learn(shown: (cpuUs: number) => number): CounterSteps {
  const steps = new CounterSteps();
  for (let turn = 1; turn <= 40; turn++) {
    const [before, after] = [shown((turn - 1) * 7301), shown(turn * 7301)];
    steps.sawWork(after - before);
  }
  return steps;
}

test.each([
  ['microseconds', 1, (us: number) => us],
  ['sums that end in noise', 1, (us: number) => us + 1e-4 * Math.sin(us)],
  ['ticks of 10 ms', 10_000, (us: number) => Math.floor(us / 1e4) * 1e4],
  ['tenths of a second', 100_000, (us: number) => Math.floor(us / 1e5) * 1e5],
])('%s', (_, stepUs, shown) => {
  expect(learn(shown).stepUs).toBe(stepUs);
});

test('a counter that is kept for ten turns moves by all of them', () => {
  const kept = (us: number) => Math.floor(us / 73_010) * 73_010;
  expect(learn(kept).stepUs).toBe(73_010);
});

test('of a counter that did not move nothing is known', () => {
  expect(learn(() => 0).stepUs).toBeNull();
});

test('idle stretches without a change say nothing about its steps', () => {
  const steps = new CounterSteps();
  for (const gain of [0, 0, 0, 0, 1234, 0, 5678]) steps.saw(gain);
  expect(steps.stepUs).toBe(1);
});
