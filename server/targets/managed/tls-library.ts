import { readFileSync, statSync } from 'node:fs';
import { type ServerKey, serverKeys } from '../../../shared/target/server-names.ts';
import { runChildAtOnce } from '../../base/process/children.ts';
import { nullWhenHidden, readProc } from '../../base/process/proc-files.ts';
import { classicalGroups, classicalKeys, hybridGroups, isAtLeast } from './tls-settings.ts';

export type TlsLibrary = {
  /** Such as `OpenSSL 3.5.8`; null where it could not be read. */
  name: string | null;
  /** As OpenSSL lists them. */
  groups: string;
  /** That a certificate can have. */
  keys: readonly ServerKey[];
  /** The only suites up to TLS 1.2, where the list of a configuration does not say. */
  suites?: string;
};

/** OpenSSL has had ML-KEM and ML-DSA since 3.5 (its NEWS.md). */
export function openssl(version: string | null): TlsLibrary {
  const isPostQuantum = isAtLeast(version ?? '', 3, 5);
  return {
    name: version === null ? null : `OpenSSL ${version}`,
    groups: isPostQuantum ? hybridGroups : classicalGroups,
    keys: isPostQuantum ? serverKeys : classicalKeys,
  };
}

const loaded = new Map<string, string | null>();

/** The version of OpenSSL that a program or a module of one will load; asked once of each file. Null where it cannot be read. */
export function loadedOpenssl(path: string): string | null {
  const file = `${path} ${statSync(path).mtimeMs}`;
  const known = loaded.get(file);
  if (known !== undefined) return known;
  const { stdout } = runChildAtOnce('ldd', [path], { encoding: 'utf8', timeout: 5000 });
  const library = /libcrypto\.so[.\d]* => (\S+)/.exec(stdout ?? '')?.[1];
  const version = library === undefined ? null : (/\d\S*/.exec(describe(library) ?? '')?.[0] ?? null);
  loaded.set(file, version);
  return version;
}

/**
 * The TLS library that a running program has loaded, in its own words, such as `OpenSSL 3.0.19 27 Jan 2026`: a package may
 * have been renewed since the program was built. Null where it may not be read, or has linked its library in.
 */
export function readTlsLibrary(pid: number): string | null {
  const path = / (\/\S*\/libcrypto\.so[^\s/]*)$/m.exec(readProc(`/proc/${pid}/maps`) ?? '')?.[1];
  return path === undefined ? null : describe(path);
}

function describe(path: string): string | null {
  try {
    return /OpenSSL \d[\w.]* \d+ [A-Z][a-z]+ \d+/.exec(readFileSync(path, 'latin1'))?.[0] ?? null;
  } catch (error) {
    return nullWhenHidden(error);
  }
}
