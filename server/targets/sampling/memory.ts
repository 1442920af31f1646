import { readFileSync } from 'node:fs';
import { nullWhenHidden, readProc } from '../../base/process/proc-files.ts';

/** Resident bytes, shared pages in full: cheap enough for a curve. 0 when the process has ended. */
export function readRssBytes(pid: number): number {
  const text = readProc(`/proc/${pid}/statm`);
  return text === null ? 0 : Number(text.split(' ')[1]) * pageBytes();
}

/** Resident bytes, each shared page divided among those who share it; null when it is not ours to read. */
export function readPssBytes(pid: number): number | null {
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/smaps_rollup`) ?? '')?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

const auxvPageSize = 6n;
let knownPageBytes: number | null = null;

/** The kernel tells every process at its start, as pairs of type and value. Source: getauxval(3), AT_PAGESZ. */
function pageBytes(): number {
  knownPageBytes ??= readPageBytes();
  return knownPageBytes;
}

function readPageBytes(): number {
  try {
    const { buffer, byteOffset, length } = Buffer.from(readFileSync('/proc/self/auxv'));
    const words = new BigUint64Array(buffer.slice(byteOffset, byteOffset + length));
    const at = words.findIndex((word, index) => index % 2 === 0 && word === auxvPageSize);
    return Number(words[at + 1] ?? 4096n);
  } catch (error) {
    return nullWhenHidden(error) ?? 4096;
  }
}
