import { readProc } from '../../base/process/proc-files.ts';

/** Bytes that a process caused to be read from and written to storage; the page cache's hits are not among them. */
export type DiskReading = { readBytes: number; writeBytes: number };

/** Null when it is not ours to read. Includes ended threads and children that were waited for. */
export function readDisk(pid: number): DiskReading | null {
  const text = readProc(`/proc/${pid}/io`);
  if (text === null || text === '') return null;
  return { readBytes: fieldOf(text, 'read_bytes'), writeBytes: fieldOf(text, 'write_bytes') };
}

function fieldOf(text: string, name: string): number {
  return Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}
