/** Protects the line of a sweep over sizes: its figures by exact arithmetic, and what is known of them by simulation. */

import { describe, expect, test } from 'vitest';
import { chosenLine, type LineTerms, type SizeForm } from '../../../shared/kinds/sizes/sizes.ts';
import { type SizeSimulation, simulateSizes } from '../../testing/simulated-sizes.ts';
import { compareSizes, crossoverSize, fitSizeLine, fitSizes, type SizeTable } from './size-lines.ts';

/**
 * Reference values: normal equations solved with Python's `fractions` (no rounding before the last step), each
 * leave-one-round-out fit and each round's own fit likewise; t(0.975, 3) = 3.182446305284263; P(F > f) by the finite
 * binomial sum Σ C(11, j) xʲ(1 − x)¹¹⁻ʲ, j = 9…11, x = 18/(18 + 6f).
 */
const table: SizeTable = {
  sizes: [1000, 5000, 10_000, 17_000, 20_000, 40_000, 60_000, 80_000],
  us: [
    [110, 150, 203, 290, 330, 530, 771, 1010],
    [104, 148, 197, 281, 318, 522, 748, 986],
    [115, 158, 212, 300, 341, 551, 790, 1033],
    [107, 145, 204, 283, 322, 519, 757, 1001],
  ],
  weights: [10, 10, 20, 10].map((weight) => Array<number>(8).fill(weight)),
};

describe('by exact arithmetic', () => {
  test('the straight line', () => {
    const line = lineOf(table, 'straight');
    expectEstimate(line.offsetUs, 97.54311637720757, 9.472211804759407);
    expectEstimate(line.usPerByte, 0.011239579660513017, 0.0005077744541214711);
    expect(line.recordUs).toBeNull();
    expect(line.bytesPerMs?.center).toBeCloseTo(1000 / 0.011239579660513017, 6);
    expect(line.bytesPerMs?.hi).toBeCloseTo(1000 / (0.011239579660513017 - 0.0005077744541214711), 5);
    expect(line.rSquared).toBeCloseTo(0.9991127077262205, 12);
    expect(line.aicc).toBeCloseTo(-53.50775315606944, 9);
    expect(line.lackOfFit?.f).toBeCloseTo(19.035131971468985, 8);
    expect(line.lackOfFit?.degrees).toEqual([6, 18]);
    expect(line.lackOfFit?.pValue).toBeCloseTo(6.807091408931975e-7, 15);
    const percents = line.residuals.map(({ percent }) => Number(percent.toFixed(9)));
    expect(percents).toEqual([
      ...[1.286119748, -1.278665797, -2.110366237, 0.751041745],
      ...[2.441068527, -2.343116872, -0.093088175, 1.569278173],
    ]);
    expect(line.residuals[3]?.errorPercent).toBeCloseTo(0.1310237159763805, 10);
  });

  test('the line with records', () => {
    const line = lineOf(table, 'records');
    expectEstimate(line.offsetUs, 86.70482445704882, 7.630498294033568);
    expectEstimate(line.usPerByte, 0.010581716656239843, 0.00040033879672723283);
    expectEstimate(line.recordUs, 12.781642364686537, 5.054008447972948);
    expect(line.rSquared).toBeCloseTo(0.9994720109770596, 12);
    expect(line.aicc).toBeCloseTo(-48.32721136382377, 9);
    expect(line.lackOfFit?.f).toBeCloseTo(13.767999901660287, 8);
    expect(line.lackOfFit?.degrees).toEqual([5, 15]);
    expect(line.residuals[5]?.percent).toBeCloseTo(-2.566108829, 8);
    expect(line.residuals[5]?.errorPercent).toBeCloseTo(0.3271767198282248, 10);
  });
});

const plain = { offsetUs: 90, usPerByte: 0.004, recordUs: null };
const secure = { offsetUs: 120, usPerByte: 0.005, recordUs: 25 };

