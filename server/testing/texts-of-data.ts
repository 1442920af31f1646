import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliDecompressSync } from 'node:zlib';
import pg from 'pg';

/** For tests: whatever a data directory holds, as text: its files byte by byte, and what is packed in its databases. */
export function textsOfData(directory: string): { where: string; text: string }[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return [
    ...files.map((path) => ({ where: path, text: readFileSync(path, 'latin1') })),
    ...files.filter(isDatabase).flatMap(packedIn),
  ];
}

function isDatabase(path: string): boolean {
  return readFileSync(path).subarray(0, 15).toString('latin1') === 'SQLite format 3';
}

function packedIn(path: string): { where: string; text: string }[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
    return tables.flatMap(({ name }) =>
      database
        .prepare(`select * from "${name}"`)
        .all()
        .flatMap((row) => Object.values(row))
        .filter((value) => value instanceof Uint8Array)
        .map((bytes) => ({ where: `${path}, ${name}`, text: unpacked(bytes) })),
    );
  } finally {
    database.close();
  }
}

/** For tests: all rows of all tables that a superuser can read, and all files of the cluster, including its write-ahead log. */
export async function textsOfPostgres(url: string): Promise<{ where: string; text: string }[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query('checkpoint');
    const { rows: tables } = await client.query(
      "select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    );
    const texts = [];
    for (const { name } of tables) {
      const { rows } = await client.query(`select * from ${name}`);
      for (const value of rows.flatMap((row) => Object.values(row as object)))
        texts.push({ where: name, text: value instanceof Buffer ? unpacked(value) : JSON.stringify(value) });
    }
    const { rows } = await client.query("select current_setting('data_directory') as path");
    return [...texts, ...textsOfData(rows[0].path)];
  } finally {
    await client.end();
  }
}

function unpacked(bytes: Uint8Array): string {
  try {
    return brotliDecompressSync(bytes).toString('utf8');
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}
