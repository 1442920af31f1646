import type { Perturbation } from '../targets/storefront/perturbation.ts';

export const noPerturbation: Perturbation = { cpuUs: 0, garbageObjects: 0, sleepMs: 0, bodyBytes: 0 };
