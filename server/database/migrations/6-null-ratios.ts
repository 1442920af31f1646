import { type Kysely, sql } from 'kysely';
import { all, createHistoryView, estimates, type FigureColumns, storedType } from './create-history-view.ts';

/** Cells say how two identical listeners differed, and whether the load generator set the rate. */
export async function addNullRatios(queries: Kysely<unknown>): Promise<void> {
  for (const [name, type] of Object.entries(added)) {
    await queries.schema.alterTable('cell_figures').addColumn(name, storedType(type)).execute();
  }
  // PostgreSQL only appends columns to a view that is there.
  await sql`drop view v_cells`.execute(queries);
  await createHistoryView(queries, { table: 'cell_figures', view: 'v_cells', columns });
}

const added: FigureColumns = {
  generator_limited: 'truth',
  ...estimates(['throughput_null_ratio', 'cpu_null_ratio', 'latency_null_ratio']),
};

const columns: FigureColumns = {
  ...all(['cell', 'server', 'protocol', 'cipher', 'key'], 'text'),
  ...all(['keep_alive', 'resumption', 'client_certificates', 'k_tls'], 'truth'),
  ...all(['concurrency', 'document_bytes', 'visits'], 'integer'),
  error_share: 'double precision',
  generator_limited: 'truth',
  ...estimates([
    'throughput_http_per_s',
    'throughput_https_per_s',
    'throughput_ratio',
    'throughput_null_ratio',
  ]),
  ...estimates(['cpu_http_us', 'cpu_https_us', 'cpu_ratio', 'cpu_null_ratio']),
  ...estimates(['latency_http_us', 'latency_https_us', 'latency_ratio', 'latency_null_ratio']),
};
