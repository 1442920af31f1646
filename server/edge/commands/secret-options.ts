import { scenarioEndpoints } from '../../../shared/api/scenario-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { RunRequest } from '../../../shared/kinds/comparison/run-request.ts';
import { type SecretValues, secretNameSchema } from '../../../shared/scenario/scenario.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { secretsOf } from '../../intake/scenario/secrets.ts';
import type { ApiClient } from './api-client.ts';
import { askHidden } from './ask-hidden.ts';

/** The values stay out of the command line, which everybody on the machine can read. */
export function readSecrets(options: readonly string[]): SecretValues {
  const pairs = options.map((option) => {
    const [name = '', variable, ...rest] = option.split('=');
    if (variable === undefined || rest.length > 0 || !secretNameSchema.safeParse(name).success) {
      throw problem(
        'invalid_arguments',
        '--secret takes a name and an environment variable: password=SHOP_PASSWORD.',
      );
    }
    const value = process.env[variable];
    if (value === undefined || value === '') {
      throw problem('invalid_arguments', `--secret ${name}: the environment variable ${variable} is empty.`);
    }
    return [name, value] as const;
  });
  return Object.fromEntries(pairs);
}

/** Asks for the values that were not given, when there is a terminal. Throws secret_missing. */
export async function askForSecrets(
  api: ApiClient,
  { scenario: asked, target }: RunRequest,
  given: SecretValues,
): Promise<SecretValues> {
  const scenario = asked ?? factsOf(target).scenario;
  const needed =
    typeof scenario === 'string'
      ? (await api.call(scenarioEndpoints.showScenario, { params: { id: scenario } })).secrets
      : secretsOf(scenario);
  const missing = needed.find((name) => !Object.hasOwn(given, name));
  if (missing === undefined) return given;
  if (process.stdin.isTTY !== true) {
    throw problem(
      'secret_missing',
      `The secret “${missing}” has no value. Give it with --secret ${missing}=VARIABLE.`,
    );
  }
  const values = { ...given };
  for (const name of needed) values[name] ??= await ask(name);
  return values;
}

async function ask(name: string): Promise<string> {
  const value = await askHidden(`Value of the secret ${name}: `);
  if (value === null || value === '')
    throw problem('secret_missing', `No value was entered for the secret ${name}.`);
  return value;
}
