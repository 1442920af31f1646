import { serversHistory } from '../../../../shared/kinds/servers/history.ts';
import {
  type CellResult,
  type ServersDocument,
  type ServersMetric,
  serversMetrics,
} from '../../../../shared/kinds/servers/servers-result.ts';
import { type FigureRow, type Figures, spreadEstimate } from '../../../../shared/measurement/history-view.ts';

/** A row for each cell of the history in SQL. */
export function cellFigures({ cells }: Pick<ServersDocument, 'cells'>): Figures {
  return { view: serversHistory, rows: cells.map(rowOf) };
}

const units: Record<ServersMetric, string> = { throughput: '_per_s', cpu: '_us', latency: '_us' };

function rowOf(result: CellResult): FigureRow {
  const { cell, visits, errorShare, generatorLimited } = result;
  const { server, protocol, cipher, key, keepAlive, resumption, concurrency, document } = cell.settings;
  const { clientCertificates, kTls } = cell.settings;
  const row: FigureRow = {
    ...{ cell: cell.id, server, protocol, cipher, key, concurrency, visits },
    ...{ keep_alive: Number(keepAlive), resumption: Number(resumption) },
    ...{ client_certificates: Number(clientCertificates), k_tls: Number(kTls) },
    ...{ document_bytes: document, error_share: errorShare, generator_limited: Number(generatorLimited) },
  };
  for (const metric of serversMetrics) {
    for (const figure of ['http', 'https', 'ratio'] as const) {
      const name = `${metric}_${figure}${figure === 'ratio' ? '' : units[metric]}`;
      Object.assign(row, spreadEstimate(name, result[metric]?.[figure]));
    }
    Object.assign(row, spreadEstimate(`${metric}_twin_ratio`, result[metric]?.twinRatio));
  }
  return row;
}
