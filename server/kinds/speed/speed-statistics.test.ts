/** Protects the statistics of the speed table. */
import { expect, test } from 'vitest';
import { fitCost } from './speed-notes.ts';
import { type RowTimes, speedRow } from './speed-plan.ts';

const times: RowTimes = {
  primitive: 'SHA-256',
  group: 'digest',
  operation: 'digest',
  bytes: 1024,
  nodeUs: [2, 2, 4, 2, 2, 2, 2, 2],
  opensslUs: [1, 1, 2, 1, 1, 1, 1, 1],
  missing: 'not asked',
  sumOf: null,
};

test('a line through exact times is found exactly', () => {
  const cost = fitCost([16, 64, 256, 1024, 8192].map((bytes) => ({ bytes, us: 0.8 + bytes * 0.0005 })));
  expect(cost?.callUs).toBeCloseTo(0.8, 9);
  expect(cost?.nsPerByte).toBeCloseTo(0.5, 9);
});

test('a size counts by its error in percent: a large one that is 9 % off does not spoil the cost of a call', () => {
  const exact = [16, 64, 256, 1024].map((bytes) => ({ bytes, us: 1 + bytes * 0.001 }));
  const cost = fitCost([...exact, { bytes: 16_384, us: 1.09 * 17.384 }]);
  expect(cost?.callUs).toBeGreaterThan(0.95);
  expect(cost?.callUs).toBeLessThan(1.05);
});

test('a line that misses a size by more than 10 % is none: a second way of working from 1,024 bytes on', () => {
  const small = [16, 64, 256].map((bytes) => ({ bytes, us: 1 + bytes * 0.004 }));
  const large = [1024, 8192, 16_384].map((bytes) => ({ bytes, us: 1 + bytes * 0.001 }));
  expect(fitCost([...small, ...large])).toBeNull();
});

test('two sizes make no line', () => {
  expect(
    fitCost([
      { bytes: 16, us: 1 },
      { bytes: 64, us: 2 },
    ]),
  ).toBeNull();
});

test('the ratio is paired by round: a round in which both were slow does not move it', () => {
  const row = speedRow(times);
  expect(row).toMatchObject({
    id: 'SHA-256/digest/1024',
    operationsPerS: { center: 500_000 },
    bytesPerS: { center: 512_000_000 },
  });
  expect(row?.openssl).toMatchObject({ status: 'measured', ratio: { center: 0.5, lo: 0.5, hi: 0.5 } });
});

test('rounds that lack one of the two are left out of the ratio', () => {
  const row = speedRow({ ...times, opensslUs: [1, null, 2, 1, 1, null, null, 1] });
  expect(row?.openssl).toMatchObject({ status: 'measured', ratio: null });
});

test('without a reference it says why, and without any time there is no row', () => {
  expect(speedRow({ ...times, opensslUs: [] })?.openssl).toEqual({ status: 'missing', reason: 'not asked' });
  expect(speedRow({ ...times, nodeUs: [null, null] })).toBeNull();
});
