import { z } from 'zod';
import { metricsHistory } from '../kinds/comparison/metrics-history.ts';
import { meshHistory } from '../kinds/mesh/mesh.ts';
import { pricesHistory } from '../kinds/prices/prices.ts';
import { serversHistory } from '../kinds/servers/servers.ts';
import { sizesHistory } from '../kinds/sizes/sizes.ts';
import type { HistoryColumn, HistoryView } from '../measurement/history-view.ts';

/**
 * The history in SQL: views over the results of the kinds that declare one, the same in SQLite and PostgreSQL. The database, the
 * documentation, the command line and the page all read this.
 */
export const declaredViews: readonly HistoryView[] = [
  serversHistory,
  sizesHistory,
  metricsHistory,
  meshHistory,
  pricesHistory,
];

/** Columns about the measurement, in every view. */
const measurementColumns: HistoryColumn[] = [
  { name: 'measurement_id', type: 'text', about: 'Id of the measurement; its page is /r/{id}' },
  { name: 'title', type: 'text', about: 'Title of the measurement' },
  { name: 'state', type: 'text', about: 'finished, incomplete, interrupted, refused or failed' },
  { name: 'created_at', type: 'time', about: 'When it was created, UTC' },
  { name: 'finished_at', type: 'time', about: 'When it ended, UTC' },
];

/** With all of their columns. */
export const historyViews: readonly HistoryView[] = declaredViews.map((view) => ({
  ...view,
  columns: [...measurementColumns, ...view.columns],
}));
export const historyViewNames = historyViews.map(({ name }) => name);

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

/** Six digits: files have all of them. */
export function printSqlValue(value: SqlValue): string {
  if (value === null) return '–';
  return typeof value === 'number' && !Number.isInteger(value)
    ? String(Number(value.toPrecision(6)))
    : String(value);
}

/** Lists of columns leave interval ends out: one sentence explains them all. */
export function isNoIntervalEnd({ name }: HistoryColumn): boolean {
  return !/_(lo|hi)$/.test(name);
}

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
    title: 'Most expensive combinations',
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
    title: 'One combination over time',
    sql: `select created_at, cell, cpu_ratio, cpu_ratio_lo, cpu_ratio_hi
from v_servers
where cell = (select cell from v_servers group by cell order by count(*) desc, cell limit 1)
order by created_at`,
  },
  {
    title: 'Added cost by document size',
    sql: `select target, cipher, size_bytes, latency_us, latency_ratio, latency_ratio_lo, latency_ratio_hi
from v_sizes
where transport = 'https'
order by target, cipher, size_bytes`,
  },
  {
    title: 'CPU per transaction at full load of every run',
    sql: `select created_at, title, baseline_name, comparison_name, ratio, ratio_lo, ratio_hi, verdict
from v_metrics
where metric = 'cpu_at_load'
order by created_at desc`,
  },
  {
    title: 'Price of each item by server',
    sql: `select item, target, version, key, http, https, difference, difference_lo, difference_hi, created_at
from v_prices
order by item, target, created_at desc`,
  },
];
