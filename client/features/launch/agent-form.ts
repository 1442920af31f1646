import { agentTokenName, agentTokenSchema, placeSchema } from '../../../shared/target/remote-readings.ts';
import { fingerprintSchema, type OriginsTarget } from '../../../shared/target/target.ts';
import { type FieldMessages, type LaunchForm, usesAgent } from './form-shape.ts';

/** The agent on the target's host, as it is typed. */

export function agentOf(form: LaunchForm): Pick<OriginsTarget, 'agent'> {
  if (!usesAgent(form)) return {};
  return { agent: { address: form.agent.trim(), fingerprint: form.agentKey.trim() } };
}

/** Beside the scenario's secrets. */
export function agentSecretOf(form: LaunchForm): Record<string, string> {
  return usesAgent(form) ? { [agentTokenName]: form.agentToken.trim() } : {};
}

export function agentMessages(form: LaunchForm): FieldMessages {
  if (!usesAgent(form)) return {};
  const messages: FieldMessages = {};
  if (!placeSchema.safeParse(form.agent.trim()).success) {
    messages.agent = 'Give host and port, such as 10.1.0.5:7301.';
  }
  if (!fingerprintSchema.safeParse(form.agentKey.trim()).success) {
    messages.agentKey = 'Paste the fingerprint that the agent prints, 32 bytes in hex.';
  }
  if (!agentTokenSchema.safeParse(form.agentToken.trim()).success) {
    messages.agentToken = 'Paste the line of the agent’s token file, at least 32 characters.';
  }
  return messages;
}
