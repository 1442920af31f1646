import { problem } from '../../shared/problem.ts';
import { agentTokenName, agentTokenSchema } from '../../shared/remote-readings.ts';
import type { SecretValues } from '../../shared/scenario.ts';
import type { Target } from '../../shared/target.ts';

/** Names of the secrets that a target needs beside those of the scenario. */
export function secretsOfTarget(target: Target): string[] {
  return target.kind === 'origins' && target.agent !== undefined ? [agentTokenName] : [];
}

/** The scenario's secrets alone: what reads the target must never be sent to it. */
export function secretsOfScenario(target: Target, values: SecretValues): SecretValues {
  const others = new Set(secretsOfTarget(target));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !others.has(name)));
}

/** Throws secret_missing, invalid_request, when the target has an agent and this is no token for it. */
export function demandAgentToken(target: Target, values: SecretValues): void {
  if (secretsOfTarget(target).length === 0) return;
  const field = `secrets.${agentTokenName}`;
  const token = values[agentTokenName];
  if (token === undefined) {
    const message = 'the token of the agent has no value';
    throw problem('secret_missing', {
      detail: 'The token of the agent has no value.',
      errors: [{ field, message }],
    });
  }
  const message = agentTokenSchema.safeParse(token).error?.issues[0]?.message;
  if (message === undefined) return;
  throw problem('invalid_request', { detail: `${field}: ${message}`, errors: [{ field, message }] });
}
