/** Protects which line a sweep over sizes uses, and that one which misses is refused. */
import { describe, expect, test } from 'vitest';
import { chosenLine, type LineTerms } from '../../../shared/kinds/sizes/size-line.ts';
import { simulateSizes } from '../../testing/simulated-sizes.ts';
import { fitSizes } from './fit-sizes.ts';
import type { SizeTable } from './size-table.ts';

const straight = { offsetUs: 90, usPerByte: 0.004, recordUs: null };
const stepped = { offsetUs: 90, usPerByte: 0.004, recordUs: 25 };
const noise = { ofRound: 0.03, ofPoint: 0.02 };

function tableOf(secure: LineTerms, seed = 1): SizeTable {
  return simulateSizes({ seed, plain: straight, secure, ...noise }).secure;
}

function fitOf(table: SizeTable, encrypted = true) {
  const fit = fitSizes(table, { encrypted });
  if (fit === null) throw new Error('no fit');
  return fit;
}

describe('the form', () => {
  test('with records is chosen where records cost something', () => {
    for (let seed = 0; seed < 20; seed++) expect(fitOf(tableOf(stepped, seed)).chosen).toBe('records');
  });

  test('is the straight one where they do not, in nine sweeps of ten', () => {
    const seeds = Array.from({ length: 100 }, (_, seed) => seed);
    const wrong = seeds.filter((seed) => fitOf(tableOf(straight, seed)).chosen === 'records');
    expect(wrong.length).toBeLessThanOrEqual(10);
  });

  test('is the straight one in exact data, where both say the same', () => {
    const { plain } = simulateSizes({ seed: 1, plain: straight, secure: straight });
    expect(fitOf(plain).chosen).toBe('straight');
  });

  test('is the straight one without TLS, and where a record would cost less than nothing', () => {
    expect(fitOf(tableOf(stepped), false)).toMatchObject({ chosen: 'straight', records: null });
    const fit = fitOf(tableOf({ ...stepped, offsetUs: 150, recordUs: -25 }));
    expect(fit.records?.aicc).toBeLessThan(fit.straight.aicc ?? 0);
    expect(fit.chosen).toBe('straight');
  });
});

describe('a straight line through records', () => {
  const fit = fitOf(tableOf({ ...stepped, recordUs: 80 }), false);

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
    expect(fitOf(tableOf(straight), false)).toMatchObject({ pieces: [] });
  });
});

test('a miss of 7 % is refused once it is 4 standard errors, and not before; one of 3 % never', () => {
  const bent = ({ sizes, us }: SizeTable, factor: number): SizeTable => ({
    ...{ sizes, weights: null },
    us: us.map((round) => round.map((time, size) => time * (sizes[size] === 9000 ? factor : 1))),
  });
  const sizesOf = (factor: number, ofPoint: number) =>
    bent(simulateSizes({ seed: 3, plain: straight, secure: straight, rounds: 40, ofPoint }).plain, factor);
  expect(fitOf(sizesOf(1.07, 0.15)).straight.refusals).toEqual([]);
  expect(fitOf(sizesOf(1.07, 0.005)).straight.refusals[0]).toMatch(
    /^It misses 9,000 bytes by [56]\.\d % \(\d\d\.\d standard errors; 3\.\d are allowed\)/,
  );
  expect(fitOf(sizesOf(1.03, 0.005)).straight.refusals).toEqual([]);
});

test('one disturbed visit widens what is known of its size, and does not refuse the line', () => {
  const { plain } = simulateSizes({ seed: 5, plain: straight, secure: straight, ofPoint: 0.005 });
  const us = plain.us.map((round, index) =>
    round.map((time, size) => (index === 7 && size === 11 ? 1.6 * time : time)),
  );
  const { straight: line } = fitOf({ ...plain, us });
  expect(line.residuals[11]?.percent).toBeGreaterThan(3);
  expect(line.refusals).toEqual([]);
  expect(line.lackOfFit?.pValue).toBeGreaterThan(0.05);
});
