/** Protects the sentences under the charts from saying more than the interval holds. */
import { describe, expect, test } from 'vitest';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import { sampleUtilization } from '../../../shared/testing/sample-metric.ts';
import { concludeInWords } from './conclusion.tsx';

const labels = { baseline: 'HTTP', comparison: 'HTTPS' };
const launches = [0, 1, 2].map((launch) => ({
  launch,
  ratio: { center: 1.21, lo: 1.2, hi: 1.22 },
  twinRatio: null,
}));

function conclude(change: Partial<MetricComparison>, limit = 'within ±5 %'): string {
  return concludeInWords({ ...sampleUtilization, ...change }, 'CPU', labels, limit);
}

describe('a conclusion in words', () => {
  test('of an overhead has its interval, and its launches if there are any', () => {
    const words = 'CPU: 61 % with HTTP, 74 % with HTTPS; +21.3 %, 95 % CI +20.4 to +22.2 %';
    expect(conclude({})).toBe(words);
    expect(conclude({ launches })).toBe(`${words} over 3 starts`);
  });
  test('of one that is too little to matter has its figure and what it was held against', () => {
    const ratio = { center: 1.008, lo: 1.005, hi: 1.011 };
    expect(conclude({ outcome: 'no_overhead', ratio })).toMatch(/; \+0\.8 %, within ±5 %$/);
  });
  test('that is open claims no center', () => {
    const words = conclude({ outcome: 'inconclusive', ratio: { center: 1.01, lo: 0.98, hi: 1.04 } });
    expect(words).toContain('unclear, somewhere from −2.0 to +4.0 %');
  });
  test('that was refused claims nothing', () => {
    expect(conclude({ outcome: 'refused', baseline: null, comparison: null, delta: null, ratio: null })).toBe(
      'CPU: not measured on both sides; the difference is not shown; the table gives the reason',
    );
  });
});
