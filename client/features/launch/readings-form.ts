import { selectorProblem } from '../../../shared/kinds/comparison/metric-selector.ts';
import { exporterProblem, usualMetrics } from '../../../shared/target/exporter-problem.ts';
import { exporterTokenName, exporterTokenSchema } from '../../../shared/target/prometheus-source.ts';
import { agentTokenName, agentTokenSchema, placeSchema } from '../../../shared/target/remote-readings.ts';
import { fingerprintSchema, type OriginsTarget } from '../../../shared/target/target.ts';
import { agentFields, exporterFields, type FieldMessages, type LaunchForm, typedIn } from './form-shape.ts';

/** What else reads what the target uses, as the form has it: the agent on its host, or an exporter. */

export function readingsOf(form: LaunchForm): Pick<OriginsTarget, 'agent' | 'prometheus'> {
  const [agent, exporter] = [typedIn(form, agentFields), typedIn(form, exporterFields)];
  const { cpu, memory } = usualMetrics;
  return {
    ...(agent && { agent: { address: agent.agent, fingerprint: agent.agentKey } }),
    ...(exporter && {
      prometheus: {
        url: exporter.prometheus,
        cpu: exporter.prometheusCpu || cpu,
        memory: exporter.prometheusMemory || memory,
        ...(exporter.prometheusToken === '' ? {} : { bearer: true }),
      },
    }),
  };
}

/** Beside the scenario's secrets. */
export function readingSecretsOf(form: LaunchForm): Record<string, string> {
  const [agent, exporter] = [typedIn(form, agentFields), typedIn(form, exporterFields)];
  return {
    ...(agent && { [agentTokenName]: agent.agentToken }),
    ...(exporter?.prometheusToken && { [exporterTokenName]: exporter.prometheusToken }),
  };
}

export function readingMessages(form: LaunchForm): FieldMessages {
  const messages = { ...agentMessages(form), ...exporterMessages(form) };
  return Object.fromEntries(Object.entries(messages).filter(([, message]) => message !== null));
}

type Messages = Partial<Record<keyof FieldMessages, string | null>>;

function agentMessages(form: LaunchForm): Messages {
  const typed = typedIn(form, agentFields);
  if (typed === null) return {};
  const isPlace = placeSchema.safeParse(typed.agent).success;
  const isFingerprint = fingerprintSchema.safeParse(typed.agentKey).success;
  const isToken = agentTokenSchema.safeParse(typed.agentToken).success;
  return {
    agent: isPlace ? null : 'Give host and port, such as 10.1.0.5:7301.',
    agentKey: isFingerprint ? null : 'Paste the fingerprint that the agent prints, 32 bytes in hex.',
    agentToken: isToken ? null : 'Paste the line of the agent’s token file, at least 32 characters.',
  };
}

function exporterMessages(form: LaunchForm): Messages {
  const typed = typedIn(form, exporterFields);
  if (typed === null) return {};
  const { prometheus, prometheusCpu: cpu, prometheusMemory: memory, prometheusToken: token } = typed;
  const isToken = token === '' || exporterTokenSchema.safeParse(token).success;
  return {
    prometheus: exporterProblem(prometheus),
    prometheusCpu: cpu === '' ? null : selectorProblem(cpu),
    prometheusMemory: memory === '' ? null : selectorProblem(memory),
    prometheusToken: isToken ? null : 'Paste the token alone: letters, digits, and -._~+/ on one line.',
  };
}
