/** Protects the chart of CPU and memory: which slots it draws, and that it is left out where there are none. */
import { expect, test } from 'vitest';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { resourcesView } from './resources-view.ts';

function slot(arm: string, startedAtMs: number, cpuPercent: number, point = 'steady') {
  const curve = [0, 100].map((atMs) => ({ atMs, rssBytes: 1000, cpuPercent }));
  return { arm, startedAtMs, point, curve };
}

test('the steady slots of a side are one line in time, broken where others had their turn', () => {
  const blocks = [
    { slots: [slot('comparison', 2000, 40), slot('baseline', 1000, 30), slot('twin', 3000, 30)] },
    { slots: [slot('baseline', 500, 20), slot('baseline', 9000, 95, 'maximum')] },
  ] as unknown as RunDocument['blocks'];
  const view = resourcesView({ blocks });
  expect(view?.baseline.points.map(({ seconds, cpuPercent }) => [seconds, cpuPercent])).toEqual([
    [0.5, 20],
    [0.6, 20],
    [0.6, Number.NaN],
    [1, 30],
    [1.1, 30],
    [1.1, Number.NaN],
  ]);
  expect(view?.baseline.cpuPercent).toBe(25);
  expect(view?.comparison.cpuPercent).toBe(40);
});

test('a run without open load is drawn at the point that has curves', () => {
  const blocks = [
    { slots: [slot('comparison', 2000, 40, 'lockstep'), slot('baseline', 1000, 30, 'lockstep')] },
  ] as unknown as RunDocument['blocks'];
  expect(resourcesView({ blocks })?.point).toBe('lockstep');
});

test('without curves there is nothing to draw', () => {
  expect(resourcesView({ blocks: [] })).toBeNull();
});
