/** Protects the conclusion in words: it claims no more than the comparison carries. */
import { describe, expect, test } from 'vitest';
import type { MetricComparison } from '../../../shared/comparison.ts';
import { concludeInWords } from './conclusion.ts';

const labels = { baseline: 'HTTP', comparison: 'HTTPS' };
const utilisation: MetricComparison = {
  id: 'cpu_utilization',
  unit: 'percent',
  baseline: { center: 61, lo: 60, hi: 62 },
  comparison: { center: 74, lo: 73, hi: 75 },
  delta: { center: 13, lo: 12, hi: 14 },
  ratio: { center: 1.213, lo: 1.204, hi: 1.222 },
  nullRatio: null,
  outcome: 'overhead',
  reasons: [],
  pairs: [],
};

function conclude(change: Partial<MetricComparison>, floor?: number): string {
  return concludeInWords({ ...utilisation, ...change }, 'CPU', labels, floor);
}

describe('a conclusion in words', () => {
  test('of an overhead holds its interval', () => {
    expect(conclude({})).toBe(
      'CPU: 61 % over HTTP, 74 % over HTTPS; +21.3 %, 95 % interval +20.4 to +22.2 %',
    );
  });
  test('of none holds the noise floor that it was held against', () => {
    expect(conclude({ outcome: 'no_overhead' }, 0.012)).toContain(
      'no difference above 1.2 %, the noise floor',
    );
  });
  test('that is open claims no centre', () => {
    const words = conclude({ outcome: 'inconclusive', ratio: { center: 1.01, lo: 0.98, hi: 1.04 } });
    expect(words).toContain('inconclusive, somewhere from −2.0 to +4.0 %');
  });
  test('that was refused claims nothing', () => {
    expect(conclude({ outcome: 'refused', baseline: null, comparison: null, delta: null, ratio: null })).toBe(
      'CPU: not measured on both sides; the difference is not printed, for the reasons in the table',
    );
  });
});
