import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Database, type DatabaseOptions, openDatabase } from '../life/database/open-database.ts';
import { findPostgres, type PostgresCluster, startPostgres } from './postgres-cluster.ts';

/** For tests: an empty database in a directory of its own. */
export type DatabaseInTest = { database: Database; place: DatabaseOptions; close(): Promise<void> };

export type Engine = 'SQLite' | 'PostgreSQL';

const postgres = findPostgres();

/** Engines on this machine. */
export const engines: readonly Engine[] = postgres === null ? ['SQLite'] : ['SQLite', 'PostgreSQL'];

/** @param prepare is given where the database will be, before it is opened */
export async function openDatabaseInTest(
  engine: Engine = 'SQLite',
  prepare: (place: { directory: string; url: string | null }) => Promise<void> | void = () => {},
): Promise<DatabaseInTest> {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-database-'));
  const url = engine === 'SQLite' ? null : await createPostgresDatabase();
  try {
    await prepare({ directory, url });
    const database = await openDatabase({ directory, url });
    return {
      database,
      place: { directory, url },
      async close() {
        await database.close();
        rmSync(directory, { recursive: true });
      },
    };
  } catch (error) {
    rmSync(directory, { recursive: true });
    throw error;
  }
}

/** One for all tests of a worker process, which may run several files, as it takes seconds to start. It ends with the process. */
let cluster: Promise<PostgresCluster> | null = null;
let databases = 0;

export async function createPostgresDatabase(): Promise<string> {
  if (postgres === null) throw new Error('there is no PostgreSQL on this machine');
  cluster ??= startPostgres(postgres, true);
  const { url } = await cluster;
  const name = `test${++databases}`;
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return url.replace('/postgres?', `/${name}?`);
}
