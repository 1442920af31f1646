import { twoSidesAndTwin } from '../../shared/base/transport.ts';
import { type Plan, planSchema } from '../../shared/kinds/comparison/load-profile.ts';

/** Plan of the sample run. */
export const samplePlan: Plan = planSchema.parse({
  length: 'quote',
  arms: [...twoSidesAndTwin],
  seed: 7,
  users: 8,
  connectionPolicy: 'keep-alive',
  requestsPerConnection: 100,
  thinkTimeScale: 1,
  thinkMs: 0,
  rampMs: 0,
  generators: 1,
  requestTimeoutMs: 5000,
  ratePerS: 620,
  launches: { minimum: 4, maximum: 8 },
  epochs: { minimum: 2, maximum: 2 },
  lockstepMs: 2000,
  windowMs: 200,
  pairUsers: 1,
  maximumMs: 1600,
  openMs: 500,
  warmUp: { transactions: 330, longestMs: 5000 },
  longestS: 120,
  tolerance: 0.05,
});
