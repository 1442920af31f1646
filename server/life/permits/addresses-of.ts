import { isRecord } from '../../base/text/is-record.ts';

/** The addresses that a request leads to: origins of a target that stands already, and its agent or exporter. */
export function addressesOf(request: unknown): string[] {
  const target = isRecord(request) && isRecord(request.target) ? request.target : {};
  const { http, https, twin, agent, prometheus } = target;
  const agentAddress = isRecord(agent) ? agent.address : undefined;
  const exporter = isRecord(prometheus) ? prometheus.url : undefined;
  const origins = [http, https, twin, exporter].filter((each) => typeof each === 'string');
  return typeof agentAddress === 'string' ? [...origins, `https://${agentAddress}`] : origins;
}