describe('a truth that is known', () => {
  test('is found exactly in exact data, which no line is refused for', () => {
    const exact = simulateSizes({ seed: 1, plain, secure });
    const [straight, records] = [lineOf(exact.plain, 'straight'), lineOf(exact.secure, 'records')];
    expect(straight.offsetUs.center).toBeCloseTo(90, 8);
    expect(straight.usPerByte.center).toBeCloseTo(0.004, 12);
    expect(straight.bytesPerMs?.center).toBeCloseTo(250_000, 4);
    expect(records.offsetUs.center).toBeCloseTo(120, 8);
    expect(records.recordUs?.center).toBeCloseTo(25, 8);
    expect(records.rSquared).toBeCloseTo(1, 12);
    expect([straight.refusals, records.refusals]).toEqual([[], []]);
    expect(straight.lackOfFit).toBeNull();
  });

  test.each([
    [5, 0.03],
    [12, 0.1],
  ])('is in 90 to 99 of 100 intervals over %i rounds that drift by %d', (rounds, ofRound) => {
    const runs = 200;
    const held = { offsetUs: 0, bytesPerMs: 0, recordUs: 0 };
    for (let seed = 0; seed < runs; seed++) {
      const { secure: noisy } = simulateSizes({ seed, plain, secure, rounds, ofRound, ofPoint: 0.03 });
      const line = lineOf(noisy, 'records');
      if (holds(line.offsetUs, 120)) held.offsetUs++;
      if (holds(line.bytesPerMs, 200_000)) held.bytesPerMs++;
      if (holds(line.recordUs, 25)) held.recordUs++;
    }
    for (const count of Object.values(held)) {
      expect(count).toBeGreaterThanOrEqual(0.9 * runs);
      expect(count).toBeLessThanOrEqual(0.99 * runs);
    }
  });

  test('is refused in about 5 % of the sweeps, drift or not; its F test fails as often', () => {
    const runs = 200;
    let refused = 0;
    let failed = 0;
    for (let seed = 0; seed < runs; seed++) {
      const { plain: noisy } = simulateSizes({ seed, plain, secure, ofRound: 0.05, ofPoint: 0.02 });
      const line = lineOf(noisy, 'straight');
      if (line.refusals.length > 0) refused++;
      if ((line.lackOfFit?.pValue ?? 1) < 0.05) failed++;
    }
    expect(refused).toBeLessThanOrEqual(0.1 * runs);
    expect(failed).toBeGreaterThanOrEqual(0.01 * runs);
    expect(failed).toBeLessThanOrEqual(0.1 * runs);
  });
});

describe('what cannot be fitted', () => {
  test('two rounds, and records that are one everywhere, have no line', () => {
    const { secure: short } = simulateSizes({ seed: 1, plain, secure, rounds: 2 });
    expect(fitSizeLine(short, 'straight')).toBeNull();
    const { secure: small } = simulateSizes({ seed: 1, plain, secure, sizes: [1000, 5000, 9000, 16_384] });
    expect(fitSizeLine(small, 'records')).toBeNull();
    expect(fitSizeLine(small, 'straight')).not.toBeNull();
  });

  test('a rate that may be any has none', () => {
    const flat = { offsetUs: 100, usPerByte: 0, recordUs: null };
    const { plain: noisy } = simulateSizes({ seed: 4, plain: flat, secure, ofPoint: 0.02 });
    expect(lineOf(noisy, 'straight').bytesPerMs).toBeNull();
  });
});

function lineOf(of: SizeTable, form: SizeForm) {
  const line = fitSizeLine(of, form);
  if (line === null) throw new Error('no line');
  return line;
}

type Interval = { center: number; lo: number; hi: number } | null;

function expectEstimate(estimate: Interval, center: number, reach: number): void {
  expect(estimate?.center).toBeCloseTo(center, 9);
  expect(estimate?.lo).toBeCloseTo(center - reach, 8);
  expect(estimate?.hi).toBeCloseTo(center + reach, 8);
}

function holds(estimate: Interval, truth: number): boolean {
  return estimate !== null && estimate.lo <= truth && truth <= estimate.hi;
}

/** Protects what HTTPS adds by size: to a request, to a byte, and from which size on it is little. */

const sizesPlain = { offsetUs: 100, usPerByte: 0.008, recordUs: null };
const straight = { offsetUs: 150, usPerByte: 0.01, recordUs: null };
/** Enough for a simulation. */
const few = [1000, 4000, 10_000, 16_000, 20_000, 40_000, 60_000, 100_000];
const stepped = { offsetUs: 130, usPerByte: 0.01, recordUs: 32.768 };

