import type { AtLoad } from '../kinds/comparison/at-load.ts';

/** A load that a run found on one core, for tests. */
export const sampleAtLoad: AtLoad = {
  ...{ users: 8, ratePerS: null, burstMs: 15, cores: 1, chosen: 'found' },
  sides: {
    baseline: { busyCores: 0.97, cpuUs: 25 },
    comparison: { busyCores: 0.98, cpuUs: 43 },
  },
};
