import { readFileSync } from 'node:fs';
import { nullWhenHidden, readProc } from '../../base/process/proc-files.ts';

/**
 * The TLS library that a running program has loaded, in its own words, such as `OpenSSL 3.0.19 27 Jan 2026`: a package may
 * have been renewed since the program was built. Null where it may not be read, or has linked its library in.
 */
export function readTlsLibrary(pid: number): string | null {
  const path = /\s(\/\S*libcrypto\.so\S*)$/m.exec(readProc(`/proc/${pid}/maps`) ?? '')?.[1];
  if (path === undefined) return null;
  try {
    return /OpenSSL \d+\.\d+\.\d+\w* \d+ \w{3} \d{4}/.exec(readFileSync(path, 'latin1'))?.[0] ?? null;
  } catch (error) {
    return nullWhenHidden(error);
  }
}
