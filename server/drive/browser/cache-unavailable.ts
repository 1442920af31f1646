import type { CacheReport } from '../../../shared/kinds/comparison/cache-report.ts';

/** The section when it could not be measured: no figures, and a sentence that says why. */
export function cacheUnavailable(reason: string, browser: string | null = null): CacheReport {
  return { baseline: null, comparison: null, browser, findings: [reason] };
}

/** Thrown inside the section; its message is a finding, in sentences. */
export class CacheProblem extends Error {}
