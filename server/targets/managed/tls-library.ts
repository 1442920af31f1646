import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { either } from '../../../shared/base/option.ts';
import { problemAt } from '../../../shared/base/problem.ts';
import { type ServerName, serverNames } from '../../../shared/target/server-options.ts';
import { serverTitles } from '../../../shared/target/target-words.ts';
import {
  foreignTo,
  madeFor,
  runChildAtOnce,
  type User,
  unprivilegedUser,
} from '../../base/process/children.ts';
import { nullWhenHidden, readProc, withDescendants } from '../../base/process/proc.ts';
import { Reason } from '../../base/text/foreign-errors.ts';
import type { ManagedServer, Order, Paths } from './managed-server.ts';
import { managedServers } from './managed-servers.ts';

/** The TLS library of a server: which one a program loads, which one it has loaded, and another one in its place. */

/** Variables of every managed server, and of what is asked about one. Ours would lead it to other libraries. */
export const ownVariables = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/** Directories with a libssl, by the names that requests use. Only whoever starts this program can set one. */
export type Libraries = Readonly<Record<string, string>>;

/** A library as it was found in its directory, with its version, such as `3.5.0`. */
type FoundLibrary = NonNullable<Order['library']> & { version: string };

const sonames = /\b(lib(?:ssl|crypto)\.so[.\d]*) => (\S+)/g;

/** Libraries of OpenSSL that a program or a module of one loads by itself, by the names that it has for them. */
function neededBy(path: string): Map<string, string> {
  const options = { encoding: 'utf8', timeout: 5000, env: ownVariables } as const;
  const { stdout } = runChildAtOnce('ldd', [path], options);
  return new Map([...(stdout ?? '').matchAll(sonames)].map(([, name = '', file = '']) => [name, file]));
}

const loaded = new Map<string, string | null>();

/** The version of OpenSSL that a program or a module of one will load; asked once of each file. Null where it cannot be read. */
export function loadedOpenssl(path: string): string | null {
  const file = `${path} ${statSync(path).mtimeMs}`;
  const known = loaded.get(file);
  if (known !== undefined) return known;
  const library = [...neededBy(path)].find(([name]) => name.startsWith('libcrypto'))?.[1];
  const version = library === undefined ? null : versionIn(library);
  loaded.set(file, version);
  return version;
}

/** `3.5.0` of the file of a libcrypto; null where it cannot be read, and for a libssl, which does not say. */
function versionIn(path: string): string | null {
  return /\d\S*/.exec(readOpensslVersion(path) ?? '')?.[0] ?? null;
}

function readOpensslVersion(path: string): string | null {
  try {
    return /OpenSSL \d[\w.]*(?:-[\w.]+)? \d+ [A-Z][a-z]+ \d+/.exec(readFileSync(path, 'latin1'))?.[0] ?? null;
  } catch (error) {
    return nullWhenHidden(error);
  }
}

/**
 * The TLS library that a running program has loaded, in its own words, such as `OpenSSL 3.0.19 27 Jan 2026`: a package may
 * have been renewed since the program was built. Null where it may not be read, or has linked its library in.
 */
export function readTlsLibrary(pid: number): string | null {
  const path = mappedBy(pid).find((each) => /\/libcrypto\.so/.test(each));
  return path === undefined ? null : readOpensslVersion(path);
}

/** Paths of the files of OpenSSL that a process has mapped; none where that may not be read. */
function mappedBy(pid: number): string[] {
  const lines = (readProc(`/proc/${pid}/maps`) ?? '').matchAll(/ (\/\S*\/lib(?:ssl|crypto)\.so[^\s/]*)$/gm);
  return [...new Set([...lines].map(([, path = '']) => path))];
}

/** Version of the OpenSSL in a directory with a libssl, such as `3.0.19`; null where there is none. */
export function versionInDirectory(directory: string): string | null {
  const names = listOf(directory);
  const crypto = names.find((name) => /^libcrypto\.so\.\d+$/.test(name));
  const hasSsl = names.some((name) => /^libssl\.so\.\d+$/.test(name));
  return crypto !== undefined && hasSsl ? versionIn(join(directory, crypto)) : null;
}

/**
 * Finds a library for a server, and everything that is wrong with it before it is loaded. Throws invalid_request.
 * @param paths of the server's parts
 */
