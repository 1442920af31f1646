import { chmodSync, copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isExecutable } from './find-chromium.ts';

/**
 * A script of ours as a file that can be executed: itself, or a copy where an archive, a checkout, or a file system has lost the
 * bit for it. Null where no copy can be executed either, as in temporary files that are mounted `noexec`.
 */
export function executableScript(path: string): string | null {
  if (isExecutable(path)) return path;
  try {
    // Under a name that nobody can have taken before.
    const copy = join(mkdtempSync(join(tmpdir(), 'script-')), basename(path));
    copyFileSync(path, copy);
    chmodSync(copy, 0o755);
    return isExecutable(copy) ? copy : null;
  } catch {
    return null;
  }
}
