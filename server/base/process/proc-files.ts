import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Reading `/proc`, where every file can vanish between two calls and some may not be read by us. */

/** Text of a file of `/proc`; null when its process has ended, or when it is not ours to read. */
export function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    return nullWhenHidden(error);
  }
}

/** Names in a directory of `/proc`; empty under the same conditions. */
export function listProc(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    return nullWhenHidden(error) ?? [];
  }
}

/** Where a link of `/proc` leads; null under the same conditions. */
export function readProcLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    return nullWhenHidden(error);
  }
}

/** Path of the program that a process runs, which calls itself by whatever name it likes. */
export function programOf(pid: number): string | null {
  return readProcLink(`/proc/${pid}/exe`)?.replace(/ \(deleted\)$/, '') ?? null;
}

/** Ids of the processes of this machine that can be seen. */
export function listPids(): number[] {
  return listProc('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

const hidden = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR', 'EINVAL']);

export function nullWhenHidden(error: unknown): null {
  if (error instanceof Error && 'code' in error && hidden.has(String(error.code))) return null;
  throw error;
}
