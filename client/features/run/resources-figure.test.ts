/** Protects the chart of CPU and memory: which slots it draws, and that it is left out where there are none. */

import { describe, expect, test } from 'vitest';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { launchesInWords, launchesView, resourcesView } from './resources-figure.tsx';

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

/** Protects what each launch of a run says, which shows whether the processes agree. */

const launch = (index: number, center: number) => ({
  launch: index,
  ratio: { center, lo: center - 0.01, hi: center + 0.01 },
  twinRatio: index === 0 ? 0.998 : null,
});
const cpu: MetricComparison = {
  ...{ id: 'cpu_at_load', unit: 'us', baseline: null, comparison: null, delta: null },
  ratio: { center: 1.21, lo: 1.18, hi: 1.24 },
  twinRatio: { center: 1, lo: 0.991, hi: 1.011 },
  ratioOfAll: null,
  launches: [launch(0, 1.2), launch(1, 1.22)],
  ...{ outcome: 'overhead', reasons: [], pairs: [] },
};

describe('launch by launch', () => {
  test('each launch has its interval and its twin', () => {
    const view = launchesView({ metrics: [cpu] }, 'cpu_at_load');
    expect(view?.launches.map(({ name, nullChange }) => [name, nullChange])).toEqual([
      ['Start 1', expect.closeTo(-0.002)],
      ['Start 2', null],
    ]);
    expect(view?.launches[0]?.change.lo).toBeCloseTo(0.19);
  });

  test('it is said in words over how many', () => {
    const view = launchesView({ metrics: [cpu] }, 'cpu_at_load');
    if (view === null) throw new Error('the metric has launches');
    expect(launchesInWords(view, { baseline: 'HTTP', comparison: 'HTTPS' })).toBe(
      'HTTPS is above HTTP in 2 of 2 starts; over all, 95 % CI +18.0 to +24.0 %; control of HTTP −0.9 to +1.1 %',
    );
  });

  test('a refused metric, a difference and a run of blocks have none', () => {
    const gone: Partial<MetricComparison>[] = [{ outcome: 'refused' }, { ratio: null }, { launches: [] }];
    for (const change of gone) {
      expect(launchesView({ metrics: [{ ...cpu, ...change }] }, 'cpu_at_load')).toBeNull();
    }
  });
});
