import { createHash } from 'node:crypto';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import type { Environment } from '../../../shared/base/environment.ts';
import { readProc } from '../../base/process/proc.ts';

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

/**
 * Everything about this machine that can move a run's figures.
 * @param product name and version of what measures
 * @param sharedMachine whether the target runs here as well
 */
export function describeEnvironment(product: string, sharedMachine: boolean): Environment {
  const cpuInfo = readProc('/proc/cpuinfo') ?? '';
  const machine = machineId();
  return {
    platform: `${process.platform} ${process.arch}`,
    kernel: release(),
    cpuModel: cpus()[0]?.model.trim() || 'unknown',
    cpuFlags: parseCpuFlags(cpuInfo),
    cores: availableParallelism(),
    ...(machine === null ? {} : { machine }),
    memoryBytes: totalmem(),
    governor: readProc('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor')?.trim() ?? null,
    node: process.versions.node,
    openssl: process.versions.openssl,
    product,
    sharedMachine,
  };
}

/** Instructions that OpenSSL picks its ciphers' and hashes' code by, on x86-64 and on 64-bit ARM. */
const cryptoFlags = new Set([
  ...['aes', 'pclmulqdq', 'avx', 'avx2', 'bmi2', 'adx', 'sha_ni', 'vaes', 'vpclmulqdq', 'gfni'],
  ...['avx512f', 'avx512vl', 'avx512bw', 'avx512ifma'],
  ...['asimd', 'pmull', 'sha1', 'sha2', 'sha3', 'sha512', 'sve', 'sve2'],
]);

export function parseCpuFlags(cpuInfo: string): string[] {
  const line = /^(?:flags|Features)\s*:\s*(.*)$/m.exec(cpuInfo)?.[1] ?? '';
  return line.split(' ').filter((flag) => cryptoFlags.has(flag));
}
