import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { problemOfDatabaseError } from './database-problem.ts';

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
    : problem('data_directory_unusable', `${resolve(path)} cannot be written.`, { cause: error });
}
