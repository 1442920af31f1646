import pg from 'pg';
import { historyViewNames, type SqlValue } from '../../../../shared/measurement/history.ts';
import { collectRows } from './collect-rows.ts';
import { judgePostgres } from './judge-postgres.ts';
import { type Reader, SqlProblem } from './questions.ts';

/** Rows that are fetched at a time, so that a result is cut before it fills the memory. */
const rowsAtOnce = 1000;

/** PostgreSQL in a transaction that can only read, with a time limit of its own, for what `judgePostgres` lets through. */
export async function openReadOnlyPostgres(url: string): Promise<Reader> {
  const client = new pg.Client({
    ...{ connectionString: url, connectionTimeoutMillis: 5000, application_name: 'tls-toll sql' },
    types: { getTypeParser: () => (text: string) => text },
  });
  client.on('error', () => {});
  await client.connect();

  return async ({ sql, limit, bytes, ms }) => {
    const { statement, named } = await judgePostgres(sql);
    await demandFree(client, named);
    try {
      await client.query(
        `begin transaction read only; set local statement_timeout = ${ms}; set local time zone 'UTC'; set local standard_conforming_strings = on`,
      );
      await client.query(`declare history no scroll cursor for ${statement}`);
      const { take, collected } = collectRows({ limit, bytes });
      for (;;) {
        const text = `fetch ${rowsAtOnce} from history`;
        const { rows, fields } = await client.query<(string | null)[]>({ text, rowMode: 'array' });
        const types = fields.map(({ dataTypeID }) => dataTypeID);
        const all = rows.every((row) => take(row.map((value, column) => readValue(value, types[column]))));
        if (all && rows.length === rowsAtOnce) continue;
        const columns = fields.map(({ name }) => name);
        return { columns, ...collected(), dialect: 'PostgreSQL' };
      }
    } catch (error) {
      throw problemOf(error, ms);
    } finally {
      await client.query('rollback').catch(() => {});
    }
  };
}

/** Whoever calls a CTE as a table is called could read the table where the CTE is out of sight. */
async function demandFree(client: pg.Client, names: readonly string[]): Promise<void> {
  const others = names.filter((name) => !historyViewNames.includes(name));
  const text =
    'select name from unnest($1::text[]) as name where to_regclass(quote_ident(name)) is not null limit 1';
  const { rows } = await client.query<{ name: string }>(text, [others]);
  const taken = rows[0]?.name;
  if (taken !== undefined) {
    throw new SqlProblem('sql_refused', `A table is called ${taken}: give the CTE another name.`);
  }
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

function problemOf(error: unknown, ms: number): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  if (error.code === '57014') {
    return new SqlProblem('sql_stopped', `The query took longer than ${ms / 1000} s.`);
  }
  if (error.code === '25006') return new SqlProblem('sql_refused', 'Only a SELECT that reads is run.');
  return new SqlProblem('sql_invalid', `PostgreSQL says: ${error.message}.`);
}
