import { parse } from 'libpg-query';
import { historyViewNames, historyViews } from '../../../shared/results/history.ts';
import { invalidSql, SqlProblem } from './history-questions.ts';
import {
  postgresFunctions,
  postgresOperators,
  postgresTree,
  postgresTypes,
  postgresValues,
} from './postgres-words.ts';

/**
 * Checks that SQL only reads the views, on the tree of PostgreSQL's own parser, and refuses everything unknown. The role that SQL runs
 * as is a second, independent wall. Throws SqlProblem.
 * @returns the statement, without the text after it
 */
export async function judgePostgres(sql: string): Promise<string> {
  const [only, ...others] = await parseSql(sql);
  if (only === undefined) throw new SqlProblem('sql_invalid', 'There is no statement.');
  if (others.length > 0) throw refused('There is more than one statement.');
  const { SelectStmt: select } = only.stmt;
  if (select === undefined) throw refused('Only a SELECT is run.');
  try {
    new Judge().judge(select);
  } catch (error) {
    throw error instanceof RangeError ? refused('It is nested too deeply.') : error;
  }
  const start = only.stmt_location ?? 0;
  const end = only.stmt_len ? start + only.stmt_len : undefined;
  return Buffer.from(sql, 'utf8').subarray(start, end).toString('utf8');
}

/** A node, with the fields that are read by name. */
type Tree = {
  [Field in
    | 'name'
    | 'val'
    | 'arg'
    | 'fields'
    | 'funcname'
    | 'colnames'
    | 'ctename'
    | 'valuesLists']?: unknown;
} & {
  [Kind in
    | 'ResTarget'
    | 'ColumnRef'
    | 'FuncCall'
    | 'TypeCast'
    | 'List'
    | 'String'
    | 'A_Star'
    | 'CommonTableExpr']?: Tree;
} & {
  [field: string]: unknown;
};
type Statement = { stmt: { SelectStmt?: Tree }; stmt_location?: number; stmt_len?: number };

async function parseSql(sql: string): Promise<Statement[]> {
  try {
    const tree = (await parse(sql)) as { stmts?: Statement[] };
    return tree.stmts ?? [];
  } catch (error) {
    throw invalidSql(error);
  }
}

/** Names of columns that certainly exist; PostgreSQL may know more. */
type Columns = ReadonlySet<string>;
type Item = { name: string; columns: Columns };

/** The names that are visible at a place in a query. */
type Scope = {
  /** Items of FROM. Shared by all nodes of one SELECT, and complete after its FROM was visited. */
  items: Item[];
  /** Inside FROM, an item may be invisible, so its name may mean an item of an outer SELECT. */
  inFrom: boolean;
  outer: Scope | null;
  ctes: ReadonlyMap<string, Columns>;
};

const viewColumns: ReadonlyMap<string, Columns> = new Map(
  historyViews.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]),
);

/** Further check of a node of one kind, after the check for unknown fields. */
type Demand = (node: Tree, scope: Scope) => void;

/**
 * One query. If PostgreSQL finds no column for a name after a dot, `alias.name` calls a function or a type of that name with the
 * whole row. Therefore every such name must be a column of each item that its alias can mean. A name without a dot is never a call,
 * but an alias alone is the whole row.
 */
class Judge {
  /** All column names of the views and of the query itself. */
  readonly #declared = new Set([...viewColumns.values()].flatMap((columns) => [...columns]));
  /** Checked at the end, when all of FROM is known. */
  readonly #references: { words: string[]; scope: Scope }[] = [];
  readonly #cteNames = new Set(historyViewNames);

