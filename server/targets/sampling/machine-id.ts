import { createHash } from 'node:crypto';
import { readProc } from '../../base/process/proc-files.ts';

let known: string | null = null;

/** The same for all programs of one running kernel, and another after it was started again; null where the kernel does not say. */
export function machineId(): string | null {
  known ??= digestOf(readProc('/proc/sys/kernel/random/boot_id'));
  return known;
}

function digestOf(bootId: string | null): string | null {
  return bootId === null ? null : createHash('sha256').update(bootId).digest('hex').slice(0, 32);
}
