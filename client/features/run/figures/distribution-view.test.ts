/** Protects the latency distribution: percentiles end where the samples do. */
import { describe, expect, test } from 'vitest';
import { distributionInWords, distributionView, highestPercentile, latencyAt } from './distribution-view.ts';

const ladder = (shift: number) => ({
  count: 20_000,
  points: [
    { percentile: 0, us: 800 + shift },
    { percentile: 50, us: 1200 + shift },
    { percentile: 90, us: 2000 + shift },
    { percentile: 99, us: 3000 + shift * 4 },
    { percentile: 100, us: 9000 },
  ],
});

describe('a latency distribution', () => {
  test('ends at the percentile that its smaller sample carries', () => {
    const view = distributionView({
      distributions: { baseline: ladder(0), comparison: { ...ladder(120), count: 5000 } },
    });
    expect(view?.highest).toBe(95);
    expect(view?.baseline.at(-1)).toEqual({ percentile: 90, us: 2000 });
  });

  test('is read between its rungs', () => {
    expect(latencyAt(ladder(0).points, 50)).toBe(1200);
    expect(latencyAt(ladder(0).points, 70)).toBe(1600);
  });

  test('says what the curves show', () => {
    const view = distributionView({ distributions: { baseline: ladder(0), comparison: ladder(120) } });
    if (view === null) throw new Error('both sides have points');
    expect(distributionInWords(view, { baseline: 'HTTP', comparison: 'HTTPS' })).toBe(
      'At the median HTTPS takes 120 µs longer than HTTP (1.32 against 1.20 ms); at the 99th percentile 480 µs longer',
    );
  });

  test('is absent when nothing was pooled', () => {
    expect(distributionView({ distributions: null })).toBeNull();
  });
});

test('a percentile needs about a hundred observations beyond it', () => {
  expect([500, 5000, 20_000, 200_000].map(highestPercentile)).toEqual([90, 95, 99, 99.9]);
});
