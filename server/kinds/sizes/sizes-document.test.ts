/** Protects what a sweep over sizes finds: which sizes count, and a sentence that stays within its intervals. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Estimate } from '../../../shared/base/units.ts';
import {
  type LineDifference,
  type LineTerms,
  type SizeRound,
  sizesDocumentSchema,
} from '../../../shared/kinds/sizes/sizes.ts';
import { type SampleSizes, sampleSizes } from '../../testing/sample-sizes.ts';
import { sizesVerdict } from './sizes-document.ts';

const plain = { offsetUs: 90, usPerByte: 0.0035, recordUs: null };
const sizesOf = (options: SampleSizes = {}) => sampleSizes({ plain, ...options });
const verdictOf = (secure: LineTerms, options: SampleSizes = {}) =>
  sizesOf({ secure, ...options }).comparisons[0]?.verdict;

/** Changes one arm at one size, in every round or in one. */
function changeAt(
  size: number,
  change: Partial<SizeRound['points'][number]> | null,
  { arm = 0, round = -1 }: { arm?: 'http' | number; round?: number } = {},
) {
  return (rounds: SizeRound[]) =>
    rounds.map((each) =>
      round >= 0 && each.round !== round
        ? each
        : {
            ...each,
            points: each.points.flatMap((point) => {
              if (point.arm !== arm || point.size !== size) return [point];
              return change === null ? [] : [{ ...point, ...change }];
            }),
          },
    );
}

test('a document is what its schema says, from no round to the last', () => {
  for (const rounds of [0, 1, 2, 3, 12]) {
    const document = sizesOf({ rounds });
    expect(sizesDocumentSchema.parse(JSON.parse(JSON.stringify(document)))).toEqual(document);
    expect(document.comparisons).toHaveLength(rounds < 3 ? 0 : 1);
    expect(document.arms[1]?.points).toHaveLength(rounds === 0 ? 0 : 24);
  }
});

test('points are typical of the rounds: geometric means, and the CPU of all transactions', () => {
  const change = (rounds: SizeRound[]) =>
    rounds.map((round, index) => ({
      ...round,
      points: round.points.map((point) => ({
        ...point,
        ...{ medianUs: index === 0 ? 400 : 100, p2_5: 90, transactions: index === 0 ? 300 : 100 },
        cpuUs: index === 0 ? 80 : 40,
        atLoad: { transactions: index === 0 ? 100 : 300, busyCores: index === 0 ? 0.9 : 1 },
      })),
    }));
  const [point] = sizesOf({ rounds: 2, change }).arms[0]?.points ?? [];
  expect(point).toMatchObject({ rounds: 2, transactions: 400 });
  expect(point?.medianUs).toBeCloseTo(200, 9);
  expect(point?.p2_5).toBeCloseTo(90, 9);
  expect(point?.cpuUs).toBeCloseTo(50, 9);
  expect(point?.atLoad).toEqual({ transactions: 400, busyCores: 0.95 });
});

test('each suite is an arm with a comparison of its own', () => {
  const { arms, comparisons } = sizesOf({ request: { suites: [null, 'TLS_AES_128_GCM_SHA256'] } });
  expect(arms.map(({ arm }) => arm)).toEqual(['http', 0, 1]);
  expect(comparisons.map(({ arm }) => arm)).toEqual([0, 1]);
  expect(comparisons[1]?.verdict.sentence).toMatch(/^HTTPS with TLS_AES_128_GCM_SHA256 takes /);
  expect(arms[0]?.latency?.records).toBeNull();
});

describe('a size is left out of every line', () => {
  test('when a round lacks it, and is shown with the rounds that have it', () => {
    const { arms, leftOut, comparisons } = sizesOf({ change: changeAt(9000, null, { round: 4 }) });
    expect(leftOut).toEqual([{ size: 9000, reason: '1 of 12 rounds have no figure for it.' }]);
    expect(arms[1]?.points.find(({ size }) => size === 9000)?.rounds).toBe(11);
    for (const { latency } of arms) expect(latency?.straight.residuals).toHaveLength(23);
    expect(comparisons[0]?.latency?.points).toHaveLength(23);
  });

  test('when no transaction of a visit counts', () => {
    expect(sizesOf({ change: changeAt(9000, { transactions: 0 }) }).leftOut[0]?.reason).toMatch(/^12 of 12/);
  });

  test('when the link is the limit', () => {
    const { leftOut } = sizesOf({ facts: { linkBytesPerS: 250e6 } });
    expect(leftOut.map(({ size }) => size)).toEqual([60_000, 80_000, 100_000]);
    expect(leftOut[2]?.reason).toMatch(/^The link is the limit: documents use 9\d % of its 250\.0 MB\/s\.$/);
  });
});

test('without a reading of CPU at every visit of a size it has no CPU; without any there is no line of it', () => {
  const { arms } = sizesOf({ change: changeAt(9000, { cpuUs: null }, { arm: 'http', round: 1 }) });
  expect(arms.map(({ cpu }) => cpu?.straight.residuals.length)).toEqual([23, 23]);
  expect(arms.map(({ latency }) => latency?.straight.residuals.length)).toEqual([24, 24]);
  const none = (rounds: SizeRound[]) =>
    rounds.map((round) => ({ ...round, points: round.points.map((point) => ({ ...point, cpuUs: null })) }));
  const blind = sizesOf({ change: none });
  expect(blind.arms.map(({ cpu }) => cpu)).toEqual([null, null]);
  expect(blind.comparisons[0]).toMatchObject({ cpu: null, verdict: { outcome: 'overhead' } });
});

