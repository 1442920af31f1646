import { AsyncLocalStorage } from 'node:async_hooks';
import { type ChildProcess, execFile, fork, spawn, spawnSync } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import type { User } from './unprivileged-user.ts';

/**
 * Every process of ours is started here, with a closed list of variables: the environment of the server holds the password of
 * its database, API keys, and whatever else its owner has exported, and some of what it starts opens pages of others.
 */

/** What any program needs: where programs, files, and libraries are, and how to write a number. */
const always = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'LD_LIBRARY_PATH', 'TZ'],
  ...['LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'LC_NUMERIC', 'LC_TIME', 'LC_COLLATE', 'LC_MESSAGES'],
];

/** Where OpenSSL finds its settings and authorities. */
const openssl = ['OPENSSL_CONF', 'OPENSSL_MODULES', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** What some programs need besides. */
const besides = {
  program: [],
  openssl,
  /** Of ours, by Node. */
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
  /** What libpq reads (https://www.postgresql.org/docs/current/libpq-envars.html). */
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

/** What of the server's own environment a child gets. */
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

/** Processes that one piece of work has started, however deep inside, and that have not exited, and its connections that are open. */
export class Belongings {
  readonly #living = new Map<ChildProcess, { isGroup: boolean; exited: Promise<void> }>();
  readonly #sockets = new Set<Duplex>();

  /** Does the work, whose children and connections are noted here from now on. */
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

  /** Nothing goes on over them. */
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
