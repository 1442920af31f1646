import { listPids, readProc, readProcessStat } from '../base/process/proc.ts';

/** For tests: the child of a process that runs a script; null while there is none. */
export function childRunning(script: string, parent: number): number | null {
  const isIt = (pid: number) =>
    readProcessStat(pid)?.parentPid === parent &&
    (readProc(`/proc/${pid}/cmdline`)?.includes(script) ?? false);
  return listPids().find(isIt) ?? null;
}
