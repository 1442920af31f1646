import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { ofMeasurement } from './references.ts';

/**
 * What documents say, as rows: documents are stored compressed, where SQL cannot look into them. The views add what is
 * known of each measurement.
 */
export async function createHistory(queries: Kysely<unknown>): Promise<void> {
  for (const [table, view, columns] of views) {
    await createFigures(queries, table, columns);
    await createView(queries, table, view, columns);
  }
  await queries.schema
    .createIndex('metric_figures_by_machine')
    .on('metric_figures')
    .columns(['machine', 'metric'])
    .execute();
  await queries.schema
    .createIndex('metric_figures_by_question')
    .on('metric_figures')
    .columns(['question', 'metric'])
    .execute();
}

type Type = 'text' | 'integer' | 'double precision' | 'truth';
type FigureColumns = Record<string, Type>;

async function createFigures(
  { schema }: Kysely<unknown>,
  table: string,
  columns: FigureColumns,
): Promise<void> {
  const start = schema
    .createTable(table)
    .addColumn('measurement_id', 'text', ofMeasurement)
    .addColumn('place', 'integer', (column) => column.notNull());
  await Object.entries(columns)
    .reduce((each, [name, type]) => each.addColumn(name as 'place', storedType(type)), start)
    .addPrimaryKeyConstraint(`${table}_key`, ['measurement_id', 'place'])
    .execute();
}

async function createView(
  queries: Kysely<unknown>,
  table: string,
  view: string,
  columns: FigureColumns,
): Promise<void> {
  const isPostgres = queries.getExecutor().adapter instanceof PostgresAdapter;
  const own = Object.entries(columns).map(([name, type]) => readColumn(name, type, isPostgres));
  const [created, finished] = ['created_at', 'ended_at'].map((name) => readTime(name, isPostgres));
  await sql
    .raw(
      `create view ${view} as select f.measurement_id, m.title, m.state, ${created} as created_at, ${finished} as finished_at, ${own.join(', ')} from ${table} f join measurements m on m.id = f.measurement_id`,
    )
    .execute(queries);
}

/** SQLite has no truth but 1 and 0. */
function storedType(type: Type) {
  return type === 'truth' ? 'integer' : type;
}

function readColumn(name: string, type: Type, isPostgres: boolean): string {
  return isPostgres && type === 'truth' ? `f.${name} = 1 as ${name}` : `f.${name}`;
}

function readTime(name: string, isPostgres: boolean): string {
  return isPostgres
    ? `to_timestamp(m.${name} / 1000.0)`
    : `strftime('%Y-%m-%dT%H:%M:%SZ', m.${name} / 1000, 'unixepoch')`;
}

/** A value and the ends of its interval. */
const estimates = (names: readonly string[]): FigureColumns =>
  Object.fromEntries(
    names.flatMap((name) => ['', '_lo', '_hi'].map((end) => [`${name}${end}`, 'double precision'])),
  );

const all = <Name extends string>(names: readonly Name[], type: Type): FigureColumns =>
  Object.fromEntries(names.map((name) => [name, type]));

/** What both sides of a run have. */
const sides = (names: readonly string[]): FigureColumns =>
  all(
    ['baseline', 'comparison'].flatMap((side) => names.map((name) => `${side}_${name}`)),
    'text',
  );

const views: [table: string, view: string, FigureColumns][] = [
  [
    'server_figures',
    'v_servers',
    {
      ...all(['cell', 'server', 'protocol', 'cipher', 'key'], 'text'),
      ...all(['keep_alive', 'resumption', 'client_certificates', 'k_tls'], 'truth'),
      ...all(['concurrency', 'document_bytes', 'visits'], 'integer'),
      error_share: 'double precision',
      generator_limited: 'truth',
      ...estimates(['throughput_http_per_s', 'throughput_https_per_s']),
      ...estimates(['throughput_ratio', 'throughput_twin_ratio']),
      ...estimates(['cpu_http_us', 'cpu_https_us', 'cpu_ratio', 'cpu_twin_ratio']),
      ...estimates(['latency_http_us', 'latency_https_us', 'latency_ratio', 'latency_twin_ratio']),
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
    'mesh_figures',
    'v_mesh',
    {
      ...all(['application', 'proxy'], 'text'),
      ...all(['client_proxy', 'mutual_tls'], 'truth'),
      ...all(['key', 'cost'], 'text'),
      ...estimates(['cpu_us', 'cpu_percent', 'latency_us', 'latency_percent']),
    },
  ],
  [
    'metric_figures',
    'v_metrics',
    {
      ...all(['target', 'scenario', 'question', 'preset'], 'text'),
      ...sides(['transport', 'name', 'protocol', 'cipher', 'group', 'key']),
      ...all(['metric', 'unit'], 'text'),
      ...estimates(['baseline', 'comparison', 'shift', 'ratio']),
      verdict: 'text',
      // What a run's intervals rest on, which its next runs borrow from.
      ...all(
        ['within_error', 'standard_error', 'degrees', 'own_variance', 'own_degrees'],
        'double precision',
      ),
      ...all(['widening_drift', 'widening_twin', 'widening_carry_over'], 'double precision'),
      ...all(['baseline_busy_cores', 'comparison_busy_cores'], 'double precision'),
      ...all(['load_class', 'target_kind', 'machine'], 'text'),
    },
  ],
];
