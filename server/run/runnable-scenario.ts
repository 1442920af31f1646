import { problem } from '../../shared/problem.ts';
import type { Scenario, SecretValues } from '../../shared/scenario.ts';
import type { Database } from '../database/open-database.ts';
import { enabledSteps } from '../scenario/enabled-steps.ts';
import { scenarioFaults } from '../scenario/scenario-faults.ts';
import { secretFaults } from '../scenario/secrets.ts';
import { chooseScenario } from './scenario-library.ts';

/**
 * The scenario of a request, with the steps that are switched on and names in place of secrets, and the revision it is
 * stored as. Throws scenario_not_found, scenario_deleted, secret_missing, and invalid_request, naming the fields, for
 * what the form of a scenario cannot show.
 *
 * @param asked an id or a scenario
 */
export async function runnableScenario(
  database: Database,
  asked: string | Scenario,
  secrets: SecretValues,
): Promise<{ scenario: Scenario; revisionId: string | null }> {
  const chosen =
    typeof asked === 'string'
      ? await chooseScenario(database, asked)
      : { scenario: withoutId(asked), revisionId: null };
  demandSound(chosen.scenario);
  demandSecrets(chosen.scenario, secrets);
  return { ...chosen, scenario: enabledSteps(chosen.scenario) };
}

function withoutId({ id: _, ...scenario }: Scenario): Scenario {
  return scenario;
}

function demandSound(scenario: Scenario): void {
  const faults = scenarioFaults(scenario);
  const [first] = faults;
  if (first === undefined) return;
  const errors = faults.map(({ path, message }) => ({ field: `scenario.${path}`, message }));
  throw problem('invalid_request', { detail: `scenario.${first.path}: ${first.message}`, errors });
}

function demandSecrets(scenario: Scenario, values: SecretValues): void {
  const faults = secretFaults(scenario, values);
  if (faults.length === 0) return;
  const errors = faults.map(({ name, message }) => ({ field: `secrets.${name}`, message }));
  const sentence = `${faults.map(({ message }) => message).join('; ')}.`;
  throw problem('secret_missing', {
    detail: sentence.replace(/^./, (letter) => letter.toUpperCase()),
    errors,
  });
}
