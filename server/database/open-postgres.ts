import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import { holdLock } from './postgres-lock.ts';

const connectionTimeoutMillis = 5_000;
const queryTimeoutMillis = 30_000;

/** PostgreSQL from version 12 on. Throws database_unavailable, data_directory_in_use. */
export async function openPostgres(
  url: string,
): Promise<{ dialect: Dialect; close(): Promise<void>; demandSole(): Promise<void> }> {
  const options = {
    connectionString: url,
    connectionTimeoutMillis,
    query_timeout: queryTimeoutMillis,
    application_name: 'tls-toll',
  };
  const lock = holdLock(options);
  try {
    await lock.demand();
  } catch (error) {
    await lock.release();
    throw error;
  }
  const pool = new pg.Pool({ ...options, max: 5, types: { getTypeParser } });
  // A connection that breaks is replaced at the next query, which says so if it cannot be.
  pool.on('error', () => {});
  // One that breaks while it is in use is told by its query.
  pool.on('connect', (client) => void client.on('error', () => {}));
  return { dialect: new PostgresDialect({ pool }), close: lock.release, demandSole: lock.demand };
}

/** Times in milliseconds fit a double; pg gives bigint as text unless told otherwise. */
const getTypeParser: typeof pg.types.getTypeParser = (
  oid: number,
  format?: Parameters<typeof pg.types.getTypeParser>[1],
) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format));
