import { type CreateTableBuilder, type Kysely, PostgresAdapter, type SchemaModule, sql } from 'kysely';
import type { Column } from './columns.ts';
import { compositeKeys, firstTables, indexes, type TableName, uniqueIndexes } from './first-tables.ts';
import { createHistory } from './history-tables.ts';

/** The tables of 0.1.0. Once it is released, neither this nor what it calls changes. The history is the exception: it can be made again. */
export async function createTables(queries: Kysely<unknown>): Promise<void> {
  const { schema } = queries;
  for (const name of Object.keys(firstTables) as TableName[]) await createTable(schema, name);
  for (const [unique, some] of [[true, uniqueIndexes] as const, [false, indexes] as const]) {
    for (const [name, [table, columns]] of Object.entries(some)) {
      const index = schema.createIndex(name).on(table).columns(columns);
      await (unique ? index.unique() : index).execute();
    }
  }
  await createHistory(queries);
  await keepAuditLog(queries);
}

async function createTable(schema: SchemaModule, name: TableName): Promise<void> {
  let table = schema.createTable(name) as CreateTableBuilder<string, string>;
  for (const [column, { type, build }] of Object.entries<Column<unknown>>(firstTables[name])) {
    table = table.addColumn(column, type, build);
  }
  const key: string[] | undefined = compositeKeys[name];
  await (key === undefined ? table : table.addPrimaryKeyConstraint(`${name}Key`, key)).execute();
}

/** No statement of ours changes the log; this holds for statements of others as well. */
async function keepAuditLog(queries: Kysely<unknown>): Promise<void> {
  const isPostgres = queries.getExecutor().adapter instanceof PostgresAdapter;
  for (const change of ['update', 'delete']) {
    const name = sql.id(`audit_log_no_${change}`);
    await (isPostgres
      ? sql`create rule ${name} as on ${sql.raw(change)} to audit_log do instead nothing`
      : sql`create trigger ${name} before ${sql.raw(change)} on audit_log begin select raise(abort, 'the audit log is only added to'); end`
    ).execute(queries);
  }
}
