import { randomBytes } from 'node:crypto';
import { constants, DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { historyViewNames, type SqlValue } from '../../../shared/results/history.ts';
import { invalidSql, type Reader, SqlProblem } from './history-questions.ts';
import { collectRows } from './read-only-postgres.ts';

/**
 * Read-only SQLite, only through the views. SQLite's authorizer judges every column that a query reads, and gets the name of the
 * reading view. A CTE named like a view passes for it, so the views are copied under a name that nobody can guess, and only the
 * copies may read tables.
 */
export function openReadOnlySqlite(file: string): Reader {
  const database = new DatabaseSync(file, {
    ...{ readOnly: true, defensive: true, allowExtension: false, timeout: 5000 },
    enableDoubleQuotedStringLiterals: false,
    limits: { attach: 0, length: longestValue, sqlLength: 100_000 },
  });
  // Sorting in memory instead of in files: memory is watched, a disk that fills up would stop a measurement.
  database.exec('pragma temp_store = memory');
  const known = { tables: listTables(database), inner: copyViews(database) };
  database.exec('pragma query_only = on');
  let problem: string | null = null;
  database.setAuthorizer((action, first, second, _schema, accessor) => {
    const reason = judge({ action, first: first ?? '', second: second ?? '', accessor }, known);
    problem ??= reason;
    return reason === null ? constants.SQLITE_OK : constants.SQLITE_DENY;
  });

  return ({ sql, limit, bytes }) => {
    problem = null;
    try {
      const statement = prepareOnly(database, sql);
      statement.setReturnArrays(true);
      statement.setReadBigInts(true);
      const { take, collected } = collectRows({ limit, bytes });
      for (const row of statement.iterate() as Iterable<unknown>) {
        if (!take((row as SQLOutputValue[]).map(readValue))) break;
      }
      const columns = statement.columns().map(({ name }) => name);
      return { columns, ...collected(), dialect: 'SQLite' };
    } catch (error) {
      if (error instanceof SqlProblem) throw error;
      if (problem !== null) throw new SqlProblem('sql_refused', problem);
      throw invalidSql(error);
    }
  };
}

const longestValue = 2 ** 20;

/** SQLite prepares the first statement and forgets the rest. */
function prepareOnly(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  if (/[^\s;]/.test(sql.slice(statement.sourceSQL.length).replaceAll(comments, ' '))) {
    throw new SqlProblem('sql_refused', 'There is more than one statement.');
  }
  return statement;
}

const comments = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** @returns the prefix of their names */
function copyViews(database: DatabaseSync): string {
  const inner = `v_${randomBytes(16).toString('hex')}`;
  for (const name of historyViewNames) {
    const { sql } = database.prepare('select sql from sqlite_schema where name = ?').get(name) ?? {};
    const body = String(sql).slice(String(sql).indexOf(' as '));
    database.exec(`create temp view ${inner}_${name}${body}`);
    database.exec(`create temp view ${name} as select * from ${inner}_${name}`);
  }
  return inner;
}

/** Functions that return rows of their own argument. */
const rowFunctions = ['json_each', 'json_tree'];
const dangerousFunctions = ['load_extension', 'fts3_tokenizer'];

type Access = { action: number; first: string; second: string; accessor: string | null };

/** Tables of the database, and the prefix of the copied views' names. */
type Known = { tables: ReadonlySet<string>; inner: string };

/** Null for what may be; else why not, in a sentence. */
function judge(access: Access, known: Known): string | null {
  const { action, first, second } = access;
  switch (action) {
    case constants.SQLITE_SELECT:
    case constants.SQLITE_RECURSIVE:
      return null;
    case constants.SQLITE_FUNCTION:
      return dangerousFunctions.includes(second) ? `The function ${second} is not available here.` : null;
    case constants.SQLITE_READ:
      return isReadable(access, known)
        ? null
        : `Only ${historyViewNames.join(', ')} can be read, not ${first}.`;
    case constants.SQLITE_ATTACH:
    case constants.SQLITE_DETACH:
      return 'Other databases cannot be attached.';
    case constants.SQLITE_PRAGMA:
      return `Pragmas are not available: ${first}.`;
    default:
      return 'This SQL does something else than read: only a SELECT is run.';
  }
}

function isReadable({ first, second, accessor }: Access, { tables, inner }: Known): boolean {
  if (historyViewNames.includes(first) || rowFunctions.includes(first)) return true;
  // Counting the rows of a CTE reads no column of what has its name.
  if (second === '' && !tables.has(first) && !/^(sqlite|pragma)_/i.test(first)) return true;
  return accessor?.startsWith(inner) === true || first.startsWith(inner);
}

/** Includes the tables of SQLite's modules. */
function listTables(database: DatabaseSync): ReadonlySet<string> {
  const rows = database
    .prepare('select name from sqlite_schema union select name from pragma_module_list')
    .all();
  return new Set(rows.map(({ name }) => String(name)));
}

function readValue(value: SQLOutputValue): SqlValue {
  if (typeof value === 'bigint') {
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : value;
}
