import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { armTitles, isEncrypted } from '../../../shared/base/transport.ts';
import type { MeasuredServerOf } from '../../../shared/target/target.ts';
import { startChild, type User, unprivilegedUser, withinTime } from '../../base/process/children.ts';
import { freePorts } from '../../base/process/listeners.ts';
import { removePerfMaps, withDescendants } from '../../base/process/proc.ts';
import { problemOfError, Reason } from '../../base/text/foreign-errors.ts';
import { isFileError } from '../certificates/certificate-authority.ts';
import {
  type Command,
  type ListenerPlan,
  type ManagedServer,
  type Order,
  type Started,
  statusOf,
  type Upstream,
} from './managed-server.ts';
import { managedServers } from './managed-servers.ts';
import { ownVariables, proveLoaded, readTlsLibrary } from './tls-library.ts';
import { witnessPath } from './tls-settings.ts';

export type KeptServer = Group & { arm: string };

/** Told of as soon as it is there, so that it can be ended whatever happens next. */
type Watch = {
  onDirectory(path: string): void;
  onServer(server: KeptServer): void;
  /** With a sentence, once all have started. */
  onDeath(sentence: string): void;
};

const address = '127.0.0.1';
const readyMs = 20_000;
/** Time limit for a server whose instructions are counted, which makes it some fifty times slower. */
const readyCountedMs = 120_000;
const everyMs = 20;

/** Starts a server for each arm and waits until each has answered. Throws an error with the words of the one that did not. */
export async function startServers(order: Order, watch: Watch, portsAt = freePorts): Promise<Started> {
  const { target } = order;
  const server = managedServers[target.server];
  const owner = unprivilegedUser();
  const ports = await portsAt(address, 2 * Object.keys(order.transports).length);
  const { directory, plans, files } = prepareDirectory(order, server, owner, { address, ports, ...watch });
  const variables = variablesFor(order.library, directory);

  const started = plans.map(([arm, plan]) => {
    const command = server.commandOf(plan, order.paths);
    const counted =
      order.valgrind === null ? command : underCallgrind(command, order.valgrind, plan.directory);
    const child = start(counted, plan, server, { owner, variables });
    const exited = once(child, 'exit').then(([code, signal]) => signal ?? `exit code ${code}`);
    const name = `The ${target.server} of the ${armTitles[arm] ?? `${arm} listener`}`;
    exited.catch(() => {});
    if (child.pid !== undefined) watch.onServer({ arm, pid: child.pid, exited });
    return { arm, child, exited, name, plan };
  });
  // A proxy answers there by itself, whatever is behind it.
  const path = order.upstreams === null ? `/${target.documents[0]}.html` : witnessPath;
  const identity = order.mutual?.clientIdentity;
  const longestMs = order.valgrind === null ? readyMs : readyCountedMs;
  await Promise.all(started.map((each) => untilReady(each, path, identity, longestMs)));
  for (const { name, exited, plan } of started) {
    void exited.then((how) => watch.onDeath(`${name} ended (${how}).${quote(plan)}`));
  }
  const pids = started.map(({ arm, child }): [string, number] => [arm, child.pid ?? 0]);
  const secured = started.filter(({ plan }) => isEncrypted(plan.transport));
  const secure = secured[0] ?? started[0];
  const { library } = order;
  const [loaded] =
    library === null ? [] : secured.map(({ child, name }) => proveLoaded(child.pid ?? 0, library, name));
  return {
    ...{ address, directory, files, pids: Object.fromEntries(pids) },
    ports: Object.fromEntries(started.map(({ arm, plan }) => [arm, plan.port])),
    tlsLibrary: typeof server.tls === 'string' ? readTlsLibrary(secure?.child.pid ?? 0) : null,
    ...(loaded === undefined ? {} : { libraryFiles: loaded }),
  };
}

/** Whether a server did not start because its port is taken; the error contains the server's own words. */
export function isTakenPort(error: unknown): boolean {
  return /already in use|EADDRINUSE/i.test(String(error));
}

/** In a process group of its own, which is ended as a whole. What it says goes to its error log, from its first word on. */
function start(
  { program, args }: Command,
  { directory, errorLog }: ListenerPlan,
  { dropsRoot = false }: ManagedServer,
  { owner, variables }: { owner: User | null; variables: Record<string, string> },
): ChildProcess {
  const log = openSync(errorLog, 'a');
  try {
    return startChild(
      program,
      [...args, ...(dropsRoot && owner !== null ? [`${owner.uid}`, `${owner.gid}`] : [])],
      {
        cwd: directory,
        detached: true,
        stdio: ['ignore', log, log],
        env: variables,
        ...(dropsRoot || owner === null ? {} : owner),
      },
    );
  } finally {
    closeSync(log);
  }
}

