/** Protects carry-over: what one arm leaves for the next is found in its size, and none is seen where there is none. */
import { expect, test } from 'vitest';
import type { Arm } from '../../../shared/base/transport.ts';
import { drawNormal } from '../../testing/draws.ts';
import { carryOverWidening, type OrderedWindow, orderEffectOf } from './order-effect.ts';
import { drawsOf, shuffle } from './random.ts';

const arms: Arm[] = ['baseline', 'comparison', 'twin'];
/** By themselves; the comparison costs 20 % more. */
const costs = { baseline: 100, comparison: 120, twin: 101 };

/** @param residue what the comparison leaves to the turn after it, whosever that is; the rest it pays in its own */
function simulate(seed: number, residue: number, launches = 2, windows = 60): OrderedWindow<Arm>[] {
  const draw = drawsOf(Math.imul(seed, 0x9e3779b1));
  const drawOrder = drawsOf(seed);
  return Array.from({ length: launches }, (_, launch) => {
    let before: Arm | null = null;
    return Array.from({ length: windows }, () => {
      const order = shuffle(arms, drawOrder);
      const disturbance = 0.1 * drawNormal(draw);
      const logCost = Object.fromEntries(
        order.map((arm, place) => {
          const previous = place === 0 ? before : order[place - 1];
          const paid =
            costs[arm] - (arm === 'comparison' ? residue : 0) + (previous === 'comparison' ? residue : 0);
          return [arm, Math.log(paid) + disturbance + 0.02 * drawNormal(draw)];
        }),
      );
      const window = { launch, before, order, logCost };
      before = order.at(-1) ?? null;
      return window;
    });
  }).flat();
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const seeds = (count: number) => Array.from({ length: count }, (_, seed) => seed + 1);

function logRatioOf(windows: readonly OrderedWindow<Arm>[]): number {
  return mean(
    windows.map(
      ({ logCost: { baseline = 0, comparison = 0, twin = 0 } }) => comparison - (baseline + twin) / 2,
    ),
  );
}

test('without carry-over about one run in a hundred is widened', () => {
  const effects = seeds(400).map((seed) => orderEffectOf(simulate(seed, 0, 2, 30), 'comparison'));
  const flagged =
    effects.filter((effect) => carryOverWidening(effect === null ? [] : [effect]) > 0).length /
    effects.length;
  expect(flagged).toBeGreaterThan(0);
  expect(flagged).toBeLessThan(0.025);
  expect(Math.abs(mean(effects.map((effect) => effect?.center ?? Number.NaN)))).toBeLessThan(0.0015);
});

test('a comparison that leaves 3 of its 120 µs to the next is found, and its ratio corrected to that of sides by themselves', () => {
  const runs = seeds(40).map((seed) => simulate(seed, 3));
  const effects = runs.map((run) => orderEffectOf(run, 'comparison'));
  expect(effects.filter((effect) => carryOverWidening(effect === null ? [] : [effect]) > 0).length).toBe(40);
  const seen = mean(runs.map(logRatioOf));
  const corrected = seen + mean(effects.map((effect) => effect?.center ?? Number.NaN));
  const truth = Math.log(120) - (Math.log(100) + Math.log(101)) / 2;
  expect(seen).toBeLessThan(truth - 0.03);
  expect(Math.abs(corrected - truth)).toBeLessThan(0.003);
  const [effect] = effects;
  expect(carryOverWidening(effect == null ? [] : [effect])).toBeCloseTo(
    Math.abs(effect?.center ?? 0) / 2,
    12,
  );
});

test('a comparison that never follows itself takes the effect of the baseline arms', () => {
  const broken = simulate(5, 3).map((window) => ({
    ...window,
    before: window.before === 'comparison' && window.order[0] === 'comparison' ? null : window.before,
  }));
  const effect = orderEffectOf(broken, 'comparison');
  expect(effect?.onComparison).toBeNull();
  expect(effect?.onBaseline).toBeCloseTo(0.03, 2);
});

test('an order that never changes, or hardly any windows, say nothing', () => {
  const fixed = simulate(3, 3).map((window) => ({ ...window, before: 'twin' as const, order: arms }));
  const effect = orderEffectOf(fixed, 'comparison');
  expect(effect).toBeNull();
  expect(orderEffectOf(simulate(3, 3).slice(0, 5), 'comparison')).toBeNull();
  expect(orderEffectOf([], 'comparison')).toBeNull();
  expect(carryOverWidening([])).toBe(0);
});
