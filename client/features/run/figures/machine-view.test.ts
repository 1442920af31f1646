/** Protects the band of what the machine did, window by window, beside the shares that were set aside. */
import { describe, expect, test } from 'vitest';
import type { Window } from '../../../../shared/kinds/comparison/block.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { machineView } from './machine-view.ts';

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

function documentOf(...blocks: Window[][]): Pick<RunDocument, 'blocks'> {
  return {
    blocks: blocks.map((windows, index) => ({ index, launch: index, windows, slots: [] })),
  } as unknown as Pick<RunDocument, 'blocks'>;
}

describe('what the machine did', () => {
  const view = machineView(
    documentOf([window(1000), window(1200, { stealRatio: 0.4, aside: true })], [], [window(5000)]),
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
    const long = machineView(documentOf(many));
    expect(long?.merged).toBe(2);
    expect(long?.steal).toHaveLength(501);
    expect(long?.steal?.[0]?.y).toBeCloseTo(0.2);
    expect(long?.steal?.[1]?.x).toBeCloseTo(0.4);
  });

  test('is said in words', () => {
    expect(view?.words).toBe(
      'Of the machine’s CPU, the hypervisor took 15 %, other programs took 10 %; 33 % of windows set aside',
    );
  });

  test('leaves out what the platform does not tell', () => {
    const blind = machineView(documentOf([window(0, { stealRatio: null, foreignRatio: null })]));
    expect(blind).toMatchObject({ steal: null, foreign: null });
    expect(blind?.words).toBe('Machine load could not be read; no window set aside');
  });

  test('is absent from runs without windows', () => {
    expect(machineView(documentOf([], []))).toBeNull();
  });
});