/**
 * With links to the files of the library alone, because whatever else is in its directory would be loaded too; and where another library
 * is compared with it, without the settings of either one's own directory.
 */
function variablesFor(library: Order['library'], directory: string): Record<string, string> {
  if (library === null) return ownVariables;
  const links = join(directory, 'library');
  mkdirSync(links);
  for (const { name, path } of library.files) symlinkSync(path, join(links, name));
  const from = library.files.length === 0 ? {} : { LD_LIBRARY_PATH: links };
  return { ...ownVariables, OPENSSL_CONF: '/dev/null', ...from };
}

type Starting = { child: ChildProcess; exited: Promise<string>; name: string; plan: ListenerPlan };

async function untilReady(
  { child, exited, name, plan }: Starting,
  path: string,
  identity: string | undefined,
  longestMs: number,
): Promise<void> {
  const untilMs = performance.now() + longestMs;
  const failed = exited.then(
    (how) => new Reason(`${name} did not start (${how}).${quote(plan)}`),
    (error) => problemOfError('server_failed', `${name} could not be started`, error),
  );
  for (;;) {
    const status = await Promise.race([statusOf(plan, path, identity).catch(() => null), failed]);
    if (typeof status === 'number' && isGood(status) && child.exitCode === null) return;
    if (status instanceof Error) throw status;
    if (performance.now() > untilMs) {
      throw new Reason(`${name} did not answer within ${longestMs / 1000} s.${quote(plan)}`);
    }
    await Promise.race([pause(everyMs), failed]);
  }
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

function quote({ errorLog }: ListenerPlan): string {
  const lines = lastLines(errorLog);
  return lines === '' ? ' Its error log is empty.' : ` Its error log ends with: ${lines}`;
}

const mostLines = 3;
const mostCharacters = 600;

/** The last lines of a log in one; empty where there are none, or the log is gone. */
function lastLines(path: string): string {
  const lines = readIfThere(path)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.slice(-mostLines).join(' ').slice(-mostCharacters);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isFileError(error) && error.code === 'ENOENT') return '';
    throw error;
  }
}

type Prepared = {
  directory: string;
  plans: [arm: string, ListenerPlan][];
  files: MeasuredServerOf<string>['files'];
};

type Options = {
  address: string;
  /** Two for each arm. */
  ports: readonly number[];
  onDirectory(path: string): void;
};

/** A private directory with the documents, the certificate, and a directory for each listener with its configuration. */
function prepareDirectory(
  order: Order,
  server: ManagedServer,
  owner: User | null,
  { address, ports, onDirectory }: Options,
): Prepared {
  const { target, transports, upstreams, groups, compressions, namesCompiled } = order;
  const { http3, objects, idleS, hostname, certPem, keyPem, mutual, paths } = order;
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-server-'));
  onDirectory(directory);
  const documents = join(directory, 'documents');
  const identity = join(directory, 'identity.pem');
  mkdirSync(documents);
  for (const bytes of target.documents) writeFileSync(join(documents, `${bytes}.html`), documentOf(bytes));
  if (objects !== null) placePage(documents, objects, target.documents[0] ?? 0);
  writeFileSync(identity, certPem + keyPem, { mode: 0o600 });
  const clientAuthority = mutual === null ? null : join(directory, 'clients.pem');
  if (mutual !== null && clientAuthority !== null) writeFileSync(clientAuthority, mutual.caPem);

  const files: MeasuredServerOf<string>['files'] = [];
  const { key, workers, keepAlive, resumption, kTls, tickets, recordSize } = target;
  const plans = Object.entries(transports).map(([arm, transport], index): [string, ListenerPlan] => {
    const own = join(directory, arm);
    mkdirSync(own);
    const upstream = upstreams?.[arm];
    const plan: ListenerPlan = {
      ...{ key, workers, keepAlive, resumption, kTls, tickets, recordSize, groups, namesCompiled },
      ...{ address, hostname, idleS, documents, sizes: target.documents, identity, clientAuthority },
      upstream: upstream === undefined ? null : placeUpstream(upstream, own),
      ...{ transport, http3: http3.includes(arm) },
      certificateCompression: compressions[arm] ?? 'none',
      port: ports[2 * index] ?? 0,
      innerPort: ports[2 * index + 1] ?? 0,
      directory: own,
      errorLog: join(own, 'error.log'),
    };
    for (const [name, text] of Object.entries(server.filesOf(plan, paths))) {
      writeFileSync(join(own, name), text);
      files.push({ arm, name, text });
    }
    writeFileSync(plan.errorLog, '');
    return [arm, plan];
  });
  if (owner !== null) giveTo(owner, directory);
  return { directory, plans, files };
}

