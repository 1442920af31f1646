import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliDecompressSync } from 'node:zlib';

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

function unpacked(bytes: Uint8Array): string {
  try {
    return brotliDecompressSync(bytes).toString('utf8');
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}
