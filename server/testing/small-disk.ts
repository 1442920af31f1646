import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** For tests: a file system of its own, in memory, that can be full. */
type SmallDisk = {
  directory: string;
  /** Leaves no room for a single page more. */
  fill(): void;
  /** Takes away what filled it. */
  clear(): void;
  unmount(): void;
};

/** Null where this user may not mount. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-disk-'));
  const options = `size=${megabytes}m,mode=0700`;
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory]);
  if (mounted.status !== 0) {
    rmdirSync(directory);
    return null;
  }
  const filler = join(directory, 'filler');
  return {
    directory,
    fill() {
      const file = openSync(filler, 'w');
      try {
        for (;;) writeSync(file, Buffer.alloc(4096));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    clear: () => rmSync(filler),
    unmount() {
      // A process that still has a file open there, such as a server that a failed test left, does not prevent this.
      spawnSync('umount', ['--lazy', directory]);
      rmdirSync(directory);
    },
  };
}