  judge(select: Tree): void {
    this.#select(select, null, new Map());
    for (const { words, scope } of this.#references) this.#demandColumn(words, scope);
  }

  /** @returns the columns of its result */
  #select(select: Tree, outer: Scope | null, ctesInSight: Scope['ctes']): Columns {
    const { withClause, larg, rarg, fromClause, targetList, ...rest } = select;
    const ctes = new Map(ctesInSight);
    const scope: Scope = { items: [], inFrom: false, outer, ctes };
    // WITH does not see this FROM.
    if (withClause !== undefined) this.#with(withClause as Tree, { ...scope, items: [] }, ctes);
    const arms = [larg, rarg].flatMap((arm) =>
      arm === undefined ? [] : [this.#select(arm as Tree, outer, ctes)],
    );
    this.#visitAll(fromClause, { ...scope, inFrom: true });
    const columns = listTrees(targetList).flatMap((target) => this.#target(target, scope));
    this.#visit('SelectStmt', rest, scope);
    const values = listTrees(listTrees(rest.valuesLists)[0]?.List, 'items').map((_, at) => `column${at + 1}`);
    this.#declare(values);
    return arms[0] ?? new Set([...columns, ...values]);
  }

  #with({ ctes, recursive, ...rest }: Tree, scope: Scope, inSight: Map<string, Columns>): void {
    this.#visit('WithClause', rest, scope);
    for (const { CommonTableExpr: cte, ...other } of listTrees(ctes)) {
      if (cte === undefined || Object.keys(other).length > 0) throw unknown(Object.keys(other)[0] ?? '');
      const { ctequery, aliascolnames, ...fields } = cte;
      const name = String(fields.ctename);
      // Names must be unique, because PostgreSQL may find a CTE where it is not visible here yet.
      if (this.#cteNames.has(name))
        throw refused(`Two tables are called ${name}: give the CTE another name.`);
      this.#cteNames.add(name);
      this.#visit('CommonTableExpr', { aliascolnames, ...fields }, scope);
      const query = selectOf(ctequery);
      const given = stringsOf(aliascolnames);
      if (recursive === true) inSight.set(name, new Set(given.length > 0 ? given : firstNamesOf(query)));
      const columns = this.#select(query, scope.outer, new Map(inSight));
      inSight.set(name, this.#rename(columns, given));
    }
  }

  /** @returns the name of the column, or of all columns of `*` */
  #target(target: Tree, scope: Scope): string[] {
    const { ResTarget: result } = target;
    const { fields } = (result?.val as Tree | undefined)?.ColumnRef ?? {};
    if (!isStar(fields)) {
      this.#visitAll([target], scope);
      const names = nameResultColumn(result?.name, result?.val);
      // A reference declares no new name.
      if (result?.name !== undefined || uncast(result?.val).ColumnRef === undefined) this.#declare(names);
      return names;
    }
    const [alias, ...more] = stringsOf(fields);
    const meant = scope.items.filter(({ name }) => alias === undefined || name === alias);
    if (more.length > 0 || (alias !== undefined && meant.length === 0)) {
      throw refused(`There is nothing called ${[alias, ...more].join('.')} in this FROM.`);
    }
    return meant.flatMap(({ columns }) => [...columns]);
  }

  #visitAll(nodes: unknown, scope: Scope): void {
    for (const node of Array.isArray(nodes) ? nodes : [nodes]) {
      for (const [kind, fields] of Object.entries((node ?? {}) as Tree)) {
        if (kind === 'SelectStmt') this.#select(fields as Tree, scope, scope.ctes);
        else this.#visit(kind, fields as Tree, scope);
      }
    }
  }

  #visit(kind: string, node: Tree, scope: Scope): void {
    const known = postgresTree.get(kind);
    if (known === undefined) throw unknown(kind);
    for (const [name, value] of Object.entries(node)) {
      if (value === undefined) continue;
      const field = known.get(name);
      if (field === undefined) throw unknown(name);
      if (field.kind === 'plain') {
        if (typeof value === 'object') throw unknown(name);
      } else if (kind === 'RangeSubselect' && name === 'subquery') {
        // Visited by the demand of its kind.
      } else if (field.kind === 'nodes') this.#visitAll(value, scope);
      else this.#visit(field.of, value as Tree, scope);
    }
    this.#demands[kind]?.(node, scope);
  }

  readonly #demands: Record<string, Demand> = {
    RangeVar: ({ relname, alias }, scope) => {
      const name = String(relname);
      const columns = scope.ctes.get(name) ?? viewColumns.get(name);
      if (columns === undefined) {
        throw refused(`Only ${historyViewNames.join(', ')} can be read, not ${name}.`);
      }
      this.#addItem(alias, columns, scope, name);
    },
    RangeSubselect: ({ subquery, lateral, alias }, scope) => {
      // Only a lateral subquery sees its neighbors.
      const outer = lateral === true ? scope : { ...scope, items: [] };
      this.#addItem(alias, this.#select(selectOf(subquery), outer, scope.ctes), scope);
    },
    RangeFunction: ({ alias }, scope) => {
      const columns = stringsOf((alias as Tree | undefined)?.colnames);
      if (columns.length === 0) {
        throw refused('Name the columns of a function in FROM, such as generate_series(1, 9) as g(n).');
      }
      this.#addItem(alias, new Set(columns), scope);
    },
    ColumnRef: ({ fields }, scope) => {
      const words = stringsOf(fields);
      if (words.length !== listTrees(fields).length)
        throw refused('Name the columns instead of a whole row.');
      this.#references.push({ words, scope });
    },
    FuncCall: ({ funcname }) => demandKnown(stringsOf(funcname), postgresFunctions, 'function'),
    TypeName: ({ names }) => demandKnown(stringsOf(names), postgresTypes, 'type'),
    SQLValueFunction: ({ op }) => {
      const word = String(op)
        .replace(/^SVFOP_|_N$/g, '')
        .toLowerCase();
      demandKnown([word], postgresValues, 'word');
    },
    A_Expr: ({ kind, name }) => {
      if (!/^AEXPR_(NOT_)?BETWEEN/.test(String(kind))) demandOperator(stringsOf(name));
    },
    SubLink: ({ operName }) => {
      if (operName !== undefined) demandOperator(stringsOf(operName));
    },
  };

  #addItem(alias: unknown, columns: Columns, { items }: Scope, name = ''): void {
    const { aliasname, colnames } = (alias ?? {}) as Tree;
    items.push({
      name: String(aliasname ?? name),
      columns: this.#rename(columns, stringsOf(colnames)),
    });
  }

  /** Given names replace all the previous ones, even if only some were renamed. */
  #rename(columns: Columns, given: readonly string[]): Columns {
    this.#declare(given);
    return given.length > 0 ? new Set(given) : columns;
  }

  #declare(names: readonly string[]): void {
    for (const name of names) this.#declared.add(name);
  }

  #demandColumn(words: readonly string[], scope: Scope): void {
    const [alias = '', column = alias, ...more] = words;
    const meant = itemsCalled(alias, scope);
    if (more.length > 0 || (words.length > 1 && meant.length === 0)) {
      throw new SqlProblem('sql_invalid', `Nothing in FROM is called ${words.slice(0, -1).join('.')}.`);
    }
    if (meant.some(({ columns }) => !columns.has(column))) {
      throw words.length === 1
        ? refused(`${alias} is a whole row, not a value: name its columns.`)
        : refused(`${words.join('.')} is not available here: ${alias} has no column of that name.`);
    }
    if (words.length === 1 && !this.#declared.has(column)) {
      throw new SqlProblem('sql_invalid', `There is no column ${column}.`);
    }
  }
}