test('a busy machine is said', () => {
  const change = (rounds: SizeRound[]) => rounds.map((round) => ({ ...round, asideShare: 0.3 }));
  expect(sizesOf({ change }).warnings).toEqual([
    '30 % of the turns were discarded, because other programs kept the machine busy. This widens the intervals.',
  ]);
});

test('rounds of one launch have intervals about its processes only, and that is said', () => {
  const change = (rounds: SizeRound[]) => rounds.map((round) => ({ ...round, launch: 0 }));
  expect(sizesOf({ change }).warnings).toEqual([expect.stringMatching(/in one process each/)]);
});

describe('the sentence', () => {
  test('is the study’s: a time for each request, a share of the rate, a size from which it is little', () => {
    const verdict = verdictOf({ offsetUs: 140, usPerByte: 0.0036, recordUs: null });
    expect(verdict?.outcome).toBe('overhead');
    expect(verdict?.sentence).toMatch(
      /^HTTPS takes \d+(\.\d)? µs more for each request \(95 % CI \d+(\.\d)? to \d+(\.\d)? µs\) and loses \d(\.\d)? % of the transfer rate \(95 % CI .*\); from \d\d kB on, the added time is below 20 % \(95 % CI \d\d kB to \d\d kB\)\.$/,
    );
  });

  test('claims no loss that the interval does not', () => {
    const verdict = verdictOf({ offsetUs: 140, usPerByte: 0.0035, recordUs: null });
    expect(verdict?.sentence).toMatch(/ and shows no clear loss of transfer rate \(95 % CI −\d/);
  });

  test('of two arms that are the same is that nothing is clear, and the added time below 5 %', () => {
    const { sentence, outcome } = verdictOf(plain) ?? {};
    expect(outcome).toBe('no_overhead');
    expect(sentence).toMatch(
      /^HTTPS adds no measurable time to each request \(95 % CI −\d+(\.\d+)? to \d+(\.\d+)? µs\)/,
    );
    expect(sentence).toMatch(/the added time is below 5 % at every measured size\.$/);
  });

  test('says so where it is more than double everywhere', () => {
    const { sentence } = verdictOf({ offsetUs: 300, usPerByte: 0.009, recordUs: null }) ?? {};
    expect(sentence).toMatch(
      /; the added time is \d+(\.\d)? % at 1,000 bytes and \d+(\.\d)? % at 100,000 bytes\.$/,
    );
  });

  test('has no line where one is refused, and says which and why', () => {
    const change = (rounds: SizeRound[]) =>
      rounds.map((round) => ({
        ...round,
        points: round.points.map((point) =>
          point.arm === 0 && point.size === 9000 ? { ...point, medianUs: 1.3 * point.medianUs } : point,
        ),
      }));
    const { sentence } = verdictOf({ offsetUs: 140, usPerByte: 0.004, recordUs: null }, { change }) ?? {};
    expect(sentence).toMatch(
      /^HTTPS takes \d\d(\.\d)? % longer for 1,000 bytes \(95 % CI \+.* %\) and \d\d(\.\d)? % longer for 100,000 bytes/,
    );
    expect(sentence).toMatch(
      /\. The figures of HTTPS do not lie on a line: it misses 9,000 bytes by 2\d\.\d % \(10 % is allowed\)\.$/,
    );
    expect(sentence).not.toContain('transfer rate');
  });
});

/** Protects the verdict on document sizes: it claims no more than its own intervals. */

const half = fc.double({ min: 0, max: 0.3, noNaN: true });
const ratio = fc
  .tuple(fc.double({ min: 0.6, max: 2, noNaN: true }), half, half)
  .map(([center, below, above]): Estimate => ({ center, lo: center - below, hi: center + above }));
const no = { center: 0, lo: -1, hi: 1 };
const line: LineDifference = {
  ...{ form: 'straight', holds: false },
  ...{ offsetUs: no, usPerByte: no, rateLossPercent: null },
};

test('without a line, a document takes longer or less time only if its interval excludes no change', () => {
  fc.assert(
    fc.property(ratio, ratio, (small, large) => {
      const points = [small, large].map((each, index) => ({
        ...{ size: index === 0 ? 1000 : 100_000, ratio: each, deltaUs: no },
      }));
      const overhead = { points, straight: line, records: null, crossovers: [] };
      const { sentence } = sizesVerdict('HTTPS', overhead, 'The line misses.');
      for (const [index, { lo, hi }] of [small, large].entries()) {
        const size = index === 0 ? '1,000' : '100,000';
        const unclear = lo <= 1 && hi >= 1;
        const claim = new RegExp(`(no clearly different time|longer|less time) for ${size} bytes`).exec(
          sentence,
        );
        expect(claim?.[1] === 'no clearly different time').toBe(unclear);
        expect(sentence.includes(`not clear at ${size} bytes`)).toBe(unclear);
      }
    }),
  );
});
