import { chmodSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { takeLock } from './data-directory.ts';

/**
 * Everything temporary of a program, such as the profiles of its browsers, in one directory that goes with it. A program
 * that was killed leaves the directory behind, unlocked, and the next one removes it. A lock tells the dead from the
 * living also where process ids cannot: in containers that share their temporary files.
 */

const pattern = /^tls-toll-[a-zA-Z0-9]{6}$/;

/** Chromium ends at once when the path of a socket that it keeps there, or in `u` below, is longer than 107 bytes. */
const longestPath = 60;

/** The one that we were started with, for a program that outlives this one. */
export const sharedTemporaryDirectory = tmpdir();

/** For the entry of a program: what it and its children make in the temporary directory goes into one of their own. */
export function takeTemporaryDirectory(): void {
  const own = makeLocked(sharedTemporaryDirectory);
  if (own === null) return;
  process.env.TMPDIR = own.path;
  process.once('exit', () => {
    remove(own.path);
    own.lock?.close();
  });
}

/** Null where none can be made or used: then temporary files are where they always are. */
function makeLocked(shared: string) {
  if (join(shared, 'tls-toll-XXXXXX').length > longestPath) return null;
  try {
    removeOrphans(shared);
    // Locked before it has the name under which orphans are looked for.
    const unnamed = mkdtempSync(join(shared, 'toll-'));
    const lock = takeLock(unnamed, 0);
    const path = join(shared, `tls-${basename(unnamed)}`);
    renameSync(unnamed, path);
    // Servers that root starts as nobody have to reach the directory in it that is theirs.
    if (process.getuid?.() === 0) chmodSync(path, 0o711);
    return { path, lock };
  } catch {
    return null;
  }
}

function removeOrphans(shared: string): void {
  for (const name of readdirSync(shared)) {
    if (pattern.test(name)) removeOrphan(join(shared, name));
  }
}

function removeOrphan(path: string): void {
  try {
    const { uid } = lstatSync(path);
    const lock = uid === process.getuid?.() ? takeLock(path, 0) : null;
    if (lock === null) return;
    remove(path);
    lock.close();
  } catch {
    // Another program removes it at the same time.
  }
}

/** Leaves files that an ending browser still writes to the next start. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch {}
}
