import type { Kysely } from 'kysely';

/** Keys that programs send instead of signing in, as hashes. They outlive their users, to say why they no longer work. */
export async function createApiKeys({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('used_at', 'bigint')
    .addColumn('removed_at', 'bigint')
    .execute();
  await schema.createIndex('api_keys_by_user').on('api_keys').column('user_id').execute();
}
