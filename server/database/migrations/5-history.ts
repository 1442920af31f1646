import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * What documents say, as rows: documents are stored compressed, where SQL cannot look into them. The views add what is
 * known of each measurement. Types of the tables are not used here: they describe the newest version only.
 */
export async function createHistory(queries: Kysely<unknown>): Promise<void> {
  await queries.schema
    .alterTable('documents')
    .addColumn('figures_version', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  const isPostgres = queries.getExecutor().adapter instanceof PostgresAdapter;
  for (const [table, view, columns] of views) {
    await createFigures(queries, table, columns);
    const own = Object.entries(columns).map(([name, type]) => readColumn(name, type, isPostgres));
    const [created, finished] = ['created_at', 'ended_at'].map((name) => readTime(name, isPostgres));
    await sql
      .raw(
        `create view ${view} as select f.measurement_id, m.title, m.state, ${created} as created_at, ${finished} as finished_at, ${own.join(', ')} from ${table} f join measurements m on m.id = f.measurement_id`,
      )
      .execute(queries);
  }
}

type Type = 'text' | 'integer' | 'double precision' | 'truth';
type Columns = Record<string, Type>;

async function createFigures({ schema }: Kysely<unknown>, table: string, columns: Columns): Promise<void> {
  const start = schema
    .createTable(table)
    .addColumn('measurement_id', 'text', (column) =>
      column.notNull().references('measurements.id').onDelete('cascade'),
    )
    .addColumn('place', 'integer', (column) => column.notNull());
  await Object.entries(columns)
    .reduce(
      (each, [name, type]) => each.addColumn(name as 'place', type === 'truth' ? 'integer' : type),
      start,
    )
    .addPrimaryKeyConstraint(`${table}_key`, ['measurement_id', 'place'])
    .execute();
}

/** SQLite has no truth but 1 and 0. */
function readColumn(name: string, type: Type, isPostgres: boolean): string {
  return isPostgres && type === 'truth' ? `f.${name} = 1 as ${name}` : `f.${name}`;
}

function readTime(name: string, isPostgres: boolean): string {
  return isPostgres
    ? `to_timestamp(m.${name} / 1000.0)`
    : `strftime('%Y-%m-%dT%H:%M:%SZ', m.${name} / 1000, 'unixepoch')`;
}

const estimates = (names: readonly string[]): Columns =>
  Object.fromEntries(
    names.flatMap((name) => ['', '_lo', '_hi'].map((end) => [`${name}${end}`, 'double precision'])),
  );

const all = <Name extends string>(names: readonly Name[], type: Type): Columns =>
  Object.fromEntries(names.map((name) => [name, type]));

const views: [table: string, view: string, Columns][] = [
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
