import type { Scenario, SecretValues } from '../../shared/scenario.ts';
import type { RunHouse } from '../target/open-target.ts';
import type { Apparatus } from './apparatus.ts';

/** Without an apparatus of its own it measures for real. No environment variable and no request brings one. */
export type ConfiguredHouse = RunHouse & { apparatus?: Apparatus };

/** Where measurements take place. */
export type House = ConfiguredHouse & {
  /** The scenario that a request names or holds, ready to be sent. Throws scenario_not_found, secret_missing, invalid_request. */
  chooseScenario(
    asked: string | Scenario,
    secrets: SecretValues,
  ): Promise<{ scenario: Scenario; revisionId: string | null }>;
};
