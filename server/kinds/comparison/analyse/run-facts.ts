import type { CacheReport } from '../../../../shared/cache-report.ts';
import type { Environment } from '../../../../shared/environment.ts';
import type { Plan } from '../../../../shared/load-profile.ts';
import type { PreflightReport } from '../../../../shared/preflight.ts';
import type { Problem } from '../../../../shared/problem.ts';
import type { RunRequest, RunState } from '../../../../shared/run.ts';
import type { Scenario } from '../../../../shared/scenario.ts';

/** What is known of a run besides its blocks. Times in milliseconds since 1970. */
export type RunFacts = {
  id: string;
  state: RunState;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
  request: RunRequest;
  scenario: Scenario;
  revisionId: string | null;
  plan: Plan;
  preflight: PreflightReport | null;
  cache: CacheReport | null;
  environment: Environment | null;
  problem: Problem | null;
};