/** All items that a name can mean. */
function itemsCalled(alias: string, scope: Scope | null): Item[] {
  if (scope === null) return [];
  const here = scope.items.filter(({ name }) => name === alias);
  return here.length > 0 && !scope.inFrom ? here : [...here, ...itemsCalled(alias, scope.outer)];
}

/** PostgreSQL's name for a column of a result, if it is evident. */
function nameResultColumn(given: unknown, value: unknown): string[] {
  if (given !== undefined) return [String(given)];
  const { ColumnRef, FuncCall } = uncast(value);
  if (isStar(ColumnRef?.fields)) return [];
  return stringsOf(ColumnRef?.fields ?? FuncCall?.funcname).slice(-1);
}

function uncast(value: unknown): Tree {
  const node = (value ?? {}) as Tree;
  return node.TypeCast === undefined ? node : uncast(node.TypeCast.arg);
}

/** The first arm of a recursive CTE names its columns. */
function firstNamesOf(select: Tree): string[] {
  const { larg, targetList } = select;
  if (larg !== undefined) return firstNamesOf(larg as Tree);
  return listTrees(targetList).flatMap(({ ResTarget: result }) => {
    return nameResultColumn(result?.name, result?.val);
  });
}

function selectOf(node: unknown): Tree {
  const { SelectStmt: select, ...other } = node as { SelectStmt?: Tree };
  if (select === undefined)
    throw refused(`Only a SELECT is run, not ${saidOf(Object.keys(other)[0] ?? '')}.`);
  return select;
}

function listTrees(nodes: unknown, field?: string): Tree[] {
  const list = field === undefined ? nodes : (nodes as Tree | undefined)?.[field];
  return Array.isArray(list) ? list : [];
}

function stringsOf(nodes: unknown): string[] {
  return listTrees(nodes).flatMap(({ String: word }) =>
    word === undefined ? [] : [String((word as { sval?: string }).sval ?? '')],
  );
}

function isStar(fields: unknown): boolean {
  return listTrees(fields).at(-1)?.A_Star !== undefined;
}

/** The only allowed schema is pg_catalog, which PostgreSQL's parser writes. */
function demandKnown(words: readonly string[], known: ReadonlySet<string>, what: string): void {
  const [name = '', schema = 'pg_catalog', ...more] = words.toReversed();
  if (more.length === 0 && schema === 'pg_catalog' && known.has(name)) return;
  throw refused(`The ${what} ${words.join('.')} is not available here.`);
}

function demandOperator(words: readonly string[]): void {
  if (words.length > 1) throw refused('Operators of other schemas are not available here.');
  demandKnown(words, postgresOperators, 'operator');
}

function unknown(kind: string): SqlProblem {
  if (kind === 'schemaname' || kind === 'catalogname') {
    return refused(`Only ${historyViewNames.join(', ')} can be read, by these names alone.`);
  }
  if (kind === 'intoClause' || kind === 'lockingClause') return refused('Only a SELECT that reads is run.');
  return refused(`This query uses something that is not available here: ${saidOf(kind)}.`);
}

/** `A_Indirection` becomes `indirection`. */
function saidOf(kind: string): string {
  return kind
    .replace(/^A_/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, ' ')
    .toLowerCase();
}

function refused(detail: string): SqlProblem {
  return new SqlProblem('sql_refused', detail);
}