function compare(simulation: SizeSimulation & { secure: LineTerms }) {
  const tables = simulateSizes({ plain: sizesPlain, ...simulation });
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
    const byLine: SizesInterval[] = [];
    for (let seed = 0; seed < runs; seed++) {
      const secure = { offsetUs: 150, usPerByte: 0.0085, recordUs: null };
      const found = compare({ seed, secure, sizes: few, ofRound: 0.15, ofPoint: 0.01 });
      if (sizesHolds(found.straight.offsetUs, 50)) held.offsetUs++;
      if (sizesHolds(found.straight.usPerByte, 0.0005)) held.usPerByte++;
      if (sizesHolds(found.straight.rateLossPercent, 100 * (1 - 0.008 / 0.0085))) held.loss++;
      if (sizesHolds(found.points[2]?.ratio ?? null, 235 / 180)) held.ratio++;
      const crossover = found.crossovers[2];
      if (crossover?.by === 'line') byLine.push(crossover.interval);
    }
    for (const [of, count] of Object.entries(held)) expectShare(count / runs, of);
    // One of two true lines is refused in about 10 %.
    expect(byLine.length).toBeGreaterThanOrEqual(0.85 * runs);
    // 150 + 0.0085 S = 1.2 · (100 + 0.008 S) at 30 ÷ 0.0011.
    const crossed = byLine.filter((interval) => sizesHolds(interval, 30 / 0.0011));
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
    const tables = simulateSizes({ seed: 2, plain: sizesPlain, secure: straight, ofPoint: 0.01 });
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

type SizesInterval = { lo: number; hi: number } | null;

function sizesHolds(interval: SizesInterval, truth: number): boolean {
  return interval !== null && interval.lo <= truth && truth <= interval.hi;
}

function expectShare(share: number, of: string): void {
  expect(share, of).toBeGreaterThanOrEqual(0.9);
  expect(share, of).toBeLessThanOrEqual(0.99);
}

/** Protects the size from which HTTPS costs less than a given percentage. */

const range = { from: 1000, to: 100_000 };
const crossoverPlain = { offsetUs: 100, usPerByte: 0.01, recordUs: null };

describe('of straight lines', () => {
  // 150 + 0.01 S = 1.1 · (100 + 0.01 S) at S = 40,000.
  const secure = { offsetUs: 150, usPerByte: 0.01, recordUs: null };
  test('is where one line is a given multiple of the other', () => {
    expect(crossoverSize(crossoverPlain, secure, 0.1, range)).toBeCloseTo(40_000, 6);
  });
  test('is the smallest size where it is below everywhere', () => {
    expect(crossoverSize(crossoverPlain, secure, 0.6, range)).toBe(1000);
  });
  test('is none where it is still above at the largest', () => {
    expect(crossoverSize(crossoverPlain, secure, 0.04, range)).toBeNaN();
  });
  test('is none where a byte costs too much more, whatever an offset below that of http says', () => {
    const steep = { offsetUs: 90, usPerByte: 0.012, recordUs: null };
    expect(crossoverSize(crossoverPlain, steep, 0.1, range)).toBeNaN();
  });
});

describe('with records', () => {
  const secure = { offsetUs: 100, usPerByte: 0.01, recordUs: 20 };
  test('is inside a record, or where the one after a step begins', () => {
    // Two records cost 40 of 10 % of 100 + 0.01 S from S = 30,000; the third makes it 60, above until 50,000.
    expect(crossoverSize(crossoverPlain, secure, 0.1, { from: 1000, to: 32_768 })).toBeCloseTo(30_000, 6);
    expect(crossoverSize(crossoverPlain, secure, 0.1, { from: 1000, to: 32_769 })).toBeNaN();
    // From 98,305 on the seventh makes it 140, above 13 % of what 97,692 bytes take; six are 120, below from 82,308 on.
    expect(crossoverSize(crossoverPlain, secure, 0.13, range)).toBeCloseTo(82_307.69, 1);
  });
  test('is the last of several roots, one a record', () => {
    // 20 k − 15 − 0.0015 S = 0: the second record crosses at 16,666.67, no later one comes back up.
    expect(crossoverSize(crossoverPlain, secure, 0.15, range)).toBeCloseTo(16_666.67, 1);
  });
});

/** Protects which line a sweep over sizes uses, and that one which misses is refused. */

const sizesStraight = { offsetUs: 90, usPerByte: 0.004, recordUs: null };
const sizesStepped = { offsetUs: 90, usPerByte: 0.004, recordUs: 25 };
const noise = { ofRound: 0.03, ofPoint: 0.02 };

function tableOf(secure: LineTerms, seed = 1): SizeTable {
  return simulateSizes({ seed, plain: sizesStraight, secure, ...noise }).secure;
}

function fitOf(table: SizeTable, encrypted = true) {
  const fit = fitSizes(table, { encrypted });
  if (fit === null) throw new Error('no fit');
  return fit;
}

describe('the form', () => {
  test('with records is chosen where records cost something', () => {
    for (let seed = 0; seed < 20; seed++) expect(fitOf(tableOf(sizesStepped, seed)).chosen).toBe('records');
  });

  test('is the straight one where they do not, in nine sweeps of ten', () => {
    const seeds = Array.from({ length: 100 }, (_, seed) => seed);
    const wrong = seeds.filter((seed) => fitOf(tableOf(sizesStraight, seed)).chosen === 'records');
    expect(wrong.length).toBeLessThanOrEqual(10);
  });

  test('is the straight one in exact data, where both say the same', () => {
    const { plain } = simulateSizes({ seed: 1, plain: sizesStraight, secure: sizesStraight });
    expect(fitOf(plain).chosen).toBe('straight');
  });

  test('is the straight one without TLS, and where a record would cost less than nothing', () => {
    expect(fitOf(tableOf(sizesStepped), false)).toMatchObject({ chosen: 'straight', records: null });
    const fit = fitOf(tableOf({ ...sizesStepped, offsetUs: 150, recordUs: -25 }));
    expect(fit.records?.aicc).toBeLessThan(fit.straight.aicc ?? 0);
    expect(fit.chosen).toBe('straight');
  });
});

describe('a straight line through records', () => {
  const fit = fitOf(tableOf({ ...sizesStepped, recordUs: 80 }), false);

  test('is refused, with the size that it misses most', () => {
    expect(chosenLine(fit).refusals).toHaveLength(1);
    expect(chosenLine(fit).refusals[0]).toMatch(
      /^It misses \d+,000 bytes by \d\d\.\d % \(10 % is allowed\), and \d+ more sizes\.$/,
    );
    expect(fit.straight.lackOfFit?.pValue).toBeLessThan(1e-6);
  });

  test('gives way to one up to 16 KiB and one from 64 KiB on', () => {
    const sizes = fit.pieces.map(({ residuals }) => residuals.map(({ size }) => size));
    expect(sizes).toEqual([Array.from({ length: 16 }, (_, index) => 1000 * (index + 1)), [80_000, 100_000]]);
    expect(fit.pieces[0]?.refusals).toEqual([]);
    expect(fit.pieces[0]?.offsetUs.center).toBeCloseTo(170, -1);
  });

  test('holds where it misses nothing, and then has no pieces', () => {
    expect(fitOf(tableOf(sizesStraight), false)).toMatchObject({ pieces: [] });
  });
});

test('a miss of 7 % is refused once it is 4 standard errors, and not before; one of 3 % never', () => {
  const bent = ({ sizes, us }: SizeTable, factor: number): SizeTable => ({
    ...{ sizes, weights: null },
    us: us.map((round) => round.map((time, size) => time * (sizes[size] === 9000 ? factor : 1))),
  });
  const sizesOf = (factor: number, ofPoint: number) =>
    bent(
      simulateSizes({ seed: 3, plain: sizesStraight, secure: sizesStraight, rounds: 40, ofPoint }).plain,
      factor,
    );
  expect(fitOf(sizesOf(1.07, 0.15)).straight.refusals).toEqual([]);
  expect(fitOf(sizesOf(1.07, 0.005)).straight.refusals[0]).toMatch(
    /^It misses 9,000 bytes by [56]\.\d % \(\d\d\.\d standard errors; 3\.\d are allowed\)/,
  );
  expect(fitOf(sizesOf(1.03, 0.005)).straight.refusals).toEqual([]);
});

test('one disturbed visit widens what is known of its size, and does not refuse the line', () => {
  const { plain } = simulateSizes({ seed: 5, plain: sizesStraight, secure: sizesStraight, ofPoint: 0.005 });
  const us = plain.us.map((round, index) =>
    round.map((time, size) => (index === 7 && size === 11 ? 1.6 * time : time)),
  );
  const { straight: line } = fitOf({ ...plain, us });
  expect(line.residuals[11]?.percent).toBeGreaterThan(3);
  expect(line.refusals).toEqual([]);
  expect(line.lackOfFit?.pValue).toBeGreaterThan(0.05);
});
