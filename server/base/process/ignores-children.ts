import { readProc } from './proc-files.ts';

const sigChld = 17;

/**
 * Whether a process lets its children vanish instead of waiting for them: the kernel then tells nobody what they used. Source:
 * wait(2), proc_pid_status(5). The number of the signal is Linux's on all but Alpha, MIPS and SPARC.
 */
export function ignoresChildren(pid: number): boolean {
  const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1] ?? '0';
  return ((BigInt(`0x${mask}`) >> BigInt(sigChld - 1)) & 1n) === 1n;
}
