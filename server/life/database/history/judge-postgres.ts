import { parse } from 'libpg-query';
import { historyViewNames } from '../../../../shared/measurement/history.ts';
import { postgresFunctions, postgresNodes, postgresTypes, postgresValues } from './postgres-words.ts';
import { SqlProblem } from './questions.ts';

/**
 * Whether SQL only reads the views, judged on the tree of PostgreSQL's own parser by closed lists of what may stand in it.
 * Rights would not do: our user owns every table, and functions such as `query_to_xml` or `set_config` go past a plan and a
 * role. Throws SqlProblem.
 */
export async function judgePostgres(sql: string): Promise<Judged> {
  const { stmts } = await parseSql(sql);
  const [only, ...others] = stmts;
  if (only === undefined) throw new SqlProblem('sql_invalid', 'There is no statement.');
  if (others.length > 0) throw new SqlProblem('sql_refused', 'There is more than one statement.');
  const named = new Set<string>();
  try {
    collectNames(only.stmt, named);
    judge(only.stmt, new Set([...historyViewNames, ...named]));
  } catch (error) {
    throw error instanceof RangeError ? refused('It is nested too deeply.') : error;
  }
  const bytes = Buffer.from(sql, 'utf8');
  const start = only.stmt_location ?? 0;
  const end = only.stmt_len ? start + only.stmt_len : undefined;
  return { statement: bytes.subarray(start, end).toString('utf8'), named: [...named] };
}

type Judged = {
  /** Without what follows it. */
  statement: string;
  /** What its CTEs are called. Outside its CTE such a name would be that of a table, so it may not be the name of one. */
  named: string[];
};

type Statement = { stmt: unknown; stmt_location?: number; stmt_len?: number };

async function parseSql(sql: string): Promise<{ stmts: Statement[] }> {
  try {
    const tree = (await parse(sql)) as { stmts?: Statement[] };
    return { stmts: tree.stmts ?? [] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new SqlProblem('sql_invalid', `PostgreSQL says: ${message}.`);
  }
}

function collectNames(node: unknown, names: Set<string>): void {
  for (const [key, value] of entriesOf(node)) {
    if (key === 'ctename' && typeof value === 'string') names.add(value);
    else collectNames(value, names);
  }
}

function judge(node: unknown, names: ReadonlySet<string>): void {
  for (const [key, value] of entriesOf(node)) {
    const isTag = /^[A-Z]/.test(key);
    if (isTag && !postgresNodes.has(key))
      throw refused(`${key} is not available here: only a SELECT is run.`);
    if (key === 'intoClause' || key === 'lockingClause') throw refused('Only a SELECT that reads is run.');
    if (key === 'RangeVar') judgeRelation(value as Relation, names);
    if (key === 'FuncCall')
      judgeName((value as { funcname: Name[] }).funcname, postgresFunctions, 'function');
    if (key === 'SQLValueFunction') judgeValue((value as { op: string }).op);
    if (key === 'typeName') judgeName((value as { names: Name[] }).names, postgresTypes, 'type');
    if (key === 'A_Expr' && ((value as { name?: Name[] }).name?.length ?? 0) > 1) {
      throw refused('Operators of other schemas are not available here.');
    }
    judge(value, names);
  }
}

/** Of the words that PostgreSQL computes without parentheses, such as `current_date`. */
function judgeValue(op: string): void {
  const word = op.replace(/^SVFOP_|_N$/g, '').toLowerCase();
  if (!postgresValues.has(word)) throw refused(`${word} is not available here.`);
}

type Relation = { relname: string; schemaname?: string; catalogname?: string };
type Name = { String: { sval: string } };

function judgeRelation({ relname, schemaname }: Relation, names: ReadonlySet<string>): void {
  if (schemaname === undefined && names.has(relname)) return;
  const asked = schemaname === undefined ? relname : `${schemaname}.${relname}`;
  throw refused(`Only ${historyViewNames.join(', ')} can be read, not ${asked}.`);
}

function judgeName(parts: readonly Name[], known: ReadonlySet<string>, what: string): void {
  const words = parts.map((part) => part.String.sval);
  const name = words.at(-1) ?? '';
  const ours = words.length === 1 || (words.length === 2 && words[0] === 'pg_catalog');
  if (!ours || !known.has(name)) throw refused(`The ${what} ${words.join('.')} is not available here.`);
}

function entriesOf(node: unknown): [string, unknown][] {
  return typeof node === 'object' && node !== null ? Object.entries(node) : [];
}

function refused(detail: string): SqlProblem {
  return new SqlProblem('sql_refused', detail);
}
