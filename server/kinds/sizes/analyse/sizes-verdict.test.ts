/** Protects the verdict on document sizes: it claims no more than its own intervals. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import type { LineDifference } from '../../../../shared/kinds/sizes/sizes.ts';
import { sizesVerdict } from './sizes-verdict.ts';

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