/**
 * A document with images. A browser keeps the images, which are old, and asks again for the document, which is newer than its answer
 * (RFC 9111, 4.2.2): a repeat visit has one request, as on most sites. Decoders ignore bytes behind the end of a picture.
 */
function placePage(documents: string, objects: number, bytes: number): void {
  const numbers = Array.from({ length: objects }, (_, index) => index + 1);
  const images = numbers.map((number) => `<img src="/object-${number}.png" alt="" width="16" height="16">\n`);
  const title = `<title>${objects} objects</title>\n<p>A page with ${objects} objects</p>\n`;
  const page = join(documents, 'page.html');
  writeFileSync(page, `<!doctype html>\n<html lang="en">\n${title}${images.join('')}</html>\n`);
  const now = Date.now() / 1000;
  utimesSync(page, now, now + secondsOfYear);
  const picture = Buffer.concat([dot, Buffer.alloc(Math.max(0, bytes - dot.length), filler)]);
  for (const number of numbers) {
    const path = join(documents, `object-${number}.png`);
    writeFileSync(path, picture);
    utimesSync(path, now, now - secondsOfYear);
  }
}

const secondsOfYear = 365 * 24 * 60 * 60;

/** A PNG of one gray pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

/** Writes the files of an upstream into the listener's own directory. */
function placeUpstream({ address, port, tls }: Upstream, directory: string): ListenerPlan['upstream'] {
  if (tls === null) return { address, port, tls };
  const { hostname, caPem, identityPem } = tls;
  const [authority, identity] = [join(directory, 'upstream-ca.pem'), join(directory, 'upstream-client.pem')];
  writeFileSync(authority, caPem);
  if (identityPem !== null) writeFileSync(identity, identityPem, { mode: 0o600 });
  return { address, port, tls: { hostname, authority, identity: identityPem === null ? null : identity } };
}

function giveTo({ uid, gid }: User, directory: string): void {
  const inside = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  for (const path of [directory, ...inside.map((name) => join(directory, name))]) chownSync(path, uid, gid);
}

/** HTML of exactly this size; where that is too small for a page, its beginning. ASCII, so one character is one byte. */
export function documentOf(bytes: number): string {
  const head = `<!doctype html>\n<html lang="en">\n<title>${bytes} bytes</title>\n<p>`;
  const end = '</p>\n</html>\n';
  const space = bytes - head.length - end.length;
  if (space < 0) return head.slice(0, bytes).padEnd(bytes, ' ');
  return `${head}${filler.repeat(Math.ceil(space / filler.length)).slice(0, space)}${end}`;
}

const filler = 'The quick brown fox jumps over the lazy dog, and the lazy dog does not mind. ';

/** The leader of a process group. */
type Group = { pid: number; exited: Promise<unknown> };

/** Less than the time after which a process that was asked to stop is killed. */
const graceMs = 700;

/** Asks the servers to end, ends what is left of their process groups, and removes their directory. */
export async function endServers(groups: readonly Group[], directory: string | null): Promise<void> {
  const processes = groups.flatMap(({ pid }) => withDescendants(pid));
  for (const { pid } of groups) signalGroup(pid, 'SIGTERM');
  await withinTime(Promise.all(groups.map(({ exited }) => exited)), graceMs, null);
  endByForce(
    groups.map(({ pid }) => pid),
    directory,
  );
  removePerfMaps(processes);
}

export function endByForce(pids: readonly number[], directory: string | null): void {
  const processes = pids.flatMap(withDescendants);
  for (const pid of pids) signalGroup(pid, 'SIGKILL');
  // A process that was just killed may still be in the middle of a write.
  if (directory !== null) rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  removePerfMaps(processes);
}

/** A group without members any more is what is wanted. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Beginning of the names of the pipes by which Valgrind is asked for counts, in a listener's own directory. */
export const pipePrefix = 'vgdb';
/** Beginning of the names of the files with the counts. */
export const countsPrefix = 'callgrind';

/** More than Apache starts; Valgrind’s own limit is 500. */
const mostThreads = 4096;

/**
 * The same program in Valgrind, which counts the instructions of every process that it starts. No settings but these apply, wherever it finds
 * others. What it cannot execute it names in the error log.
 * @param directory private to the listener, and writable for it
 */
function underCallgrind({ program, args }: Command, valgrind: string, directory: string): Command {
  return {
    program: valgrind,
    args: [
      ...['--tool=callgrind', '--command-line-only=yes', '--quiet', '--sigill-diagnostics=yes'],
      ...['--trace-children=yes', `--max-threads=${mostThreads}`, '--vgdb=yes'],
      `--vgdb-prefix=${join(directory, pipePrefix)}`,
      `--callgrind-out-file=${join(directory, countsPrefix)}.%p`,
      ...[program, ...args],
    ],
  };
}
