import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Recordings hold pieces of stacks, and so perhaps keys and passwords. They lie in a directory that only this user can open, and are
 * deleted once they have been read.
 */
const name = 'stack-recordings';

/** In a data directory that no other server uses. Deletes what was left there when an earlier one was killed. */
export function openPrivateDirectory(dataDirectory: string): { path: string; remove(): void } {
  sweepRecordings(dataDirectory);
  const root = join(dataDirectory, name);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const path = mkdtempSync(join(root, 'perf-'));
  return { path, remove: () => sweepRecordings(dataDirectory) };
}

export function sweepRecordings(dataDirectory: string): void {
  rmSync(join(dataDirectory, name), { recursive: true, force: true });
}
