import { readProc } from './proc-files.ts';

/** One line of `/proc/PID/stat`: who the process is, and its CPU time in the kernel's ticks. */
export type ProcessStat = {
  parentPid: number;
  /** Of the leading thread: `R` while it runs or waits for a core. */
  state: string;
  threads: number;
  /** Its ended threads included. */
  ownTicks: number;
  /** Of its children that have ended and that it has waited for, and of theirs. */
  childTicks: number;
  /** Ticks after boot. With the pid it names a process for good; the pid alone is used again. */
  startTicks: number;
};

/** The kernel shows ticks of 10 ms (USER_HZ) to programs, whatever its own rate. Source: proc_pid_stat(5). */
export const tickUs = 10_000;

/** Null when the process has ended, as a zombie too. */
export function readProcessStat(pid: number): ProcessStat | null {
  const text = readProc(`/proc/${pid}/stat`);
  return text === null ? null : parseProcessStat(text);
}

export function parseProcessStat(text: string): ProcessStat | null {
  // The command name, in parentheses, may hold spaces and parentheses itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = ''] = fields;
  if (state === 'Z' || state === 'X') return null;
  const field = (numberInManual: number) => Number(fields[numberInManual - 3]);
  return {
    parentPid: field(4),
    state,
    threads: field(20),
    ownTicks: field(14) + field(15),
    childTicks: field(16) + field(17),
    startTicks: field(22),
  };
}
