import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import { openSignals, type Signals, type Tickets } from './tickets.ts';

const connectionTimeoutMillis = 5_000;
const queryTimeoutMillis = 30_000;

/** Parts that make several processes one server. */
export type Shared = { signals: Signals; tickets: Tickets };

/** PostgreSQL from version 13 on. Throws database_unavailable. */
export async function openPostgres(
  url: string,
): Promise<{ dialect: Dialect; close(): Promise<void>; shared: Shared }> {
  const options = {
    connectionString: url,
    connectionTimeoutMillis,
    query_timeout: queryTimeoutMillis,
    application_name: 'tls-toll',
  };
  // pg-boss is loaded only where it is used.
  const { openTickets } = await import('./tickets.ts');
  const tickets = await openTickets(url);
  const signals = openSignals(options);
  const pool = new pg.Pool({ ...options, max: 5, types: { getTypeParser } });
  // A connection that breaks is replaced at the next query, which says so if it cannot be.
  pool.on('error', () => {});
  // One that breaks while it is in use is told by its query.
  pool.on('connect', (client) => void client.on('error', () => {}));
  return {
    dialect: new PostgresDialect({ pool }),
    shared: { signals, tickets },
    async close() {
      await signals.close();
      await tickets.close();
    },
  };
}

/** Times in milliseconds fit a double; pg gives bigint as text unless told otherwise. */
const getTypeParser: typeof pg.types.getTypeParser = (
  oid: number,
  format?: Parameters<typeof pg.types.getTypeParser>[1],
) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format));
