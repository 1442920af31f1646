import type { Scenario } from '../../../shared/scenario/scenario.ts';
import { secretsOf } from '../scenario/secrets.ts';
import { quote } from './placeholders.ts';

type Reading = {
  /** The record of the environment in the script. */
  environment: string;
  /** Of the record of secrets, where the script has types. */
  type: string;
  /** A sentence that says how a value is given. */
  how: string;
};

/** Names of the secrets that the steps send. */
export function sentSecrets(scenario: Scenario): string[] {
  return secretsOf({ ...scenario, pages: [], sensitivePaths: [] });
}

/** Reads all secrets of a scenario, and ends the script by the name of one that has no value. None without secrets. */
export function secretLines(scenario: Scenario, { environment, type, how }: Reading): string[] {
  const names = sentSecrets(scenario);
  if (names.length === 0) return [];
  return [
    `const secrets${type} = {};`,
    `for (const name of [${names.map(quote).join(', ')}]) {`,
    `  if (!${environment}[name]) throw new Error(\`The secret \${name} has no value. ${how}\`);`,
    `  secrets[name] = ${environment}[name];`,
    '}',
  ];
}
