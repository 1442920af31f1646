import { problem } from '../../../shared/base/problem.ts';
import type { Scenario, SecretValues } from '../../../shared/scenario/scenario.ts';
import { enabledSteps } from '../../intake/scenario/enabled-steps.ts';
import { secretProblems } from '../../intake/scenario/secrets.ts';
import type { Database } from '../database/open-database.ts';
import { demandSound } from './demand-sound.ts';
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
  await demandSound(chosen.scenario);
  demandSecrets(chosen.scenario, secrets);
  return { ...chosen, scenario: enabledSteps(chosen.scenario) };
}

function withoutId({ id: _, ...scenario }: Scenario): Scenario {
  return scenario;
}

function demandSecrets(scenario: Scenario, values: SecretValues): void {
  const problems = secretProblems(scenario, values);
  if (problems.length === 0) return;
  const errors = problems.map(({ name, message }) => ({ field: `secrets.${name}`, message }));
  const sentence = `${problems.map(({ message }) => message).join('; ')}.`;
  throw problem('secret_missing', {
    detail: sentence.replace(/^./, (letter) => letter.toUpperCase()),
    errors,
  });
}
