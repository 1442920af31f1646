import pg from 'pg';
import { problem } from '../../shared/problem.ts';
import { problemOfDatabaseError } from './database-problem.ts';

/** "TLS Toll" in ASCII: the advisory lock that one server at a time holds on a database. */
const lockKey = '0x544c5320546f6c6c';

/** How soon a lost lock is asked for again. */
const retakeMs = 1_000;

export type DatabaseLock = {
  /** Takes the lock unless it is held. Rejects with data_directory_in_use, database_unavailable. */
  demand(): Promise<void>;
  release(): Promise<void>;
};

/**
 * The lock lives as long as its session: it goes with the process, and with a PostgreSQL that restarts. It is then taken
 * again as soon as possible; whoever starts work asks before whether it is held.
 */
export function holdLock(options: pg.ClientConfig): DatabaseLock {
  let holder: pg.Client | null = null;
  let taking: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let released = false;

  function demand(): Promise<void> {
    if (holder !== null) return Promise.resolve();
    taking ??= take().finally(() => {
      taking = null;
    });
    return taking;
  }

  async function take(): Promise<void> {
    const client = new pg.Client(options);
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [BigInt(lockKey)]);
      if (rows[0]?.held !== true) throw inUse(client);
    } catch (error) {
      await client.end().catch(() => {});
      throw problemOfDatabaseError(error);
    }
    if (released) return void (await client.end());
    holder = client;
    client.once('end', () => {
      holder = null;
      retake();
    });
  }

  function retake(): void {
    if (released) return;
    timer = setTimeout(() => void demand().catch(retake), retakeMs);
    timer.unref();
  }

  return {
    demand,
    async release() {
      released = true;
      clearTimeout(timer);
      await holder?.end();
    },
  };
}

function inUse({ database, host, port }: pg.Client): Error {
  return problem('data_directory_in_use', `Another server uses the database ${database} at ${host}:${port}.`);
}
