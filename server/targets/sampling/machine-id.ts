import { createHash } from 'node:crypto';
import { readProc } from '../../base/process/proc-files.ts';

let known: string | null = null;

/** The same for all programs of one running kernel, and another after it was started again; null where the kernel does not say. */
export function machineId(): string | null {
  known ??= digestOf(readProc('/proc/sys/kernel/random/boot_id'));
  return known;
}

/**
 * An ID that survives a restart of the kernel, from systemd's ID of the installation (machine-id(5), which asks programs to hash it).
 * Copies of an image may share it. Containers often have none, and are identified by their running kernel.
 */
export function installationId(): string | null {
  return digestOf(readProc('/etc/machine-id')?.trim() || null) ?? machineId();
}

function digestOf(id: string | null): string | null {
  return id === null ? null : createHash('sha256').update(id).digest('hex').slice(0, 32);
}
