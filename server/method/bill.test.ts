/** Protects the bill: cores by the hour, bytes by the month, intervals carried through, and what was not measured. */

import { describe, expect, test } from 'vitest';
import { exactly } from '../../shared/base/estimate-arithmetic.ts';
import { pricesSchema } from '../../shared/kinds/comparison/bill.ts';
import { type BillLine, billOf } from './bill.ts';

const prices = pricesSchema.parse({ vcpuHour: 0.05, egressGb: 0.1 });
const sides = { baseline: 'HTTP', comparison: 'HTTPS' };

const cores: BillLine = {
  ...{ id: 'requests', title: 'Cores', note: null },
  baseline: { center: 2, lo: 1.9, hi: 2.1 },
  comparison: { center: 3, lo: 2.8, hi: 3.2 },
  added: { center: 1, lo: 0.94, hi: 1.06 },
};
const bytes: BillLine = {
  ...{ id: 'responses', title: 'Bytes', note: null },
  ...{ baseline: exactly(1e6), comparison: exactly(1.01e6) },
  added: { center: 1e4, lo: 1e4 - 2000, hi: 1e4 + 2000 },
};

function bill(lines: { cores: BillLine[]; bytesPerS: BillLine[] }) {
  const { rows, ...rest } = billOf({ sides, notIncluded: [], ...lines }, prices);
  return { ...rest, row: (id: string) => rows.find((row) => row.id === id) };
}

describe('a bill', () => {
  test('a core costs its price 730 times a month, a byte a second 2.628 MB of egress', () => {
    const { row, verdict } = bill({ cores: [cores], bytesPerS: [bytes] });
    // 2 × 0.05 × 730, and 1 MB/s × 2,628,000 s at 0.1 a GB.
    expect(row('compute')?.baseline).toEqual(near({ center: 73, lo: 69.35, hi: 76.65 }));
    expect(row('responses')).toMatchObject({ unit: 'GB', baseline: near(exactly(2628)) });
    expect(row('egress')?.baseline).toEqual(near(exactly(262.8)));
    expect(row('total')?.comparison?.center).toBeCloseTo(109.5 + 265.428);
    // The difference has its own interval: √((0.06 × 36.5)² + (0.002 × 2628 × 0.1)²).
    const reach = Math.hypot(2.19, 0.5256);
    expect(row('total')?.added).toEqual(
      near({ center: 36.5 + 2.628, lo: 39.128 - reach, hi: 39.128 + reach }),
    );
    expect(verdict).toBe(
      'HTTPS costs $39.13 per month more than HTTP (95 % CI $36.88 to $41.38). +12 %: CPU $36.50, bytes $2.63.',
    );
  });

  test('a difference that may be none has no center, and one below it is less', () => {
    const of = (added: BillLine['added']) => bill({ cores: [{ ...cores, added }], bytesPerS: [] }).verdict;
    expect(of({ center: 0.5, lo: -0.1, hi: 1.2 })).toMatch(
      /^HTTPS costs between −\$3\.65 and \$43\.80 per month more than HTTP: the difference may be none\.$/,
    );
    expect(of({ center: -1, lo: -2, hi: -0.5 })).toMatch(
      /^HTTPS costs \$36\.50 per month less than HTTP \(95 % CI \$18\.25 to \$73\.00\)\.$/,
    );
    expect(of(exactly(0))).toMatch(/^HTTPS and HTTP cost the same\.$/);
  });

  test('an unclear difference has no cost in money', () => {
    const { rows, verdict } = billOf(
      { sides, notIncluded: [], cores: [cores], bytesPerS: [bytes], isUnclear: true },
      prices,
    );
    expect(rows.map(({ id }) => id)).toEqual(['requests', 'responses']);
    expect(verdict).toMatch(/not certain/);
    expect(verdict).not.toContain('$');
  });

  test('what was not measured is left out of the sums, and said', () => {
    const none = { ...bytes, baseline: null, comparison: null, added: null };
    const partly = bill({ cores: [cores], bytesPerS: [none] });
    expect(partly.row('egress')?.baseline).toBeNull();
    expect(partly.row('total')).toMatchObject({ baseline: near({ center: 73, lo: 69.35, hi: 76.65 }) });
    expect(partly.verdict).toMatch(/ Without bytes: not measured\.$/);
    expect(bill({ cores: [], bytesPerS: [none] }).verdict).toContain('there is no bill');
  });
});

function near({ center, lo, hi }: { center: number; lo: number; hi: number }) {
  return { center: expect.closeTo(center), lo: expect.closeTo(lo), hi: expect.closeTo(hi) };
}
