import { z } from 'zod';
import type { Estimate } from '../kinds/comparison/comparison.ts';

/**
 * The history in SQL: four views over everything that was measured, the same in SQLite and PostgreSQL. The database, the
 * documentation, the command line and the page all read this.
 */

export type HistoryColumn = {
  name: string;
  type: 'text' | 'integer' | 'real' | 'boolean' | 'time';
  /** What it holds, in a few words. */
  about: string;
};

export const historyViewNames = ['v_servers', 'v_sizes', 'v_metrics', 'v_mesh'] as const;
export type HistoryViewName = (typeof historyViewNames)[number];

type HistoryView = {
  name: HistoryViewName;
  /** What is in a row. */
  row: string;
  columns: readonly HistoryColumn[];
};

/** Of the measurement, in every view. */
const measurementColumns: HistoryColumn[] = [
  { name: 'measurement_id', type: 'text', about: 'Id of the measurement; its page is /r/{id}' },
  { name: 'title', type: 'text', about: 'Title of the measurement' },
  { name: 'state', type: 'text', about: 'finished, incomplete, interrupted, refused or failed' },
  { name: 'created_at', type: 'time', about: 'When it was created, UTC' },
  { name: 'finished_at', type: 'time', about: 'When it ended, UTC' },
];

/** Those that do not come from the measurement. */
export const ownColumns: Record<HistoryViewName, HistoryColumn[]> = {
  v_servers: [
    { name: 'cell', type: 'text', about: 'Name of the cell' },
    { name: 'server', type: 'text', about: 'The server, such as nginx' },
    { name: 'protocol', type: 'text', about: 'TLSv1.3 or TLSv1.2' },
    { name: 'cipher', type: 'text', about: 'Null for the library’s choice' },
    { name: 'key', type: 'text', about: 'Key of the certificate' },
    { name: 'keep_alive', type: 'boolean', about: 'Whether connections stay open' },
    { name: 'resumption', type: 'boolean', about: 'Whether new connections resume a session' },
    {
      name: 'client_certificates',
      type: 'boolean',
      about: 'Whether clients show a certificate (mutual TLS)',
    },
    { name: 'k_tls', type: 'boolean', about: 'Whether the kernel encrypts' },
    { name: 'concurrency', type: 'integer', about: 'Connections open at the same time' },
    { name: 'document_bytes', type: 'integer', about: 'Size of the document' },
    { name: 'visits', type: 'integer', about: 'Visits that succeeded' },
    { name: 'error_share', type: 'real', about: 'Share of the requests that failed, 0 to 1' },
    {
      name: 'generator_limited',
      type: 'boolean',
      about: 'Whether the load generator set the rate; requests per second are then a lower bound',
    },
    ...estimate('throughput_http_per_s', 'Requests per second over HTTP'),
    ...estimate('throughput_https_per_s', 'Requests per second over HTTPS'),
    ...estimate('throughput_ratio', 'HTTPS divided by HTTP'),
    ...estimate('throughput_twin_ratio', 'Second HTTP listener divided by HTTP; 1 without noise'),
    ...estimate('cpu_http_us', 'Server CPU per request over HTTP at load, µs'),
    ...estimate('cpu_https_us', 'Server CPU per request over HTTPS at load, µs'),
    ...estimate('cpu_ratio', 'HTTPS divided by HTTP'),
    ...estimate('cpu_twin_ratio', 'Second HTTP listener divided by HTTP; 1 without noise'),
    ...estimate('latency_http_us', 'Median latency over HTTP, µs'),
    ...estimate('latency_https_us', 'Median latency over HTTPS, µs'),
    ...estimate('latency_ratio', 'HTTPS divided by HTTP'),
    ...estimate('latency_twin_ratio', 'Second HTTP listener divided by HTTP; 1 without noise'),
  ],
  v_sizes: [
    { name: 'target', type: 'text', about: 'Server started, or the two origins' },
    { name: 'transport', type: 'text', about: 'http or https' },
    { name: 'cipher', type: 'text', about: 'Cipher suite; null for http' },
    { name: 'size_bytes', type: 'integer', about: 'Size of the document' },
    { name: 'rounds', type: 'integer', about: 'Rounds that visited it' },
    { name: 'transactions', type: 'integer', about: 'Requests that succeeded' },
    { name: 'latency_us', type: 'real', about: 'Median latency, µs' },
    { name: 'latency_p2_5_us', type: 'real', about: '2.5th percentile, µs' },
    { name: 'latency_p12_5_us', type: 'real', about: '12.5th percentile, µs' },
    { name: 'latency_p87_5_us', type: 'real', about: '87.5th percentile, µs' },
    { name: 'latency_p97_5_us', type: 'real', about: '97.5th percentile, µs' },
    {
      name: 'cpu_us',
      type: 'real',
      about: 'Server CPU per request at load, µs',
    },
    { name: 'connect_us', type: 'real', about: 'Opening a connection, handshake included, µs' },
    ...estimate('latency_ratio', 'https divided by http; null for http'),
    ...estimate('latency_delta_us', 'https minus http, µs; null for http'),
    ...estimate('cpu_ratio', 'https divided by http; null for http'),
    ...estimate('cpu_delta_us', 'https minus http, µs; null for http'),
  ],
  v_metrics: [
    { name: 'target', type: 'text', about: 'What was loaded' },
    { name: 'scenario', type: 'text', about: 'Name of the scenario' },
    { name: 'question', type: 'text', about: 'The same for all runs of one question' },
    { name: 'preset', type: 'text', about: 'quick, standard or thorough' },
    ...side('baseline'),
    ...side('comparison'),
    { name: 'metric', type: 'text', about: 'Id of the metric, such as cpu_at_load' },
    { name: 'unit', type: 'text', about: 'Unit of baseline, comparison and shift' },
    ...estimate('baseline', 'Value of the baseline'),
    ...estimate('comparison', 'Value of the comparison'),
    ...estimate('shift', 'comparison minus baseline'),
    ...estimate('ratio', 'comparison divided by baseline'),
    { name: 'verdict', type: 'text', about: 'overhead, no_overhead, inconclusive, not_tested or refused' },
    {
      name: 'within_error',
      type: 'real',
      about: 'Standard error of the logarithm of the ratio, or of the shift, without what moves between runs',
    },
    { name: 'standard_error', type: 'real', about: 'The same with what moves between runs' },
    { name: 'degrees', type: 'real', about: 'Degrees of freedom of standard_error' },
    { name: 'own_variance', type: 'real', about: 'Variance of a launch or epoch, from this run alone' },
    { name: 'own_degrees', type: 'real', about: 'Degrees of freedom of own_variance' },
    { name: 'widening_drift', type: 'real', about: 'What drift added to either side of the interval' },
    { name: 'widening_twin', type: 'real', about: 'What the twin added' },
    { name: 'widening_carry_over', type: 'real', about: 'What carry-over between the sides added' },
    { name: 'baseline_busy_cores', type: 'real', about: 'Cores that the baseline kept busy at load' },
    { name: 'comparison_busy_cores', type: 'real', about: 'Cores that the comparison kept busy at load' },
    { name: 'load_class', type: 'text', about: 'full, or rate where the sides kept to an arrival rate' },
    { name: 'target_kind', type: 'text', about: 'storefront, managed or origins' },
    { name: 'machine', type: 'text', about: 'Machine that measured, since it was started' },
  ],
  v_mesh: [
    { name: 'application', type: 'text', about: 'Server started, or its address' },
    { name: 'proxy', type: 'text', about: 'haproxy or envoy' },
    { name: 'client_proxy', type: 'boolean', about: 'Whether there was a proxy on either side' },
    { name: 'mutual_tls', type: 'boolean', about: 'Whether proxies demanded a client certificate' },
    { name: 'key', type: 'text', about: 'Key of the certificate' },
    { name: 'cost', type: 'text', about: 'proxy, tls, or twin: the direct path again' },
    ...estimate('cpu_us', 'CPU that it adds to a request at load, µs'),
    ...estimate('cpu_percent', 'The same, of a direct request'),
    ...estimate('latency_us', 'Latency that it adds to a lone request, µs'),
    ...estimate('latency_percent', 'The same, of a direct request'),
  ],
};

