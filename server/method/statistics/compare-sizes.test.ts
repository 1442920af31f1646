/** Protects what HTTPS adds by size: to a request, to a byte, and from which size on it is little. */
import { describe, expect, test } from 'vitest';
import type { LineTerms } from '../../../shared/kinds/sizes/size-line.ts';
import { type SizeSimulation, simulateSizes } from '../../testing/simulated-sizes.ts';
import { compareSizes } from './compare-sizes.ts';
import { fitSizes } from './fit-sizes.ts';

const plain = { offsetUs: 100, usPerByte: 0.008, recordUs: null };
const straight = { offsetUs: 150, usPerByte: 0.01, recordUs: null };
/** Enough for a simulation. */
const few = [1000, 4000, 10_000, 16_000, 20_000, 40_000, 60_000, 100_000];
const stepped = { offsetUs: 130, usPerByte: 0.01, recordUs: 32.768 };

function compare(simulation: SizeSimulation & { secure: LineTerms }) {
  const tables = simulateSizes({ plain, ...simulation });
  const [http, https] = [
    fitSizes(tables.plain, { encrypted: false }),
    fitSizes(tables.secure, { encrypted: true }),
  ];
  if (http === null || https === null) throw new Error('no fit');
  const found = compareSizes({ table: tables.plain, fit: http }, { table: tables.secure, fit: https });
  if (found === null) throw new Error('nothing compared');
  return found;
}

describe('of exact data', () => {
  test('straight lines give ΔOffset, Δ(1/Rate) and the loss of rate exactly', () => {
    const { straight: lines, records } = compare({ seed: 1, secure: straight });
    expect(lines).toMatchObject({ form: 'straight', holds: true });
    expect(lines.offsetUs.center).toBeCloseTo(50, 8);
    expect(lines.usPerByte.center).toBeCloseTo(0.002, 12);
    // 100 · (1 − (1/0.01)/(1/0.008)) = 20.
    expect(lines.rateLossPercent?.center).toBeCloseTo(20, 8);
    expect(records).toBeNull();
  });

  test('with records a request has one of them, and a byte its share', () => {
    const { records } = compare({ seed: 1, secure: stepped });
    expect(records).toMatchObject({ form: 'records', holds: true });
    expect(records?.offsetUs.center).toBeCloseTo(62.768, 7);
    expect(records?.usPerByte.center).toBeCloseTo(0.004, 11);
    expect(records?.rateLossPercent?.center).toBeCloseTo(100 * (1 - 0.008 / 0.012), 7);
  });

  test('sizes are compared one by one', () => {
    const { points } = compare({ seed: 1, secure: straight });
    expect(points).toHaveLength(24);
    expect(points[9]?.size).toBe(10_000);
    expect(points[9]?.ratio.center).toBeCloseTo(250 / 180, 10);
    expect(points[9]?.deltaUs.center).toBeCloseTo(70, 9);
  });

  test('crossovers lie within the sizes', () => {
    const { crossovers } = compare({ seed: 1, secure: straight });
    const bytes = crossovers.map(({ percent, bytes }) => [
      percent,
      bytes === null ? null : Math.round(bytes),
    ]);
    // 150 + 0.01 S < (1 + q)(100 + 0.008 S): never below 25 %, below 50 % from the first size on.
    expect(bytes).toEqual([
      [5, null],
      [10, null],
      [20, null],
      [50, 1000],
      [100, 1000],
    ]);
    expect(crossovers.map(({ by }) => by)).toEqual(Array(5).fill('line'));
    const equalRates = compare({ seed: 1, secure: { ...straight, usPerByte: 0.008 } });
    expect(equalRates.crossovers[1]?.bytes).toBeCloseTo(50_000, 3);
  });
});

describe('of noisy sweeps', () => {
  test('90 to 99 % of the intervals hold the truth, whatever both arms share', () => {
    const runs = 150;
    const held = { offsetUs: 0, usPerByte: 0, loss: 0, ratio: 0 };
    const byLine: Interval[] = [];
    for (let seed = 0; seed < runs; seed++) {
      const secure = { offsetUs: 150, usPerByte: 0.0085, recordUs: null };
      const found = compare({ seed, secure, sizes: few, ofRound: 0.15, ofPoint: 0.01 });
      if (holds(found.straight.offsetUs, 50)) held.offsetUs++;
      if (holds(found.straight.usPerByte, 0.0005)) held.usPerByte++;
      if (holds(found.straight.rateLossPercent, 100 * (1 - 0.008 / 0.0085))) held.loss++;
      if (holds(found.points[2]?.ratio ?? null, 235 / 180)) held.ratio++;
      const crossover = found.crossovers[2];
      if (crossover?.by === 'line') byLine.push(crossover.interval);
    }
    for (const [of, count] of Object.entries(held)) expectShare(count / runs, of);
    // One of two true lines is refused in about 10 %.
    expect(byLine.length).toBeGreaterThanOrEqual(0.85 * runs);
    // 150 + 0.0085 S = 1.2 · (100 + 0.008 S) at 30 ÷ 0.0011.
    const crossed = byLine.filter((interval) => holds(interval, 30 / 0.0011));
    expectShare(crossed.length / byLine.length, 'crossover');
  });

  test('what slows a round for both arms moves no ratio', () => {
    const quiet = compare({ seed: 3, secure: straight, ofPoint: 0.01 });
    const drifting = compare({ seed: 3, secure: straight, ofPoint: 0.01, ofRound: 0.5 });
    for (const [index, { ratio }] of quiet.points.entries()) {
      expect(drifting.points[index]?.ratio.lo).toBeCloseTo(ratio.lo, 10);
      expect(drifting.points[index]?.ratio.hi).toBeCloseTo(ratio.hi, 10);
    }
  });

  test('where a line is refused the measured sizes tell the crossover, its interval by their ends', () => {
    const tables = simulateSizes({ seed: 2, plain, secure: straight, ofPoint: 0.01 });
    const us = tables.secure.us.map((round) => round.map((time, size) => (size === 15 ? 2 * time : time)));
    const secure = { ...tables.secure, us };
    const [http, https] = [
      fitSizes(tables.plain, { encrypted: false }),
      fitSizes(secure, { encrypted: true }),
    ];
    if (http === null || https === null) throw new Error('no fit');
    const found = compareSizes({ table: tables.plain, fit: http }, { table: secure, fit: https });
    expect(found?.straight.holds).toBe(false);
    expect(found?.crossovers[3]).toEqual({
      ...{ percent: 50, by: 'sizes', bytes: 17_000 },
      interval: { lo: 17_000, hi: 17_000 },
    });
    expect(found?.crossovers[0]).toEqual({ percent: 5, by: 'sizes', bytes: null, interval: null });
  });
});

type Interval = { lo: number; hi: number } | null;

function holds(interval: Interval, truth: number): boolean {
  return interval !== null && interval.lo <= truth && truth <= interval.hi;
}

function expectShare(share: number, of: string): void {
  expect(share, of).toBeGreaterThanOrEqual(0.9);
  expect(share, of).toBeLessThanOrEqual(0.99);
}
