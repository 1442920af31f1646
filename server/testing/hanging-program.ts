import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProcessStat } from '../base/process/proc.ts';

type HangingProgram = {
  path: string;
  /** Whether it or its child is running. */
  isAlive(): boolean;
  remove(): void;
};

/** For tests: a program that never answers and that only SIGKILL ends, with a child that is the same. */
export function hangingProgram(): HangingProgram {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-hang-'));
  // Another user may start it.
  chmodSync(directory, 0o777);
  const [path, pidFile] = [join(directory, 'program'), join(directory, 'pids')];
  writeFileSync(path, `#!/bin/sh\ntrap '' TERM INT HUP\nsleep 300 &\necho $! $$ >${pidFile}\nwait\n`, {
    mode: 0o755,
  });
  writeFileSync(pidFile, '', { mode: 0o666 });
  chmodSync(pidFile, 0o666);
  return {
    path,
    isAlive: () => {
      const pids = readFileSync(pidFile, 'utf8').split(/\s+/).filter(Boolean).map(Number);
      return pids.some((pid) => readProcessStat(pid) !== null);
    },
    remove: () => rmSync(directory, { recursive: true }),
  };
}
