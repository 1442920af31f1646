import { meshHistory } from '../../../../shared/kinds/mesh/history.ts';
import { type MeshDocument, meshShiftNames } from '../../../../shared/kinds/mesh/mesh.ts';
import { applicationName } from '../../../../shared/kinds/mesh/mesh-sentence.ts';
import { type Figures, spreadEstimate } from '../../../../shared/measurement/history-view.ts';

/** A row for each cost of the history in SQL. */
export function meshFigures({
  request,
  cpu,
  latency,
}: Pick<MeshDocument, 'request' | 'cpu' | 'latency'>): Figures {
  const { proxy, clientProxy, mutual, key } = request;
  const rows = meshShiftNames.map((cost) => ({
    ...{ application: applicationName(request), proxy, key, cost },
    ...{ client_proxy: clientProxy ? 1 : 0, mutual_tls: mutual ? 1 : 0 },
    ...spreadEstimate('cpu_us', cpu[cost]?.us),
    ...spreadEstimate('cpu_percent', cpu[cost]?.percent),
    ...spreadEstimate('latency_us', latency[cost]?.us),
    ...spreadEstimate('latency_percent', latency[cost]?.percent),
  }));
  return { view: meshHistory, rows };
}
