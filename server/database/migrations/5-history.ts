import type { Kysely } from 'kysely';
import { all, createHistoryView, estimates, type FigureColumns, storedType } from './create-history-view.ts';

/**
 * What documents say, as rows: documents are stored compressed, where SQL cannot look into them. The views add what is
 * known of each measurement. Types of the tables are not used here: they describe the newest version only.
 */
export async function createHistory(queries: Kysely<unknown>): Promise<void> {
  await queries.schema
    .alterTable('documents')
    .addColumn('figures_version', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  for (const [table, view, columns] of views) {
    await createFigures(queries, table, columns);
    await createHistoryView(queries, { table, view, columns });
  }
}

async function createFigures(
  { schema }: Kysely<unknown>,
  table: string,
  columns: FigureColumns,
): Promise<void> {
  const start = schema
    .createTable(table)
    .addColumn('measurement_id', 'text', (column) =>
      column.notNull().references('measurements.id').onDelete('cascade'),
    )
    .addColumn('place', 'integer', (column) => column.notNull());
  await Object.entries(columns)
    .reduce((each, [name, type]) => each.addColumn(name as 'place', storedType(type)), start)
    .addPrimaryKeyConstraint(`${table}_key`, ['measurement_id', 'place'])
    .execute();
}

const views: [table: string, view: string, FigureColumns][] = [
  [
    'cell_figures',
    'v_cells',
    {
      ...all(['cell', 'server', 'protocol', 'cipher', 'key'], 'text'),
      ...all(['keep_alive', 'resumption', 'client_certificates', 'k_tls'], 'truth'),
      ...all(['concurrency', 'document_bytes', 'visits'], 'integer'),
      error_share: 'double precision',
      ...estimates(['throughput_http_per_s', 'throughput_https_per_s', 'throughput_ratio']),
      ...estimates(['cpu_http_us', 'cpu_https_us', 'cpu_ratio']),
      ...estimates(['latency_http_us', 'latency_https_us', 'latency_ratio']),
    },
  ],
  [
    'size_figures',
    'v_sizes',
    {
      ...all(['target', 'transport', 'cipher'], 'text'),
      ...all(['size_bytes', 'rounds', 'transactions'], 'integer'),
      ...all(['latency_us', 'latency_p2_5_us', 'latency_p12_5_us'], 'double precision'),
      ...all(['latency_p87_5_us', 'latency_p97_5_us', 'cpu_us', 'connect_us'], 'double precision'),
      ...estimates(['latency_ratio', 'latency_delta_us', 'cpu_ratio', 'cpu_delta_us']),
    },
  ],
  [
    'metric_figures',
    'v_metrics',
    {
      ...all(['target', 'scenario', 'preset', 'baseline_transport', 'comparison_transport'], 'text'),
      ...all(['tls_protocol', 'cipher', 'metric', 'unit'], 'text'),
      ...estimates(['baseline', 'comparison', 'shift', 'ratio']),
      verdict: 'text',
    },
  ],
];
