import { isRecord } from '../text/is-record.ts';

/** The addresses that a request leads to: origins of a target that stands already, and its agent. */
export function addressesOf(request: unknown): string[] {
  const target = isRecord(request) && isRecord(request.target) ? request.target : {};
  const { http, https, twin, agent } = target;
  const agentAddress = isRecord(agent) ? agent.address : undefined;
  const origins = [http, https, twin].filter((each) => typeof each === 'string');
  return typeof agentAddress === 'string' ? [...origins, `https://${agentAddress}`] : origins;
}
