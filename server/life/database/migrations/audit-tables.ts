import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Hosts that may be loaded, and the log of who did what, which is only ever added to. */
export async function createAuditLog(queries: Kysely<unknown>): Promise<void> {
  const { schema } = queries;
  await schema
    .createTable('permitted_targets')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('host', 'text', (column) => column.notNull().unique())
    .addColumn('caps', 'text', (column) => column.notNull())
    .addColumn('allowed_by', 'text', (column) => column.notNull())
    .addColumn('allowed_at', 'bigint', (column) => column.notNull())
    .addColumn('why', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('audit_log')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('who', 'text', (column) => column.notNull())
    .addColumn('what', 'text', (column) => column.notNull())
    .addColumn('host', 'text')
    .addColumn('note', 'text')
    .addColumn('user_id', 'text')
    .addColumn('key_name', 'text')
    .addColumn('from_address', 'text')
    .addColumn('subject', 'text')
    .execute();
  await schema.createIndex('audit_log_by_time').on('audit_log').columns(['at', 'id']).execute();
  await keepRows(queries);
}

/** No statement of ours changes the log; this holds for statements of others as well. */
async function keepRows(queries: Kysely<unknown>): Promise<void> {
  const isPostgres = queries.getExecutor().adapter instanceof PostgresAdapter;
  for (const change of ['update', 'delete']) {
    const name = sql.id(`audit_log_no_${change}`);
    await (isPostgres
      ? sql`create rule ${name} as on ${sql.raw(change)} to audit_log do instead nothing`
      : sql`create trigger ${name} before ${sql.raw(change)} on audit_log begin select raise(abort, 'the audit log is only added to'); end`
    ).execute(queries);
  }
}
