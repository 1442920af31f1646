import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import { detailsOf, problemOfError } from '../../base/text/foreign-errors.ts';

type Place = {
  /** The database as a sentence names it. */
  database?: string;
  /** Path of the database's file, or of another written file. */
  directory?: string | null;
};

/**
 * Turns a failed query, connection or file operation into a problem that tells users what it means. Returns any other error
 * unchanged.
 */
export function problemOfDatabaseError(
  error: unknown,
  { database = 'The database in the data directory', directory = null }: Place = {},
): unknown {
  if (!(error instanceof Error)) return error;
  const code = sqliteCodeOf(error) ?? systemCodeOf(error);
  return code === null ? error : (explainSystemError(code, error, database, directory) ?? error);
}

/** Primary result codes of SQLite (https://sqlite.org/rescode.html); the extended ones hold them in their low byte. */
const sqliteCodes: Record<number, string> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

function sqliteCodeOf(error: Error): string | null {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' ? (sqliteCodes[errcode & 0xff] ?? null) : null;
}

function systemCodeOf(error: Error): string | null {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string') return code;
  // pg gives its own time limits no code, nor what is asked of a connection that has broken.
  return /timeout|Connection terminated|not queryable/i.test(error.message) ? 'ETIMEDOUT' : null;
}

function explainSystemError(
  code: string,
  cause: Error,
  database: string,
  directory: string | null,
): ProblemError | null {
  const { path } = cause as NodeJS.ErrnoException;
  const place = (path === undefined ? null : dirname(path)) ?? directory ?? 'the data directory';
  const told = (code: ProblemCode, detail: string) =>
    problem(code, { detail, ...detailsOf(cause) }, { cause });
  const unusable = (fact: string) => told('data_directory_unusable', fact);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'SQLITE_FULL':
      return told('disk_full', `There is no space left in ${fullIn(place)}.`);
    case '53100':
      return told('disk_full', 'There is no space left for the PostgreSQL database.');
    case 'EACCES':
    case 'EPERM':
      return unusable(`This user cannot write to ${place}.`);
    case 'EROFS':
    case 'SQLITE_READONLY':
      return unusable(`${place} is on a read-only disk, or this user cannot write to it.`);
    case 'SQLITE_CANTOPEN':
      return unusable(`${database} cannot be opened.`);
    case 'SQLITE_IOERR':
      return unusable(`Reading or writing ${place} failed.`);
    case 'SQLITE_CORRUPT':
    case 'SQLITE_NOTADB':
      return told('database_damaged', `${database} is damaged.`);
    case 'SQLITE_BUSY':
      return told(
        'data_directory_in_use',
        'Another process has locked the database for more than 5 seconds.',
      );
    default: {
      const reason = reasons[code];
      const isFile = code === 'ENOENT' && (cause as NodeJS.ErrnoException).syscall !== 'connect';
      if (reason === undefined || isFile) return null;
      return told('database_unavailable', `The database does not serve queries: ${reason}.`);
    }
  }
}

/** SQLite also writes temporary files, and does not say which file found no space. */
function fullIn(place: string): string {
  return [place, tmpdir()].find(isFull) ?? place;
}

function isFull(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize < leastFreeBytes;
  } catch {
    return false;
  }
}

const leastFreeBytes = 1 << 20;

/** Why a database that is reached over a socket serves no queries, by the system's and PostgreSQL's codes. */
const reasons: Partial<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening at its address',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  ENOTFOUND: 'the name of its host is unknown',
  EAI_AGAIN: 'the name of its host cannot be looked up now',
  EHOSTUNREACH: 'its host cannot be reached',
  ENOENT: 'its socket does not exist',
  ETIMEDOUT: 'it does not answer in time, or the connection broke',
  '57P01': 'it was shut down',
  '57P02': 'it was shut down',
  '57P03': 'it is starting or shutting down',
  '53300': 'all its connections are in use',
  '28000': 'it does not admit this user',
  '28P01': 'the password is wrong',
  '3D000': 'it has no database of that name',
};

/**
 * One server to a data directory. The lock is a transaction held open on an empty SQLite file: the kernel drops it
 * with the process, however that ends. A file beside it says who holds the lock and where it listens.
 */

type DirectoryLock = { release(): void };
type RunningServer = {
  url: string;
  pid: number;
  /** Which the command line of the directory's owner is known by; null where nobody signs in. */
  key: string | null;
};

