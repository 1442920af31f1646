import { basename } from 'node:path';
import { readProc, readProcessStat } from './proc.ts';

/** A process, and the parent that it had when we started. */
type Link = { pid: number; parent: number };

const everyMs = 1000;

/**
 * Ends this program, as SIGTERM does, once what started it is gone: npm or npx, with the shell that they put in between, or our own
 * launcher. They take only some signals along. A program that was started in another way stays: under nohup, setsid, or systemd.
 */
export function endWithStarter(environment: NodeJS.ProcessEnv): void {
  const isOfNpm = (environment.npm_execpath ?? environment.npm_lifecycle_event) !== undefined;
  const isLaunched = environment.TLS_TOLL_LAUNCHER === `${process.ppid}`;
  const links = linksUp(isLaunched, isOfNpm);
  if (links.length === 0) return;
  const timer = setInterval(() => {
    if (links.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, everyMs);
  timer.unref();
}

/** Up to npm: its own parent may go, such as a terminal. None where nothing above us is to be watched. */
function linksUp(isLaunched: boolean, isOfNpm: boolean): Link[] {
  const links: Link[] = [];
  let pid = process.pid;
  for (let isWatched = isLaunched || isOfNpm; isWatched; ) {
    const parent = parentOf(pid);
    if (parent === null || parent <= 1) break;
    links.push({ pid, parent });
    pid = parent;
    const isLauncher = isLaunched && links.length === 1;
    isWatched = isOfNpm && (isLauncher || isShell(pid));
  }
  return links;
}

/** Null where it is not known: of another process on a system without /proc, or of one that is gone. */
function parentOf(pid: number): number | null {
  return pid === process.pid ? process.ppid : (readProcessStat(pid)?.parentPid ?? null);
}

function isShell(pid: number): boolean {
  const [program = ''] = readProc(`/proc/${pid}/cmdline`)?.split('\0') ?? [];
  return /^-?(?:ba|da|a|z|k)?sh$/.test(basename(program));
}