export const historyViews: readonly HistoryView[] = [
  { name: 'v_servers', row: 'one row for each cell of a sweep over servers' },
  {
    name: 'v_sizes',
    row: 'one row for each document size of a sweep, over HTTP and over each HTTPS suite',
  },
  { name: 'v_metrics', row: 'one row for each metric of a run' },
  { name: 'v_mesh', row: 'one row for each cost of a mesh' },
].map(({ name, row }) => {
  const view = name as HistoryViewName;
  return { name: view, row, columns: [...measurementColumns, ...ownColumns[view]] };
});

/** A value and the ends of its 95 % confidence interval. */
function estimate(name: string, about: string): HistoryColumn[] {
  return [
    { name, type: 'real', about },
    { name: `${name}_lo`, type: 'real', about: '95 % CI, low end' },
    { name: `${name}_hi`, type: 'real', about: '95 % CI, high end' },
  ];
}

/** What one of the two sides of a run was. */
function side(name: 'baseline' | 'comparison'): HistoryColumn[] {
  return [
    { name: `${name}_transport`, type: 'text', about: 'http, https, h2c or h2' },
    { name: `${name}_name`, type: 'text', about: `What the ${name} is called` },
    { name: `${name}_protocol`, type: 'text', about: 'Its TLS version, as negotiated; null without TLS' },
    { name: `${name}_cipher`, type: 'text', about: 'Its cipher suite' },
    { name: `${name}_group`, type: 'text', about: 'Its key agreement group; null where that is not known' },
    { name: `${name}_key`, type: 'text', about: 'Key of its server' },
  ];
}

