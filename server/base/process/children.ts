import { AsyncLocalStorage } from 'node:async_hooks';
import { type ChildProcess, execFile, fork, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { arch, platform, setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { nullWhenHidden } from './proc.ts';

export type User = { uid: number; gid: number };

/** Linux's own number for nobody, for a system that lists no such user. */
const unlisted: User = { uid: 65534, gid: 65534 };

/**
 * Who servers that are measured and browsers run as: nobody where we are root, so that none of them ever is; null for
 * ourselves.
 */
export function unprivilegedUser(): User | null {
  if (process.getuid?.() !== 0) return null;
  const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return line === null ? unlisted : { uid: Number(line[1]), gid: Number(line[2]) };
}

/**
 * Every process of ours is started here, with a closed list of variables: the environment of the server holds the password of
 * its database, API keys, and whatever else its owner has exported, and some of what it starts opens pages of others.
 */

/** Variables for any program: paths of programs, files, and libraries, and the format of numbers. */
const always = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'LD_LIBRARY_PATH', 'TZ'],
  ...['LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'LC_NUMERIC', 'LC_TIME', 'LC_COLLATE', 'LC_MESSAGES'],
];

/** Paths of OpenSSL's settings and authorities. */
const openssl = ['OPENSSL_CONF', 'OPENSSL_MODULES', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** Additional variables, per kind of program. */
const besides = {
  program: [],
  openssl,
  /** Our own programs, which Node runs. */
  node: [
    ...openssl,
    ...[
      'NODE_OPTIONS',
      'NODE_EXTRA_CA_CERTS',
      'NODE_COMPILE_CACHE',
      'NODE_V8_COVERAGE',
      'UV_THREADPOOL_SIZE',
    ],
  ],
  browser: ['FONTCONFIG_PATH', 'FONTCONFIG_FILE', 'CHROME_DEVEL_SANDBOX'],
  /** It opens an address on somebody's screen. */
  desktop: [
    ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'BROWSER', 'DESKTOP_SESSION'],
    ...['XDG_RUNTIME_DIR', 'XDG_CURRENT_DESKTOP', 'XDG_DATA_DIRS', 'XDG_CONFIG_DIRS', 'XDG_CONFIG_HOME'],
  ],
  /** Variables that libpq reads (https://www.postgresql.org/docs/current/libpq-envars.html). */
  postgres: [
    ...['PGHOST', 'PGHOSTADDR', 'PGPORT', 'PGDATABASE', 'PGUSER', 'PGPASSWORD', 'PGPASSFILE', 'PGSERVICE'],
    ...['PGSERVICEFILE', 'PGSYSCONFDIR', 'PGOPTIONS', 'PGAPPNAME', 'PGREQUIREAUTH', 'PGCHANNELBINDING'],
    ...['PGSSLMODE', 'PGSSLNEGOTIATION', 'PGREQUIRESSL', 'PGSSLCOMPRESSION', 'PGSSLCERT', 'PGSSLKEY'],
    ...['PGSSLCERTMODE', 'PGSSLROOTCERT', 'PGSSLCRL', 'PGSSLCRLDIR', 'PGSSLSNI', 'PGREQUIREPEER'],
    ...['PGSSLMINPROTOCOLVERSION', 'PGSSLMAXPROTOCOLVERSION', 'PGMINPROTOCOLVERSION', 'PGMAXPROTOCOLVERSION'],
    ...['PGGSSENCMODE', 'PGKRBSRVNAME', 'PGGSSLIB', 'PGGSSDELEGATION', 'KRB5CCNAME', 'KRB5_CONFIG'],
    ...['PGCONNECT_TIMEOUT', 'PGCLIENTENCODING', 'PGTARGETSESSIONATTRS', 'PGLOADBALANCEHOSTS', 'PGTZ'],
    ...openssl,
  ],
} as const satisfies Record<string, readonly string[]>;

/** The part of the server's own environment that a child gets. */
export function environmentOf(child: keyof typeof besides): NodeJS.ProcessEnv {
  const names = [...always, ...besides[child]];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

type Options = { env?: NodeJS.ProcessEnv; detached?: boolean };

/** Each as Node's own, whose types they keep. Without `env`, a child gets what any program needs. */
export const startChild = ((program: string, args: readonly string[], options: Options = {}) =>
  noteChild(spawn(program, args, { env: environmentOf('program'), ...options }), options)) as typeof spawn;

export const forkChild = ((script: URL, options: Options = {}) =>
  noteChild(fork(script, { env: environmentOf('node'), ...options }), options)) as (
  script: URL,
  options?: Parameters<typeof fork>[2],
) => ReturnType<typeof fork>;

/** Resolves with what it printed. */
export function runChild(
  program: string,
  args: readonly string[],
  options: { timeout: number; signal?: AbortSignal | undefined; cwd?: string } & Options & Partial<User>,
): Promise<{ stdout: string; stderr: string }> {
  const ran = promisify(execFile)(program, args, { env: environmentOf('program'), ...options });
  noteChild(ran.child, {});
  return ran;
}

/** Living processes and open connections of one piece of work, however deep inside it started them. */
class Belongings {
  readonly #living = new Map<ChildProcess, { isGroup: boolean; exited: Promise<void> }>();
  readonly #sockets = new Set<Duplex>();

  /** Does the work and notes its children and connections here. */
  own<Result>(work: () => Promise<Result>): Promise<Result> {
    return owner.run(this, work);
  }

  note(child: ChildProcess, isGroup: boolean): void {
    if (child.pid === undefined) return;
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => {
        this.#living.delete(child);
        resolve();
      });
    });
    this.#living.set(child, { isGroup, exited });
  }

  noteSocket(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** Destroys the connections. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Each with its group where it leads one. */
  signal(signal: NodeJS.Signals): void {
    for (const [child, { isGroup }] of this.#living) {
      try {
        process.kill(isGroup ? -Number(child.pid) : Number(child.pid), signal);
      } catch {
        // It has just exited.
      }
    }
  }

  async exited(): Promise<void> {
    await Promise.all([...this.#living.values()].map(({ exited }) => exited));
  }
}

const owner = new AsyncLocalStorage<Belongings>();

function noteChild<Child extends ChildProcess>(child: Child, { detached = false }: Options): Child {
  owner.getStore()?.note(child, detached);
  return child;
}

/** A connection to a server that is measured or asked: it ends with the work that opened it. */
export function ownSocket<Connection extends Duplex>(socket: Connection): Connection {
  owner.getStore()?.noteSocket(socket);
  return socket;
}

/** Once it has ended and all that it printed was read. Null where a signal ended it, or it could not be started. */
export function exitCodeOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('close', resolve);
    child.once('error', () => resolve(null));
  });
}

