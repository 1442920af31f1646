import { closeSync, openSync, readSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { nullWhenHidden } from './proc.ts';

/**
 * What a program is made for, where that is not this machine, such as `Linux on arm64`; null for one that fits, and for what is no
 * program of a known kind, such as a script. Sources: the ELF header (elf(5)), and the magic numbers of Mach-O and PE.
 */
export function foreignTo(
  path: string,
  here = `${titles[platform()] ?? platform()} on ${arch()}`,
): string | null {
  const made = madeFor(path);
  return made === null || made === here ? null : made;
}

const titles: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'Linux',
  darwin: 'macOS',
  win32: 'Windows',
};
/** Of `e_machine`, as Node calls them. */
const machines: Record<number, string> = {
  3: 'ia32',
  40: 'arm',
  62: 'x64',
  183: 'arm64',
  243: 'riscv64',
  21: 'ppc64',
  22: 's390x',
};
/** Of `cputype`. */
const macMachines: Record<number, string> = { 16777223: 'x64', 16777228: 'arm64' };
const headBytes = 20;

/** The same for every program of a known kind. Null for a script, and for a file that cannot be read. */
export function madeFor(path: string): string | null {
  const head = headOf(path);
  if (head === null) return null;
  if (head.toString('latin1', 0, 4) === '\x7fELF') {
    const isLittle = head[5] === 1;
    const machine = isLittle ? head.readUInt16LE(18) : head.readUInt16BE(18);
    return `Linux on ${machines[machine] ?? `machine ${machine}`}`;
  }
  if (head.readUInt32LE(0) === 0xfeedfacf)
    return `macOS on ${macMachines[head.readUInt32LE(4)] ?? 'another machine'}`;
  return head.toString('latin1', 0, 2) === 'MZ' ? 'Windows' : null;
}

function headOf(path: string): Buffer | null {
  const head = Buffer.alloc(headBytes);
  try {
    const file = openSync(path, 'r');
    try {
      return readSync(file, head, 0, headBytes, 0) === headBytes ? head : null;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return nullWhenHidden(error);
  }
}
