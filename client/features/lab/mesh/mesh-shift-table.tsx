import {
  type MeshDocument,
  type MeshShift,
  type MeshShiftName,
  meshShiftNames,
} from '../../../../shared/kinds/mesh/mesh.ts';
import { printPercentInterval, printUsInterval } from '../../../../shared/kinds/mesh/mesh-sentence.ts';
import { DataTable } from '../../../components/data-table.tsx';

/** What the proxies add, what TLS in them adds, and what comes from nothing. */
export function MeshShiftTable({ cpu, latency, request }: Pick<MeshDocument, 'cpu' | 'latency' | 'request'>) {
  const titles: Record<MeshShiftName, string> = {
    proxy: request.clientProxy ? 'Proxies, without TLS' : 'Proxy, without TLS',
    tls: request.mutual ? 'Mutual TLS in addition' : 'TLS in addition',
    twin: 'Null check: direct again',
  };
  const inUs = (shift: MeshShift | null) => (shift === null ? '–' : printUsInterval(shift.us));
  const inPercent = (shift: MeshShift | null) => (shift === null ? '–' : printPercentInterval(shift.percent));
  return (
    <DataTable
      caption="What a request takes more than a direct one, 95 % CI"
      testId="mesh-shifts"
      rows={meshShiftNames}
      keyOf={(name) => name}
      columns={[
        { label: 'Cost of', cell: (name) => titles[name] },
        { label: 'CPU at load', cell: (name) => inUs(cpu[name]) },
        { label: 'CPU, of direct', cell: (name) => inPercent(cpu[name]) },
        { label: 'Lone request', cell: (name) => inUs(latency[name]) },
        { label: 'Lone request, of direct', cell: (name) => inPercent(latency[name]) },
      ]}
    />
  );
}