export function findLibrary(
  name: string,
  {
    server,
    paths,
    libraries = {},
  }: { server: ManagedServer; paths: Paths; libraries?: Libraries | undefined },
  user = unprivilegedUser(),
): FoundLibrary {
  const title = serverTitles[server.name];
  const wrong = (message: string) => problemAt('invalid_request', 'target.library', message);
  const builtIn = whyNoOther(server.name);
  if (builtIn !== null) throw wrong(builtIn);
  const directory = libraries[name];
  if (directory === undefined) throw wrong(unknownLibrary(name, Object.keys(libraries)));
  const needed = [...neededBy(paths[String(server.tls)] ?? '').keys()];
  if (needed.length === 0)
    throw wrong(`${title} loads no libssl of its own here, so it cannot load another.`);
  const files = needed.map((soname) => {
    const path = join(directory, soname);
    if (!existsSync(path)) throw wrong(missingIn(directory, soname, { name, title }));
    return { name: soname, path: realpathSync(path) };
  });
  for (const { name: soname, path } of files) {
    const made = foreignTo(path);
    if (made !== null)
      throw wrong(`The ${soname} of “${name}” is a library for ${made}. Give one for this machine.`);
    if (madeFor(path) === null) throw wrong(`The ${soname} of “${name}” is no shared library.`);
    const unsafe = writableAbove(path);
    if (unsafe !== null) {
      throw wrong(
        `Others can write to ${unsafe === path ? `the ${soname}` : 'the directory'} of “${name}”, and what they put there would run. Remove their write permission.`,
      );
    }
    if (user !== null && !isReadableFor(path, user)) {
      throw wrong(
        `The server runs as the user nobody, who cannot read the ${soname} of “${name}”. Put it where everybody can read it.`,
      );
    }
  }
  const crypto = files.find((file) => file.name.startsWith('libcrypto'));
  const version = crypto === undefined ? null : versionIn(crypto.path);
  if (version === null) throw wrong(`The library “${name}” does not say which version of OpenSSL it is.`);
  return { name, version, files };
}

/** Why a server loads no other library than its own, in a sentence; null for one that does. */
export function whyNoOther(name: ServerName): string | null {
  if (typeof managedServers[name].tls === 'string') return null;
  const able = serverNames.filter((each) => typeof managedServers[each].tls === 'string');
  const others = either.format(able.map((each) => serverTitles[each]));
  return `${serverTitles[name]} contains its TLS library and loads no other. Choose ${others}.`;
}

function unknownLibrary(name: string, known: readonly string[]): string {
  const help = `Start the server with TLS_TOLL_LIBSSL=${name}=DIRECTORY.`;
  return known.length === 0
    ? `No TLS library is known here. ${help}`
    : `No TLS library is called “${name}” here, only ${either.format(known)}. ${help}`;
}

function missingIn(
  directory: string,
  soname: string,
  { name, title }: { name: string; title: string },
): string {
  const [stem = ''] = soname.split('.so');
  const others = listOf(directory).filter((each) => new RegExp(`^${stem}\\.so\\.\\d+$`).test(each));
  return others.length === 0
    ? `The directory of “${name}” contains no ${soname}, which ${title} loads.`
    : `The directory of “${name}” contains ${either.format(others)}, but ${title} loads ${soname}. Give a library of that version.`;
}

function listOf(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    return nullWhenHidden(error) ?? [];
  }
}

/** Every directory above a file, and the file itself. */
function above(path: string): string[] {
  return path === '/' ? ['/'] : [...above(dirname(path)), path];
}

/** The first of a file and the directories above it that others than root and ourselves can change; null for none. */
function writableAbove(path: string): string | null {
  return above(path).find((each) => isWritableForOthers(statSync(each), each === path)) ?? null;
}

const [forOthers, forGroup, sticky] = [0o002, 0o020, 0o1000];

function isWritableForOthers({ mode, uid, gid }: Stats, isFile: boolean): boolean {
  const ours = (id: number, own: number | undefined) => id === 0 || id === own;
  if (!ours(uid, process.getuid?.())) return true;
  // In a sticky directory, nobody else can replace what is ours.
  if (!isFile && (mode & sticky) !== 0) return false;
  return (mode & forOthers) !== 0 || ((mode & forGroup) !== 0 && !ours(gid, process.getgid?.()));
}

/** By the permissions of the file and the directories above it, access lists left out. */
function isReadableFor(path: string, user: User): boolean {
  return above(path).every((each) => {
    const { mode, uid, gid } = statSync(each);
    const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
    return ((mode >> shift) & (each === path ? 4 : 1)) !== 0;
  });
}

/**
 * The files of OpenSSL that a server has loaded, read from every process of its tree that has loaded any, with their SHA-256. Throws an
 * error with a sentence where it loaded another file than was asked for, or what it loaded cannot be read.
 * @param title of the server, as a sentence begins
 */
export function proveLoaded(
  pid: number,
  asked: NonNullable<Order['library']>,
  title: string,
): { name: string; sha256: string }[] {
  const trees = withDescendants(pid).map(mappedBy);
  const paths = [...new Set(trees.flat())].toSorted();
  if (paths.length === 0) throw new Reason(`${title} has loaded no TLS library that can be read.`);
  for (const { name, path } of asked.files) {
    const stem = name.replace(/\.so.*/, '.so');
    const other = paths.find((each) => each.includes(`/${stem}`) && each !== path);
    if (other !== undefined || !paths.includes(path)) {
      throw new Reason(
        `${title} did not load the ${name} of “${asked.name}”, but ${other ?? 'none'}. Check that its directory can be read by every user.`,
      );
    }
  }
  return paths.map((path) => ({
    name: path.slice(path.lastIndexOf('/') + 1),
    sha256: createHash('sha256').update(readFileSync(path)).digest('hex'),
  }));
}
