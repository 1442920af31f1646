import type { Kysely } from 'kysely';

/** The log of targets becomes that of everything; what keeps its rows goes on doing so. */
export async function createAuditLog({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('target_log').renameTo('audit_log').execute();
  for (const column of ['user_id', 'key_name', 'from_address', 'subject']) {
    await schema.alterTable('audit_log').addColumn(column, 'text').execute();
  }
}
