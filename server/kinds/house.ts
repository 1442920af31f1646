import type { Scenario, SecretValues } from '../../shared/scenario.ts';
import type { RunHouse } from '../target/open-target.ts';

/** Where measurements take place. */
export type House = RunHouse & {
  /** The scenario that a request names or holds, ready to be sent. Throws scenario_not_found, secret_missing, invalid_request. */
  chooseScenario(
    asked: string | Scenario,
    secrets: SecretValues,
  ): Promise<{ scenario: Scenario; revisionId: string | null }>;
};
