import type { RunRequest } from '../../../../shared/run-request.ts';
import type { Scenario, SecretValues } from '../../../../shared/scenario.ts';
import { factsOf } from '../../../../shared/target-facts.ts';
import { fillSecrets } from '../../../scenario/secrets.ts';
import type { RunHouse } from '../../../target/open-target.ts';
import { checkOnce } from '../../../target/preflight/check-once.ts';
import { maskSecrets } from '../../../traffic/mask-secrets.ts';
import { demandFit } from './demand-fit.ts';

/**
 * Refuses a target that already runs before its run is queued, rather than after the run ahead. A target of ours is
 * looked at when its run has started it: to start it now would disturb the run ahead.
 */
export async function demandStandingFit(
  request: RunRequest,
  scenario: Scenario,
  secrets: SecretValues,
  house: RunHouse,
): Promise<void> {
  if (factsOf(request.target).startedHere) return;
  const report = await checkOnce(request, fillSecrets(scenario, secrets), house);
  demandFit(maskSecrets(secrets)(report));
}
