import type { MetricComparison } from '../kinds/comparison/comparison.ts';

/** Metrics of a run with an overhead, for tests to change. */

export const sampleCpu: MetricComparison = {
  id: 'cpu_at_load',
  unit: 'us',
  baseline: { center: 120, lo: 118, hi: 122 },
  comparison: { center: 145.2, lo: 144, hi: 147 },
  delta: { center: 25.2, lo: 23.1, hi: 27.3 },
  ratio: { center: 1.21, lo: 1.2, hi: 1.222 },
  twinRatio: null,
  ratioOfAll: null,
  launches: [],
  outcome: 'overhead',
  reasons: [],
  pairs: [],
};

export const sampleUtilization: MetricComparison = {
  ...sampleCpu,
  id: 'cpu_utilization',
  unit: 'percent',
  baseline: { center: 61, lo: 60, hi: 62 },
  comparison: { center: 74, lo: 73, hi: 75 },
  delta: { center: 13.04, lo: 12, hi: 14 },
  ratio: { center: 1.213, lo: 1.204, hi: 1.222 },
};