export const runChildAtOnce = ((program: string, args: readonly string[], options: Options = {}) =>
  spawnSync(program, args, { env: environmentOf('program'), ...options })) as typeof spawnSync;

/**
 * After its signal, work has this long to end by itself, then its processes to end, and then to be killed, and to notice it. Less than a
 * server that ends waits for its store.
 */
const [termMs, killMs, graceMs] = [2000, 3000, 5000];

/**
 * Resolves or rejects as the work does. Work that does not end after the signal loses its processes and connections and is let go: rejects
 * with the signal's reason, once all its processes have exited. The caller drops what the work still reports.
 */
export async function letGo<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  const belongings = new Belongings();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timers: NodeJS.Timeout[] = [];
  const begin = () => {
    timers.push(
      setTimeout(() => {
        belongings.hangUp();
        belongings.signal('SIGTERM');
      }, termMs),
      setTimeout(() => belongings.signal('SIGKILL'), killMs),
      setTimeout(() => void belongings.exited().then(() => reject(signal.reason)), graceMs),
    );
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  try {
    return await Promise.race([belongings.own(work), late]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener('abort', begin);
  }
}

/**
 * Ends this process once its parent is gone, also while its own thread is kept busy and hears of nothing: a thread beside it
 * looks once a second.
 */
export function endWithParent(): void {
  new Worker(new URL('./parent-watch.ts', import.meta.url), {
    workerData: process.ppid,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  }).unref();
}

/** The value, or `otherwise` if it takes too long or rejects, as a question to a page does that hangs or leaves. */
export async function withinTime<T, U>(value: Promise<T>, patienceMs: number, otherwise: U): Promise<T | U> {
  const { promise, resolve } = Promise.withResolvers<T | U>();
  const timer = setTimeout(resolve, patienceMs, otherwise);
  value.then(resolve, () => resolve(otherwise));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Lets whatever is measured on this machine go first, but on a busy one it still gets its turn: a user waits for it. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 5);
  } catch {
    // It has ended already, which the next question says.
  }
}

/**
 * The platform that a program is made for, such as `Linux on arm64`, if it is not this one; null for a program that fits, and for a file of
 * no known kind, such as a script. Sources: the ELF header (elf(5)), and the magic numbers of Mach-O and PE.
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
/** Values of `e_machine`, with Node's names. */
const machines: Record<number, string> = {
  3: 'ia32',
  40: 'arm',
  62: 'x64',
  183: 'arm64',
  243: 'riscv64',
  21: 'ppc64',
  22: 's390x',
};
/** Values of `cputype`, with Node's names. */
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
