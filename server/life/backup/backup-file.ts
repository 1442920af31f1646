import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { problem } from '../../../shared/base/problem.ts';
import { problemOfError, Reason } from '../../base/text/foreign-errors.ts';

/**
 * A backup is one SQLite file: what it is, and the files of it in pieces, each with its SHA-256. SQLite is there already,
 * writes files of any size, and tells a file that is cut off.
 */

const applicationId = 0x54_4c_53_42;
const format = 1;
const pieceBytes = 1 << 20;
const tables = [
  'CREATE TABLE about (text text not null)',
  'CREATE TABLE files (name text primary key, sha256 text not null)',
  'CREATE TABLE pieces (name text not null, place integer not null, bytes blob not null, primary key (name, place))',
];
const [mostFiles, mostAboutBytes] = [1000, 1 << 20];

/** The last moment that a year of four digits can say. */
const latestMs = Date.UTC(9999, 11, 31);

const aboutSchema = z.object({
  format: z.int(),
  /** Version of the product that wrote it. */
  version: z.string().regex(/^[\w.+-]{1,60}$/),
  engine: z.enum(['SQLite', 'PostgreSQL']),
  createdAt: z.int().min(0).max(latestMs),
  /** Names of what the schema of its database went through. */
  migrations: z.array(z.string().regex(/^[\w.-]{1,60}$/)),
  results: z.int().min(0),
});
export type About = Omit<z.infer<typeof aboutSchema>, 'format'>;

/** Nothing else is ever written outside, whatever a file says. */
const nameSchema = z.union([
  z.literal('database'),
  // In earlier backups.
  z.literal('sign-in.secret'),
  z.string().regex(/^authority\/[\w-]+\.(key|pem)$/),
]);

/** A file by its name in the backup, and where it lies. */
export type Packed = { name: string; path: string };

/** @param path of a file that is there, empty */
export function writeContainer(path: string, about: About, files: readonly Packed[]): void {
  const container = new DatabaseSync(path);
  try {
    container.exec(`
      pragma journal_mode = off;
      pragma application_id = ${applicationId};
      ${tables.join(';')};
      begin;
    `);
    container.prepare('insert into about values (?)').run(JSON.stringify({ format, ...about }));
    for (const file of files) {
      const insert = container.prepare('insert into pieces values (?, ?, ?)');
      const hash = createHash('sha256');
      let place = 0;
      for (const bytes of piecesOf(file.path)) {
        hash.update(bytes);
        insert.run(file.name, place++, bytes);
      }
      container.prepare('insert into files values (?, ?)').run(file.name, hash.digest('hex'));
    }
    container.exec('commit');
  } finally {
    container.close();
  }
}

function* piecesOf(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    const buffer = new Uint8Array(pieceBytes);
    for (let length = readSync(file, buffer); length > 0; length = readSync(file, buffer))
      yield buffer.slice(0, length);
  } finally {
    closeSync(file);
  }
}

export type Container = {
  about: About;
  names: string[];
  /** Writes one of its files for its owner only. The path must be free. */
  extract(name: string, path: string): void;
  close(): void;
};

/** Reads all of it once before it says yes. Throws backup_unusable, backup_newer. */
export function openContainer(path: string, known: readonly string[]): Container {
  const container = openFile(path);
  try {
    demandOurTables(container);
    const about = readAbout(container, path, known);
    const files = z
      .array(z.object({ name: nameSchema, sha256: z.string() }))
      .max(mostFiles)
      .parse(container.prepare(`select name, sha256 from files order by name limit ${mostFiles + 1}`).all());
    let leftBytes = statSync(path).size;
    for (const { name, sha256 } of files) leftBytes -= demandWhole(container, name, sha256, leftBytes);
    if (!files.some(({ name }) => name === 'database')) throw new Reason('it contains no database');
    return {
      about,
      names: files.map(({ name }) => name),
      extract: (name, target) => extract(container, name, target),
      close: () => container.close(),
    };
  } catch (error) {
    container.close();
    throw explainReading(path, error);
  }
}

function openFile(path: string): DatabaseSync {
  let container: DatabaseSync | null = null;
  try {
    if (!isBackup(path)) throw new Reason('it is another program’s file');
    container = new DatabaseSync(path, { readOnly: true });
    container.exec('pragma trusted_schema = off');
    return container;
  } catch (error) {
    container?.close();
    throw explainReading(path, error);
  }
}

/** A view in place of a table could go on for ever. */
function demandOurTables(container: DatabaseSync): void {
  const found = container.prepare("select sql from sqlite_schema where name not like 'sqlite_autoindex_%'");
  const statements = new Set<unknown>();
  for (const { sql } of found.iterate()) {
    if (statements.add(sql).size > tables.length) break;
  }
  if (statements.size !== tables.length || !tables.every((each) => statements.has(each))) {
    throw new Reason('it contains other tables than a backup does');
  }
}

function readAbout(container: DatabaseSync, path: string, known: readonly string[]): About {
  const { text } =
    container.prepare('select text from about where length(text) <= ?').get(mostAboutBytes) ?? {};
  const parsed: unknown = JSON.parse(String(text));
  const { format: written } = z.object({ format: z.int() }).parse(parsed);
  if (written > format) throw newer(path, 'its format is newer');
  const about = aboutSchema.parse(parsed);
  const unknown = about.migrations.find((name) => !known.includes(name));
  if (unknown !== undefined) throw newer(path, `its database has the migration ${unknown}`);
  return about;
}

/** Returns its size. No file in a backup is larger than the backup, unless its pages were made to be read again and again. */
function demandWhole(container: DatabaseSync, name: string, sha256: string, mostBytes: number): number {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const piece of storedPieces(container, name)) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new Reason(`${name} in it is larger than the backup`);
    hash.update(piece);
  }
  if (hash.digest('hex') !== sha256) throw new Reason(`${name} in it is damaged`);
  return bytes;
}

function extract(container: DatabaseSync, name: string, path: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    for (const bytes of storedPieces(container, name)) writeSync(file, bytes);
  } finally {
    closeSync(file);
  }
}

function* storedPieces(container: DatabaseSync, name: string): Generator<Uint8Array> {
  const rows = container.prepare('select bytes from pieces where name = ? order by place').iterate(name);
  for (const { bytes } of rows) yield z.instanceof(Uint8Array).parse(bytes);
}

function newer(path: string, fact: string) {
  return problem('backup_newer', `${path} was written by a newer version of TLS Toll: ${fact}.`);
}

function explainReading(path: string, error: unknown): unknown {
  if (error instanceof Error && error.name === 'ProblemError') return error;
  const isDamaged = error instanceof z.ZodError || error instanceof SyntaxError || 'errcode' in Object(error);
  const malformed = new Reason('its contents are malformed', { cause: error });
  return problemOfError('backup_unusable', `${path} cannot be restored`, isDamaged ? malformed : error);
}

/** Whether the file at a path is a backup: by the header of SQLite (https://sqlite.org/fileformat2.html), without opening it. */
export function isBackup(path: string): boolean {
  const header = Buffer.alloc(100);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  return header.toString('latin1', 0, 15) === 'SQLite format 3' && header.readUInt32BE(68) === applicationId;
}
