import pg from 'pg';
import type { SqlValue } from '../../../shared/results/history.ts';
import { invalidSql, type Reader, type ReaderPlace, SqlProblem } from './history-questions.ts';

/** Rows that are fetched at a time, so that a result is cut before it fills the memory. */
const rowsAtOnce = 1000;

/**
 * PostgreSQL as a role that may only read the views, in a read-only transaction with its own time limit.
 * Throws SqlProblem.
 * @param judge gives the one statement that is run
 */
export async function openReadOnlyPostgres(
  { schema, ...place }: ReaderPlace,
  judge: (sql: string) => Promise<string>,
): Promise<{ read: Reader; backend: number; close(): Promise<void> }> {
  const client = new pg.Client({
    ...{ ...place, connectionTimeoutMillis: 5000, application_name: 'tls-toll sql' },
    types: { getTypeParser: () => (text: string) => text },
  });
  client.on('error', () => {});
  await client.connect().catch((error) => {
    throw problemOfConnection(error, place);
  });
  const { rows } = await client.query<{ backend: string }>('select pg_backend_pid() as backend');
  const guard = await guardOf(client);
  const path = `pg_catalog, ${pg.escapeIdentifier(schema)}, pg_temp`;

  const read: Reader = async ({ sql, limit, bytes, ms }) => {
    const statement = await judge(sql);
    const until = performance.now() + ms;
    // A query may change its limits, but only for later statements.
    const limited = async (text: string) => {
      const left = Math.max(1, Math.ceil(until - performance.now()));
      await client.query(`${guard}; set local statement_timeout = ${left}`);
      return await client.query<(string | null)[]>({ ...single, text });
    };
    try {
      await client.query(
        `begin transaction read only; set local search_path = ${path}; set local time zone 'UTC'; set local standard_conforming_strings = on`,
      );
      await limited(`declare history no scroll cursor for ${statement}`);
      const { take, collected } = collectRows({ limit, bytes });
      for (;;) {
        const { rows, fields } = await limited(`fetch ${rowsAtOnce} from history`);
        const types = fields.map(({ dataTypeID }) => dataTypeID);
        const all = rows.every((row) => take(row.map((value, column) => readValue(value, types[column]))));
        if (all && rows.length === rowsAtOnce) continue;
        const columns = fields.map(({ name }) => name);
        return { columns, ...collected(), dialect: 'PostgreSQL' };
      }
    } catch (error) {
      throw problemOfQuery(error, ms);
    } finally {
      await client.query('rollback').catch(() => {});
    }
  };
  return { read, backend: Number(rows[0]?.backend), close: () => client.end() };
}

/** The extended protocol accepts only one statement. */
const single = { rowMode: 'array', queryMode: 'extended' } as const;

/** PostgreSQL 14 and later check during a query whether the client is still connected. */
async function guardOf(client: pg.Client): Promise<string> {
  const guard = 'set client_connection_check_interval = 500';
  return await client.query(guard).then(
    () => guard,
    () => 'select',
  );
}

const { builtins } = pg.types;
const numbers: readonly number[] = [
  ...[builtins.INT2, builtins.INT4, builtins.INT8],
  ...[builtins.FLOAT4, builtins.FLOAT8, builtins.NUMERIC],
];

/** Times as SQLite's views give them, numbers where a number holds them. */
function readValue(text: string | null, type: number | undefined): SqlValue {
  if (text === null) return null;
  if (type === builtins.BOOL) return text === 't';
  if (type === builtins.TIMESTAMPTZ) return text.replace(' ', 'T').replace(/\.\d+/, '').replace('+00', 'Z');
  if (type === undefined || !numbers.includes(type)) return text;
  const value = Number(text);
  const exact = !Number.isInteger(value) || Number.isSafeInteger(value);
  return Number.isFinite(value) && exact ? value : text;
}

function problemOfQuery(error: unknown, ms: number): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  switch (error.code) {
    case '57014':
      return new SqlProblem('sql_stopped', `The query took longer than ${ms / 1000} s.`);
    case '25006':
      return new SqlProblem('sql_refused', 'Only a SELECT that reads is run.');
    case '42501':
      return new SqlProblem('sql_refused', 'Only the views can be read.');
    default:
      return invalidSql(error);
  }
}

/** The role is not the user of DATABASE_URL, so PostgreSQL may accept one and reject the other. */
function problemOfConnection(error: unknown, { host, database, user }: Omit<ReaderPlace, 'schema'>): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  if (error.code === '53300') return new SqlProblem('sql_busy', 'Too many queries are running.');
  if (!error.code?.startsWith('28')) return error;
  const from = host.startsWith('/') ? 'local' : 'host';
  const line = [from, `"${database}"`, `"${user}"`, ...(from === 'host' ? ['all'] : []), 'scram-sha-256'];
  return new SqlProblem(
    'sql_off',
    `PostgreSQL rejects ${user}, the role that SQL runs as. Put this line first in pg_hba.conf and reload it: ${line.join(' ')}`,
  );
}

type Collected = { rows: SqlValue[][]; cut: string | null };

/** Rows until there are as many, or as many bytes, as a result may have. Says why it stopped, if there was more. */
export function collectRows({ limit, bytes }: { limit: number; bytes: number }) {
  const rows: SqlValue[][] = [];
  let size = 0;
  let cut: string | null = null;
  return {
    /** False when no more are taken. */
    take(row: SqlValue[]): boolean {
      if (rows.length === limit) {
        cut = `Cut after ${printRows(limit)}.`;
        return false;
      }
      size += row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
      if (size > bytes) {
        cut = `Cut after ${printRows(rows.length)}: a result has at most ${Math.round(bytes / 2 ** 20)} MiB.`;
        return false;
      }
      rows.push(row);
      return true;
    },
    collected: (): Collected => ({ rows, cut }),
  };
}

function printRows(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;
}
