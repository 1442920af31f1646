import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import { problem } from '../../shared/problem.ts';
import { problemOfDatabaseError } from './database-problem.ts';

const connectionTimeoutMillis = 5_000;
const queryTimeoutMillis = 30_000;

/** "TLS Toll" in ASCII: the advisory lock that one server at a time holds on a database. */
const lockKey = '0x544c5320546f6c6c';

/** PostgreSQL from version 12 on. Throws database_unavailable, data_directory_in_use. */
export async function openPostgres(url: string): Promise<{ dialect: Dialect; close(): Promise<void> }> {
  const options = {
    connectionString: url,
    connectionTimeoutMillis,
    query_timeout: queryTimeoutMillis,
    application_name: 'tls-toll',
  };
  const lock = await holdLock(options);
  const pool = new pg.Pool({ ...options, max: 5, types: { getTypeParser } });
  // A connection that breaks is replaced at the next query, which says so if it cannot be.
  pool.on('error', () => {});
  pool.on('connect', (connection) => connection.on('error', () => {}));
  return { dialect: new PostgresDialect({ pool }), close: () => lock.end() };
}

/** The lock lives as long as its connection, so it goes with the process. */
async function holdLock(options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(options);
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [BigInt(lockKey)]);
    if (rows[0]?.held === true) return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw problemOfDatabaseError(error);
  }
  await client.end();
  throw problem(
    'data_directory_in_use',
    `Another server uses the database ${client.database ?? ''} at ${client.host}:${client.port}.`,
  );
}

/** Times in milliseconds fit a double; pg gives bigint as text unless told otherwise. */
const getTypeParser: typeof pg.types.getTypeParser = (
  oid: number,
  format?: Parameters<typeof pg.types.getTypeParser>[1],
) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format));
