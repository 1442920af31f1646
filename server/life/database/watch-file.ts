import { randomInt } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type ProblemError, problem } from '../../../shared/base/problem.ts';

/** Whether the file that is open is still the one that people, backups, and the next server will find. */
export type FileWatch = {
  /** Throws database_gone. */
  demand(): void;
  stop(): void;
};

const lookMs = 2_000;
/** Of a database’s first bytes (https://www.sqlite.org/fileformat.html). */
const header = { bytes: 100, magic: 'SQLite format 3\0', userVersionAt: 60 } as const;

/**
 * SQLite writes to an open file wherever that has gone, and to a log that was deleted, so commits succeed that no start will
 * find. Compared are device and inode of the file and of its log, and a random mark in the header, which tells a file that was
 * written over in place. The mark is made anew for each watch, so that an older copy of the same file is told as well.
 *
 * The file is opened once and closed after SQLite has closed it: closing it earlier would drop SQLite's POSIX locks.
 */
export function watchFile(connection: DatabaseSync, path: string): FileWatch {
  const log = `${path}-wal`;
  const mark = randomInt(1, 2 ** 31);
  makeMark(connection, mark);
  const file = openSync(path, 'r');
  // On a full disk, or beside a reader, the one before is there for now.
  const marks = [mark, markOf(file)];
  let openLog = placeOf(log);

  /** A log that is missing holds nothing that its connection has not: it is emptied into the file, and begun anew. */
  function renewLog(): void {
    if (existsSync(log) || connection.isTransaction || !isHere(file, path)) return;
    connection.exec('pragma journal_mode = delete; pragma journal_mode = wal');
    makeMark(connection, mark);
    openLog = placeOf(log);
  }

  const timer = setInterval(() => {
    try {
      renewLog();
    } catch {
      // Another process has the file open, or it is damaged. Whoever writes is told.
    }
  }, lookMs);
  timer.unref();

  return {
    demand() {
      if (!isHere(file, path)) throw gone(`${resolve(path)} was moved, deleted, or replaced`);
      if (!marks.includes(markOf(file))) throw gone(`${resolve(path)} was written over`);
      if (placeOf(log) !== openLog) throw gone(`${resolve(log)} was moved, deleted, or replaced`);
    },
    stop() {
      clearInterval(timer);
      closeSync(file);
    },
  };
}

/** Begins the log as well. What keeps it from being written is said to whoever writes next. */
function makeMark(connection: DatabaseSync, mark: number): void {
  try {
    connection.exec(`pragma user_version = ${mark}; pragma wal_checkpoint(truncate)`);
  } catch {
    // The mark before stays.
  }
}

function gone(what: string): ProblemError {
  return problem('database_gone', `${what} while the server was running.`);
}

function isHere(file: number, path: string): boolean {
  const { dev, ino } = fstatSync(file);
  return placeOf(path) === `${dev} ${ino}`;
}

/** Device and inode; null where there is nothing. */
function placeOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}

/** Null where it is no database any more. */
function markOf(file: number): number | null {
  const bytes = Buffer.alloc(header.bytes);
  const read = readSync(file, bytes, 0, header.bytes, 0);
  if (read < header.bytes || bytes.toString('latin1', 0, header.magic.length) !== header.magic) return null;
  return bytes.readInt32BE(header.userVersionAt);
}
