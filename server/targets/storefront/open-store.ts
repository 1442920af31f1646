import { openSqliteStore } from './sqlite.ts';
import type { Store, StoreLocation } from './store.ts';

/** Opens a database that was seeded before. */
export async function openStore(location: StoreLocation): Promise<Store> {
  if (location.kind === 'sqlite') return openSqliteStore(location.path);
  // The client library takes its time to load, and most shops are on SQLite.
  const { openPostgresStore } = await import('./postgres.ts');
  return openPostgresStore(location.url);
}
