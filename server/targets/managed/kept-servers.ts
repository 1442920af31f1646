import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { byArm } from '../../../shared/base/arms.ts';
import { cut } from '../../../shared/base/cut.ts';
import { problem, problemAt } from '../../../shared/base/problem.ts';
import type { TlsProfile } from '../../../shared/base/tls-profile.ts';
import { isEncrypted, type Transport } from '../../../shared/base/transport.ts';
import { meshTable, type ProxyName } from '../../../shared/kinds/mesh/options.ts';
import type { ServerKey, ServerName } from '../../../shared/target/server-options.ts';
import {
  type Listener,
  type ManagedTarget,
  type MeasuredServerOf,
  managedTargetSchema,
} from '../../../shared/target/target.ts';
import { serverTitles } from '../../../shared/target/target-words.ts';
import { unlessAborted } from '../../base/addresses/load-limits.ts';
import { startAskedProcess } from '../../base/process/asked-process.ts';
import { runChild, runChildAtOnce, unprivilegedUser } from '../../base/process/children.ts';
import { detailsOf } from '../../base/text/foreign-errors.ts';
import { openAuthority, openChain, openClientIdentity } from '../certificates/certificate-authority.ts';
import type { VisitedPage } from '../preflight/target-parts.ts';
import { demandInstalled, type Installed } from './find-servers.ts';
import { type Paths, questions, type Order as StartOrder, type Upstream } from './managed-server.ts';
import { managedServers } from './managed-servers.ts';
import { countsPrefix, endByForce, pipePrefix } from './start-servers.ts';
import { isWeak, usualIdleS } from './tls-settings.ts';

type Order<Name extends string> = {
  target: ManagedTarget;
  paths: Paths;
  groups: string;
  transports: Record<Name, Transport>;
  http3?: Name[];
  page?: VisitedPage | undefined;
  /** Null for servers that serve documents. */
  upstreams: Record<Name, Upstream> | null;
  /** How each compresses its certificates; left out for none. */
  compressions?: Record<Name, TlsProfile['certificateCompression']>;
  /** Left out where no side loads another TLS library than its own. */
  library?: StartOrder['library'];
  /** Path of Valgrind, where it is to count their instructions. */
  valgrind?: string | undefined;
};

/** Servers, one an arm, and the process that keeps them. */
export type OpenKept<Name extends string> = {
  listeners: Record<Name, Listener>;
  /** SHA-256 of their certificate. */
  fingerprint: string;
  /** The library that the running program has loaded; null if that could not be read. */
  tlsLibrary: string | null;
  libraryFiles?: MeasuredServerOf<Name>['libraryFiles'];
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
  {
    target,
    paths,
    groups,
    transports,
    http3 = [],
    page,
    upstreams,
    library = null,
    valgrind,
    compressions,
  }: Order<Name>,
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
    refused: (refusal) => problem('server_failed', { detail: refusal.message, ...detailsOf(refusal) }),
    graceMs: 5000,
    serialization: 'json',
    detached: true,
  });
  try {
    const order = {
      ...{ target, paths, transports, upstreams, groups, hostname, certPem, keyPem, mutual },
      ...{ http3, objects: page?.objects ?? null, idleS: page?.idleS ?? usualIdleS, namesCompiled, library },
      ...{ valgrind: valgrind ?? null, compressions: compressions ?? {} },
    };
    const expectedMs = valgrind === undefined ? startMs : startCountedMs;
    const started = await unlessAborted(signal, keeper.ask('start', order, { expectedMs }));
    const { address, tlsLibrary, libraryFiles, directory } = started;
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
      ...(libraryFiles === undefined ? {} : { libraryFiles }),
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

type AskedProxy = {
  proxy: ProxyName;
  /** Key of its certificate. */
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

/** A process answers once it has written its counts. */
const answersWithinMs = 60_000;

/**
 * Instructions that each process of a server in Valgrind has executed since the last call, as Callgrind writes them; its counters then
 * start again at zero. A process that sleeps in the kernel stays there.
 * @param directory the listener's own
 * Throws count_failed, and the reason of the signal.
 */
export async function takeCounts(directory: string, vgdb: string, signal: AbortSignal): Promise<string[]> {
  const pids = countedProcesses(directory);
  const prefix = `--vgdb-prefix=${join(directory, pipePrefix)}`;
  const asked = pids.map((pid) => ask(vgdb, [prefix, `--pid=${pid}`, 'dump'], signal));
  for (const answer of await Promise.allSettled(asked)) {
    if (answer.status === 'rejected') throw answer.reason;
  }
  return pids.flatMap((pid) => filesOf(directory, pid)).map(readAway);
}

function readAway(path: string): string {
  const text = readFileSync(path, 'utf8');
  rmSync(path);
  return text;
}

async function ask(vgdb: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  try {
    // Valgrind answers nobody whose process its own user may not look at, root included.
    await runChild(vgdb, args, { timeout: answersWithinMs, signal, ...unprivilegedUser() });
  } catch (error) {
    signal.throwIfAborted();
    const said = String((error as { stderr?: string }).stderr ?? '').trim();
    throw problem('count_failed', {
      detail: 'Valgrind did not report its counts (details).',
      ...(said === '' ? detailsOf(error) : { details: cut(said.split('\n').at(-1) ?? '', 2000) }),
    });
  }
}

/** Each has a pipe that it is asked through. */
export function countedProcesses(directory: string): number[] {
  const pipe = new RegExp(`^${pipePrefix}-from-vgdb-to-(\\d+)-`);
  const pids = readdirSync(directory).flatMap((name) => pipe.exec(name)?.[1] ?? []);
  return pids.map(Number).toSorted((one, other) => one - other);
}

function filesOf(directory: string, pid: number): string[] {
  const written = new RegExp(`^${countsPrefix}\\.${pid}\\.\\d+$`);
  return readdirSync(directory)
    .filter((name) => written.test(name))
    .map((name) => join(directory, name));
}

type Valgrind = { version: string; path: string; vgdb: string };

/** Throws valgrind_missing. */
export function demandValgrind(): Valgrind {
  const directories = (process.env.PATH ?? '').split(delimiter);
  const path = directories.map((each) => join(each, 'valgrind')).find((each) => existsSync(each));
  const vgdb = path === undefined ? '' : join(dirname(path), 'vgdb');
  const said = path === undefined ? null : runChildAtOnce(path, ['--version'], versionOptions);
  const version = /^valgrind-(\S+)/.exec(said?.stdout ?? '')?.[1];
  if (path === undefined || version === undefined || !existsSync(vgdb)) {
    throw problem(
      'valgrind_missing',
      'Valgrind was not found. It counts instructions. Install it: apt install valgrind (Debian, Ubuntu).',
    );
  }
  return { version, path, vgdb };
}

const versionOptions = { encoding: 'utf8', timeout: 10_000 } as const;

/** Throws not_countable for a server that does not work in Valgrind. */
export function demandCountable(name: ServerName): void {
  const { uncountable } = managedServers[name];
  if (uncountable === undefined) return;
  throw problem('not_countable', {
    detail: `Instructions of ${serverTitles[name]} cannot be counted. ${uncountable}`,
    errors: [{ field: 'server', message: uncountable }],
  });
}
