import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { problem, problemOfError } from '../../../shared/base/problem.ts';

/**
 * A backup is one SQLite file: what it is, and the files of it in pieces, each with its SHA-256. SQLite is there already,
 * writes files of any size, and tells a file that is cut off.
 */

const applicationId = 0x54_4c_53_42;
const format = 1;
const pieceBytes = 1 << 20;

const aboutSchema = z.object({
  format: z.int(),
  /** Of the product that wrote it. */
  version: z.string(),
  engine: z.enum(['SQLite', 'PostgreSQL']),
  createdAt: z.int(),
  /** Names of what the schema of its database went through. */
  migrations: z.array(z.string()),
  results: z.int(),
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
      create table about (text text not null);
      create table files (name text primary key, sha256 text not null);
      create table pieces (name text not null, place integer not null, bytes blob not null, primary key (name, place));
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
    const about = readAbout(container, path, known);
    const files = z
      .array(z.object({ name: nameSchema, sha256: z.string() }))
      .parse(container.prepare('select name, sha256 from files order by name').all());
    for (const { name, sha256 } of files) demandWhole(container, name, sha256);
    if (!files.some(({ name }) => name === 'database')) throw new Error('it contains no database');
    return {
      about,
      names: files.map(({ name }) => name),
      extract: (name, target) => extract(container, name, target),
      close: () => container.close(),
    };
  } catch (error) {
    container.close();
    throw explain(path, error);
  }
}

function openFile(path: string): DatabaseSync {
  let container: DatabaseSync | null = null;
  try {
    container = new DatabaseSync(path, { readOnly: true });
    container.exec('pragma trusted_schema = off');
    const { application_id: id } = container.prepare('pragma application_id').get() ?? {};
    if (id !== applicationId) throw new Error('it is another program’s file');
    return container;
  } catch (error) {
    container?.close();
    throw explain(path, error);
  }
}

function readAbout(container: DatabaseSync, path: string, known: readonly string[]): About {
  const { text } = container.prepare('select text from about').get() ?? {};
  const parsed: unknown = JSON.parse(String(text));
  const { format: written } = z.object({ format: z.int() }).parse(parsed);
  if (written > format) throw newer(path, 'its format is newer');
  const about = aboutSchema.parse(parsed);
  const unknown = about.migrations.find((name) => !known.includes(name));
  if (unknown !== undefined) throw newer(path, `its database has the migration ${unknown}`);
  return about;
}

function demandWhole(container: DatabaseSync, name: string, sha256: string): void {
  const hash = createHash('sha256');
  for (const bytes of storedPieces(container, name)) hash.update(bytes);
  if (hash.digest('hex') !== sha256) throw new Error(`${name} in it is damaged`);
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

function explain(path: string, error: unknown): unknown {
  if (error instanceof Error && error.name === 'ProblemError') return error;
  const malformed = new Error('its contents are malformed', { cause: error });
  const reason = error instanceof z.ZodError ? malformed : error;
  return problemOfError('backup_unusable', `${path} cannot be restored`, reason);
}