/** What a document says in one of the views, by column. Truth is 1 or 0. */
export type FigureRow = Record<string, string | number | null>;
export type Figures = { view: HistoryViewName; rows: FigureRow[] };

/** The columns of an estimate. */
export function spreadEstimate(name: string, estimate: Estimate | null | undefined): FigureRow {
  return {
    [name]: estimate?.center ?? null,
    [`${name}_lo`]: estimate?.lo ?? null,
    [`${name}_hi`]: estimate?.hi ?? null,
  };
}

/** Bumped when documents say more, or something else, in a view: every stored one is then read again. */
export const figuresVersion = 1;

export const sqlLimits = { rows: 10_000, mostRows: 100_000, bytes: 32 * 2 ** 20, ms: 5000 } as const;

export const sqlRequestSchema = z.strictObject({
  /** One SELECT, in the dialect of the database. */
  sql: z.string().trim().min(1, 'the SQL is empty').max(50_000),
  /** Rows after which the result is cut. */
  limit: z.int().min(1).max(sqlLimits.mostRows).default(sqlLimits.rows),
});
export type SqlRequest = z.infer<typeof sqlRequestSchema>;

export type SqlValue = string | number | boolean | null;

export const sqlResultSchema = z.strictObject({
  columns: z.array(z.string()),
  /** Half a million values come from our own server: looking at each would take longer than the query. */
  rows: z.array(
    z.custom<SqlValue[]>(Array.isArray).meta({
      override: { type: 'array', items: { type: ['string', 'number', 'boolean', 'null'] } },
    }),
  ),
  /** Why there are no more rows, in a sentence; null where these are all. */
  cut: z.string().nullable(),
  /** Which SQL was spoken. */
  dialect: z.enum(['SQLite', 'PostgreSQL']),
});
export type SqlResult = z.infer<typeof sqlResultSchema>;

/** Saved queries that answer on both databases. */
export const sqlExamples: readonly { title: string; sql: string }[] = [
  {
    title: 'Most expensive cells',
    sql: `select cell, throughput_http_per_s, throughput_https_per_s, throughput_ratio
from v_servers
where throughput_ratio is not null
order by throughput_ratio
limit 20`,
  },
  {
    title: 'Server and key, over all sweeps',
    sql: `select server, key, keep_alive, count(*) as cells, avg(throughput_ratio) as throughput_ratio, avg(cpu_ratio) as cpu_ratio
from v_servers
group by server, key, keep_alive
order by server, key, keep_alive`,
  },
  {
    title: 'One cell over time',
    sql: `select created_at, cell, cpu_ratio, cpu_ratio_lo, cpu_ratio_hi
from v_servers
where cell = (select cell from v_servers group by cell order by count(*) desc, cell limit 1)
order by created_at`,
  },
  {
    title: 'Overhead by document size',
    sql: `select target, cipher, size_bytes, latency_us, latency_ratio, latency_ratio_lo, latency_ratio_hi
from v_sizes
where transport = 'https'
order by target, cipher, size_bytes`,
  },
  {
    title: 'CPU per transaction at load of every run',
    sql: `select created_at, title, baseline_name, comparison_name, ratio, ratio_lo, ratio_hi, verdict
from v_metrics
where metric = 'cpu_at_load'
order by created_at desc`,
  },
];
