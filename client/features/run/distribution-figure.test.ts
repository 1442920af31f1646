/** Protects the latency distribution: percentiles end where the samples do, and those of the table are the table's. */
import { describe, expect, test } from 'vitest';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import {
  distributionInWords,
  distributionView,
  highestPercentile,
  marksOfDistribution,
  pointAt,
} from './distribution-figure.tsx';

const ladder = (shift: number) => ({
  count: 20_000,
  points: [
    { percentile: 0, us: 800 + shift },
    { percentile: 50, us: 1200 + shift },
    { percentile: 90, us: 2000 + shift },
    { percentile: 95, us: 2600 + shift },
    { percentile: 99, us: 3000 + shift * 4 },
    { percentile: 100, us: 9000 },
  ],
});
const pooled = { baseline: ladder(0), comparison: ladder(120) };
const row = (id: string, center: number, ratio: object | null = { center: 1.1, lo: 1.08, hi: 1.12 }) => ({
  ...{ id, unit: 'us', outcome: 'overhead', delta: null, launches: [], ratio },
  baseline: { center, lo: center - 50, hi: center + 50 },
  comparison: { center: center * 1.1, lo: center, hi: center * 1.2 },
});

function viewOf(parts: { distributions?: object | null; metrics?: object[]; kinds?: string[] }) {
  const { distributions = pooled, metrics = [], kinds = ['lockstep', 'maximum'] } = parts;
  const blocks = kinds.map((kind) => ({ kind }));
  return distributionView({ distributions, metrics, blocks } as unknown as RunDocument);
}

function seenOf(parts: Parameters<typeof viewOf>[0]) {
  const view = viewOf(parts);
  if (view === null) throw new Error('both sides have points');
  return view;
}

describe('a latency distribution', () => {
  test('ends at the percentile that its smaller sample carries', () => {
    const distributions = { baseline: ladder(0), comparison: { ...ladder(120), count: 500 } };
    const view = seenOf({ distributions, metrics: [row('latency_p99', 3100)] });
    expect(view.highest).toBe(95);
    expect(view.baseline.at(-1)).toEqual({ percentile: 95, us: 2600, interval: null });
  });

  test('is read between its rungs', () => {
    const { baseline } = seenOf({});
    expect(pointAt(baseline, 50).us).toBe(1200);
    expect(pointAt(baseline, 70).us).toBe(1600);
  });

  test('has the figures and intervals of the table, and nothing that contradicts them', () => {
    const view = seenOf({ metrics: [row('latency_p50', 1250), row('latency_p90', 2700)] });
    expect(view.baseline.slice(1)).toEqual([
      { percentile: 50, us: 1250, interval: [1200, 1300] },
      { percentile: 90, us: 2700, interval: [2650, 2750] },
      { percentile: 99, us: 3000, interval: null },
    ]);
  });

  test('has no interval where the table has none', () => {
    const { baseline } = seenOf({ metrics: [row('latency_p50', 1250, null)] });
    expect(pointAt(baseline, 50)).toEqual({ percentile: 50, us: 1250, interval: null });
  });

  test('under open load keeps out the median of lockstep, and says so', () => {
    const metrics = [row('latency_p50', 1250), row('latency_p99', 3100)];
    const view = seenOf({ metrics, kinds: ['lockstep', 'maximum', 'steady'] });
    expect(pointAt(view.baseline, 50).us).toBe(1200);
    expect(pointAt(view.baseline, 99).us).toBe(3100);
    expect(marksOfDistribution(view)).toMatch(/measured at half load, the median in the table with one user/);
    expect(marksOfDistribution(seenOf({ metrics }))).not.toMatch(/lone user/);
  });

  test('says what the table concludes, else the figures alone', () => {
    const words = distributionInWords(
      seenOf({ metrics: [row('latency_p99', 3100)] }),
      { baseline: 'HTTP', comparison: 'HTTPS' },
      { plan: { tolerance: 0.05 }, scenario: { steps: [] } } as unknown as RunDocument,
    );
    expect(words).toBe(
      'Latency, median: 1.20 ms with HTTP, 1.32 ms with HTTPS, without an interval. ' +
        'Latency, 99th percentile: 3.10 ms with HTTP, 3.41 ms with HTTPS; +10.0 %, 95 % CI +8.0 to +12.0 %',
    );
  });

  test('is absent when nothing was pooled', () => {
    expect(viewOf({ distributions: null })).toBeNull();
  });
});

test('a percentile needs ten observations beyond it, the 99.9th a hundred', () => {
  expect([150, 500, 1000, 99_999, 100_000].map(highestPercentile)).toEqual([90, 95, 99, 99, 99.9]);
});
