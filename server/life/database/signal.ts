import { sql, type Transaction } from 'kysely';
import { channel, type Signal } from './channel.ts';
import type { Database } from './open-database.ts';
import type { Tables } from './tables.ts';

/** Wakes the other processes once the transaction is committed; nothing where nobody shares the database. */
export async function signal(
  database: Database,
  queries: Transaction<Tables> | Database['queries'],
  { about, id, ...rest }: Signal,
): Promise<void> {
  if (database.shared === null) return;
  const text = 'text' in rest ? ` ${rest.text}` : '';
  await sql`select pg_notify(${channel}, ${`${about} ${id}${text}`})`.execute(queries);
}
