import { targetEndpoints } from '../../../shared/api/target-endpoints.ts';
import type { RunRequest } from '../../../shared/kinds/comparison/run-request.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import type { ApiClient } from './api-client.ts';

/** The twin that a request could name, in a sentence; null where it names one, and where there is none. */
export async function twinHint(
  api: ApiClient,
  { target, scenario, sides, tls, connectionPolicy }: RunRequest,
  secrets: SecretValues,
): Promise<string | null> {
  if (target.kind !== 'origins' || target.twin !== undefined) return null;
  const { twinProposal } = await api.call(targetEndpoints.preflight, {
    body: { target, scenario, sides, tls, connectionPolicy, secrets },
  });
  if (twinProposal === null) return null;
  return `${twinProposal} belongs to the same server. To use it as the twin, add --twin ${twinProposal}.`;
}