const lockFile = 'lock.sqlite';
const announcementFile = 'server.json';
/** All that a lock leaves in a directory. */
export const lockFiles: readonly string[] = [lockFile, `${lockFile}-journal`, announcementFile];

/** A look whether the directory is locked holds the lock for a moment itself; a server that starts then waits for it. */
const probeMs = 500;

/** Creates the directory for its owner only, and locks it. Throws data_directory_in_use, data_directory_unusable. */
export function lockDataDirectory(directory: string): DirectoryLock {
  createDataDirectory(directory);
  const lock = takeLock(directory, probeMs);
  if (lock === null) throw problem('data_directory_in_use', describeHolder(directory));
  try {
    announceServer(directory, null);
  } catch (error) {
    lock.close();
    throw error;
  }
  return { release: () => lock.close() };
}

const announcementWaitMs = 5_000;

/** The server that holds the lock, or null. One that is still starting is waited for, at most 5 s. */
export async function findRunningServer(directory: string): Promise<RunningServer | null> {
  const deadline = performance.now() + announcementWaitMs;
  while (isLocked(directory)) {
    const announcement = readAnnouncement(directory);
    if (announcement !== null && announcement.url !== null)
      return { url: announcement.url, pid: announcement.pid, key: announcement.key ?? null };
    if (performance.now() > deadline) throw problem('data_directory_in_use', describeHolder(directory));
    await pause(50);
  }
  return null;
}

/** Makes the directory if need be. One that is there already keeps its rights: it may be somebody's home. */
export function createDataDirectory(directory: string): void {
  const path = resolve(directory);
  try {
    makeWithParents(path);
  } catch (error) {
    throw unusable(path, error);
  }
  if (!statSync(path).isDirectory()) throw problem('data_directory_unusable', `${path} is not a directory.`);
}

/** Node's own `recursive` never returns where a file system refuses new directories as absent, as /proc does. */
function makeWithParents(path: string): void {
  if (existsSync(path)) return;
  makeWithParents(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** Makes an empty file that only its owner can read, before SQLite makes one that all can. */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw unusable(path, error);
  }
}

/** The lock of a directory, or null when another process has it for longer than this many milliseconds. */
export function takeLock(directory: string, timeout: number): DatabaseSync | null {
  const path = join(directory, lockFile);
  createPrivateFile(path);
  const lock = new DatabaseSync(path, { timeout });
  try {
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    const failure = problemOfDatabaseError(error, { directory });
    if (!(failure instanceof ProblemError)) throw failure;
    if (failure.problem.code === 'data_directory_in_use') return null;
    if (failure.problem.code !== 'database_damaged') throw failure;
    // It holds nothing. Emptied in place it stays the same file, so nobody can hold a lock on another one.
    truncateSync(path);
    return takeLock(directory, timeout);
  }
}

function isLocked(directory: string): boolean {
  if (!existsSync(join(directory, lockFile))) return false;
  const lock = takeLock(directory, 0);
  lock?.close();
  return lock === null;
}

const announcementSchema = z.object({
  pid: z.int().positive(),
  url: z.string().nullable(),
  key: z.string().nullish(),
});

/** Tells the command line where the server that holds the lock listens; null where it does not yet. */
export function announceServer(directory: string, server: Pick<RunningServer, 'url' | 'key'> | null): void {
  const path = join(directory, announcementFile);
  try {
    // Only the owner may read it before a key is in it.
    createPrivateFile(path);
    chmodSync(path, 0o600);
    const { url = null, key = null } = server ?? {};
    writeFileSync(path, JSON.stringify({ pid: process.pid, url, ...(key === null ? {} : { key }) }));
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Null when it is missing or half written. */
function readAnnouncement(directory: string): z.infer<typeof announcementSchema> | null {
  try {
    return announcementSchema.parse(JSON.parse(readFileSync(join(directory, announcementFile), 'utf8')));
  } catch {
    return null;
  }
}

function describeHolder(directory: string): string {
  const holder = readAnnouncement(directory);
  const who =
    holder === null ? '' : ` (process ${holder.pid}${holder.url === null ? '' : ` at ${holder.url}`})`;
  return `Another server${who} uses ${resolve(directory)}.`;
}

function unusable(path: string, error: unknown): unknown {
  const known = problemOfDatabaseError(error, { directory: dirname(resolve(path)) });
  return known instanceof ProblemError
    ? known
    : problemOfError('data_directory_unusable', `${resolve(path)} cannot be written`, error);
}
