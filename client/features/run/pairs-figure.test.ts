/** Protects the differences over time: where they stand, and what setting windows aside does to them. */

import { describe, expect, test } from 'vitest';
import type { Window } from '../../../shared/kinds/comparison/block.ts';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { sampleCpu } from '../../../shared/testing/sample-metric.ts';
import { machineView, pairsInWords, pairsView } from './pairs-figure.tsx';

const labels = { baseline: 'HTTP', comparison: 'HTTPS' };
const cpu: MetricComparison = {
  ...sampleCpu,
  ratio: { center: 1.21, lo: 1.2, hi: 1.22 },
  twinRatio: { center: 1, lo: 0.991, hi: 1.011 },
  pairs: [
    { block: 0, atMs: 10_000, value: 1.2, twinValue: 0.99 },
    { block: 0, atMs: 15_000, value: 1.25, twinValue: 1, aside: true },
    { block: 2, atMs: 20_000, value: 0.98, twinValue: null },
  ],
};

function documentOf(comparison: MetricComparison) {
  return { metrics: [comparison] } as unknown as RunDocument;
}

describe('differences over time', () => {
  test('stand where their sample began, beside the twin', () => {
    const view = pairsView(documentOf(cpu), 'cpu_at_load');
    expect(view?.points).toEqual([
      { number: 1, seconds: 10, value: expect.closeTo(0.2), twinValue: expect.closeTo(-0.01) },
      { number: 3, seconds: 20, value: expect.closeTo(-0.02), twinValue: null },
    ]);
  });

  test('are counted in words', () => {
    const view = pairsView(documentOf(cpu), 'cpu_at_load');
    if (view === null) throw new Error('the metric has pairs');
    expect(pairsInWords(view, labels)).toBe(
      'HTTPS is above HTTP in 1 of 2 samples; the control of HTTP lies between −0.9 % and +1.1 %, which is noise',
    );
  });

  test('show the samples that were set aside, when asked to', () => {
    const view = pairsView(documentOf(cpu), 'cpu_at_load', { all: true });
    expect(view?.points.map(({ value }) => value)).toEqual([
      ...[expect.closeTo(0.2), expect.closeTo(0.25), expect.closeTo(-0.02)],
    ]);
  });

  test('say what setting aside changed', () => {
    const ratioOfAll = { center: 1.2, lo: 1.17, hi: 1.23 };
    const view = pairsView(documentOf({ ...cpu, ratioOfAll }), 'cpu_at_load');
    expect(view?.settingAside).toBe('95 % CI +20.0 to +22.0 %; with nothing discarded +17.0 to +23.0 %');
  });

  test('in a unit have no percent and no band', () => {
    const growth: MetricComparison = {
      ...cpu,
      id: 'memory_growth',
      unit: 'bytes',
      ratio: null,
      twinRatio: null,
      pairs: [{ block: 0, atMs: 0, value: 2_500_000, twinValue: 0 }],
    };
    const view = pairsView(documentOf(growth), 'memory_growth');
    expect(view?.band).toBeNull();
    expect(view?.print(2_500_000)).toBe('+2.5 MB');
  });

  test('are not shown of a refused metric', () => {
    expect(pairsView(documentOf({ ...cpu, outcome: 'refused' }), 'cpu_at_load')).toBeNull();
  });
});

/** Protects the band of what the machine did, window by window, beside the shares that were set aside. */

function window(startedAtMs: number, change: Partial<Window> = {}): Window {
  return {
    startedAtMs,
    elapsedMs: 200,
    stealRatio: 0.02,
    foreignRatio: 0.1,
    aside: false,
    arms: {},
    ...change,
  } as Window;
}

function documentOfView(...blocks: Window[][]): Pick<RunDocument, 'blocks'> {
  return {
    blocks: blocks.map((windows, index) => ({ index, launch: index, windows, slots: [] })),
  } as unknown as Pick<RunDocument, 'blocks'>;
}

describe('what the machine did', () => {
  const view = machineView(
    documentOfView([window(1000), window(1200, { stealRatio: 0.4, aside: true })], [], [window(5000)]),
  );

  test('is a level for each window, parted where blocks end', () => {
    expect(view?.steal?.map(({ x, y }) => [x, y])).toEqual([
      [1, 0.02],
      [1.2, 0.02],
      [1.2, 0.4],
      [1.4, 0.4],
      [1.4, Number.NaN],
      [5, 0.02],
      [5.2, 0.02],
      [5.2, Number.NaN],
    ]);
    expect(view?.endS).toBe(6);
  });

  test('has the share of each block that was set aside', () => {
    expect(view?.aside.slice(0, 2)).toEqual([
      { x: 1, y: 0.5 },
      { x: 1.4, y: 0.5 },
    ]);
    expect(view?.blocks).toMatchObject([
      { block: 1, launch: 1, windows: { measured: 2, aside: 1 }, steal: expect.closeTo(0.21) },
      { block: 3, launch: 3, windows: { measured: 1, aside: 0 } },
    ]);
  });

  test('draws means of several windows in a long run', () => {
    const many = Array.from({ length: 500 }, (_, index) =>
      window(index * 200, { stealRatio: index % 2 === 0 ? 0.1 : 0.3 }),
    );
    const long = machineView(documentOfView(many));
    expect(long?.merged).toBe(2);
    expect(long?.steal).toHaveLength(501);
    expect(long?.steal?.[0]?.y).toBeCloseTo(0.2);
    expect(long?.steal?.[1]?.x).toBeCloseTo(0.4);
  });

  test('is said in words', () => {
    expect(view?.words).toBe(
      'Of the machine’s CPU, the hypervisor took 15 %, other programs took 10 %; 33 % of readings discarded',
    );
  });

  test('leaves out what the platform does not tell', () => {
    const blind = machineView(documentOfView([window(0, { stealRatio: null, foreignRatio: null })]));
    expect(blind).toMatchObject({ steal: null, foreign: null });
    expect(blind?.words).toBe('Machine load could not be read; no readings discarded');
  });

  test('is absent from runs without windows', () => {
    expect(machineView(documentOfView([], []))).toBeNull();
  });
});
