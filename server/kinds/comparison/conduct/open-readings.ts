import { problem } from '../../../../shared/base/problem.ts';
import type { SecretValues } from '../../../../shared/scenario/scenario.ts';
import { exporterTokenName } from '../../../../shared/target/prometheus-source.ts';
import { agentTokenName } from '../../../../shared/target/remote-readings.ts';
import type { OpenTarget } from '../../../targets/open-target.ts';
import { openAgentReadings } from '../../../targets/sampling/agent/agent-readings.ts';
import { openPrometheusReadings } from '../../../targets/sampling/prometheus/prometheus-readings.ts';
import type { Readings } from '../../../targets/sampling/readings.ts';
import { type Apparatus, readingsHere } from '../../apparatus.ts';

/**
 * What the target's CPU is read from: its agent, an exporter, or the processes of this machine. Throws as `openAgentReadings`
 * and `openPrometheusReadings` do.
 */
export async function openReadings<Name extends string>(
  { agent, exporter, listeners }: Pick<OpenTarget<Name>, 'agent' | 'exporter' | 'listeners'>,
  secrets: SecretValues,
  apparatus: Pick<Apparatus, 'openSampler'>,
  signal: AbortSignal,
): Promise<Readings<Name>> {
  const arms = Object.keys(listeners) as Name[];
  if (exporter !== null) {
    const exporterToken = exporter.bearer ? secrets[exporterTokenName] : null;
    if (exporterToken === undefined)
      throw problem('secret_missing', 'The token of the exporter has no value.');
    return openPrometheusReadings(arms, exporter, exporterToken, signal);
  }
  if (agent === null) return readingsHere(listeners, apparatus);
  const token = secrets[agentTokenName];
  if (token === undefined) throw problem('secret_missing', 'The token of the agent has no value.');
  return openAgentReadings(arms, agent, token, signal);
}
