import { createHash, randomUUID, type X509Certificate } from 'node:crypto';
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { checkServerIdentity, connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import type { Browser, LaunchOptions } from 'playwright-core';
import type { Listener } from '../../../shared/target/target.ts';
import { unlessAborted } from '../../base/addresses/load-limits.ts';
import { bracketed } from '../../base/addresses/origin.ts';
import { isAddress } from '../../base/addresses/target-policy.ts';
import {
  environmentOf,
  ownSocket,
  runChild,
  type User,
  unprivilegedUser,
  withinTime,
} from '../../base/process/children.ts';
import { readProc, withDescendants } from '../../base/process/proc.ts';
import { Reason } from '../../base/text/foreign-errors.ts';
import { isExecutable } from './find-chromium.ts';

type ChromiumLaunch = {
  executablePath: string;
  /** The only hosts it can reach, and those where it speaks nothing but HTTP/3. */
  listeners: readonly ReachedHost[];
  /** SHA-256 of the public key (SPKI, base64) of a certificate to be trusted; null for Chromium's own roots only. */
  trustedSpki: string | null;
  /** Seconds after which it closes an idle connection of HTTP/3; Chromium's own when absent. */
  idleS?: number | undefined;
  timeoutMs: number;
};

type ReachedHost = Pick<Listener, 'hostname' | 'address' | 'port' | 'http3'> & {
  /** Place that its connections go to instead, such as the end of a link. */
  through?: { address: string; port: number };
};

/**
 * A headless Chromium with a fresh profile that resolves no name but the target's and asks nobody else for anything.
 * It is driven over a pipe, so it ends by itself when this process does, however that happens.
 */
export async function launchChromium(launch: ChromiumLaunch, more: readonly string[] = []): Promise<Browser> {
  return launchHeadless({ ...launch, args: [...chromiumArguments(launch), ...more] });
}

/** Launch options that every headless Chromium of this server shares. */
export async function launchHeadless(
  launch: Pick<LaunchOptions, 'proxy' | 'args'> & Pick<ChromiumLaunch, 'executablePath' | 'timeoutMs'>,
): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    ...(await whoBrowses(launch.executablePath)),
    headless: true,
    args: launch.args ?? [],
    ...(launch.proxy === undefined ? {} : { proxy: launch.proxy }),
    timeout: launch.timeoutMs,
    // Signals are the server's to handle: it closes what it opened.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

export function chromiumArguments({ listeners, trustedSpki, idleS }: ChromiumLaunch): string[] {
  const overUdp = listeners.filter(({ http3 }) => http3 === true);
  const forced = overUdp.map(({ hostname, port }) => `${bracketed(hostname)}:${port}`);
  return [
    `--host-resolver-rules=${resolverRules(listeners)}`,
    // A proxy of the environment would resolve names itself, and answer from a cache of its own.
    '--no-proxy-server',
    `--explicitly-allowed-ports=${listeners.map(({ port }) => port).join(',')}`,
    ...(forced.length === 0
      ? quietArguments
      : [
          ...quietArguments.filter((each) => each !== noQuic),
          `--origin-to-force-quic-on=${forced.join(',')}`,
        ]),
    ...(idleS === undefined
      ? []
      : [
          '--force-fieldtrials=QUIC/Enabled/',
          // It closes a connection a second earlier than it tells the server.
          `--force-fieldtrial-params=QUIC.Enabled:idle_connection_timeout_seconds/${idleS + 1}`,
        ]),
    // Honoured only beside a --user-data-dir; Playwright gives every launch one of its own.
    ...(trustedSpki === null ? [] : [`--ignore-certificate-errors-spki-list=${trustedSpki}`]),
  ];
}

/** Else an answer with Alt-Svc would turn a later visit into one over HTTP/3. */
const noQuic = '--disable-quic';

/** Nothing is asked for that no page wants. */
export const quietArguments = [
  noQuic,
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  // A second wall beside `openContext`. A full Chromium knows the first name, a shell the second.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/**
 * The first rule that matches wins, so the last one refuses every other name and address. With `~NOTFOUND` instead, Chromium
 * would ask Google's DNS server whether the network is broken.
 */
function resolverRules(listeners: ChromiumLaunch['listeners']): string {
  const rules = listeners.map(({ hostname, address, port, through }) => {
    const host = bracketed(hostname);
    if (through !== undefined) return `MAP ${host}:${port} ${bracketed(through.address)}:${through.port}`;
    return isIP(hostname) === 0 ? `MAP ${host} ${bracketed(address)}` : `EXCLUDE ${host}`;
  });
  return [...new Set(rules), 'MAP * 127.0.0.1:0'].join(', ');
}

type WhoBrowses = Pick<LaunchOptions, 'executablePath' | 'env' | 'chromiumSandbox'>;

const source = fileURLToPath(new URL('./start-browser.sh', import.meta.url));
/** Found with the first browser. */
let script: string | null | undefined;
const lookMs = 5_000;

/**
 * A browser opens what others wrote, so where the server is root it runs as nobody, with a profile of its own for a home.
 * Its sandbox needs namespaces, which root in a container may not have. Where `setpriv` of util-linux is missing, or the
 * program or the temporary files are where only root may enter, it runs as root still, without the sandbox.
 */
async function whoBrowses(executablePath: string): Promise<WhoBrowses> {
  script ??= executableScript(source);
  const starter = script;
  const { HOME, ...env } = environmentOf('browser');
  const user = unprivilegedUser();
  const own = (chromiumSandbox: boolean): WhoBrowses => ({
    executablePath,
    env: { ...env, HOME },
    chromiumSandbox,
  });
  if (user === null) return own(true);
  if (starter === null || !(await reaches(user, executablePath, tmpdir()))) return own(false);
  return {
    executablePath: starter,
    env: {
      ...env,
      TMPDIR: temporaryFor(user),
      BROWSER_USER: `${user.uid}:${user.gid}`,
      BROWSER_FILE: executablePath,
    },
    chromiumSandbox: await hasNamespaces(user),
  };
}

/** For its sockets. The path is short, as that of a socket may have 107 bytes. */
function temporaryFor({ uid, gid }: User): string {
  const shared = tmpdir();
  if ((statSync(shared).mode & 0o003) === 0o003) return shared;
  const own = join(shared, 'u');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  chownSync(own, uid, gid);
  return own;
}

function reaches(user: User, ...paths: string[]): Promise<boolean> {
  return mayRun(user, ['sh', '-c', 'for path; do test -x "$path" || exit 1; done', 'sh', ...paths]);
}

/** The kernel and its seccomp profile do not change while we run. */
let namespaces: Promise<boolean> | null = null;

/** Whether the user may create the namespaces of Chromium's sandbox. */
function hasNamespaces(user: User): Promise<boolean> {
  const wanted = ['--user', '--map-root-user', '--pid', '--net', '--fork'];
  namespaces ??= mayRun(user, ['unshare', ...wanted, 'true']);
  return namespaces;
}

function mayRun({ uid, gid }: User, command: readonly string[]): Promise<boolean> {
  const as = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'];
  return runChild('setpriv', [...as, ...command], { timeout: lookMs }).then(
    () => true,
    () => false,
  );
}

/**
 * A script of ours as a file that can be executed: itself, or a copy where an archive, a checkout, or a file system has lost the
 * bit for it. Null where no copy can be executed either, as in temporary files that are mounted `noexec`.
 */
export function executableScript(path: string): string | null {
  if (isExecutable(path)) return path;
  try {
    // Under a name that nobody can have taken before.
    const copy = join(mkdtempSync(join(tmpdir(), 'script-')), basename(path));
    copyFileSync(path, copy);
    chmodSync(copy, 0o755);
    return isExecutable(copy) ? copy : null;
  } catch {
    return null;
  }
}

/** Playwright alone waits half a minute for a browser to end. */
const closingMs = 2_000;

/** Runs `use` with a Chromium and ends it afterwards, by force if it hangs. On abort, rejects immediately with the signal's reason. */
export async function withChromium<T>(
  launch: ChromiumLaunch,
  signal: AbortSignal,
  use: (browser: Browser) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  // Chromium ignores unknown arguments.
  const mark = `--launch=${randomUUID()}`;
  const launching = launchChromium(launch, [mark]);
  try {
    return await unlessAborted(signal, launching.then(use));
  } finally {
    const closed = launching.then((browser) => browser.close());
    if ((await withinTime(closed, closingMs, 'hangs')) === 'hangs') endGroup(mark);
  }
}

/** Kills the process with this argument and its children. Its pid is unknown until Chromium answers. */
function endGroup(mark: string): void {
  const leader = withDescendants(process.pid).find((pid) =>
    readProc(`/proc/${pid}/cmdline`)?.split('\0').includes(mark),
  );
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/**
 * The key that Chromium may be told to trust: SHA-256 of the SPKI of the certificate the listener shows, in base64.
 *
 * Chromium takes a listed key for any name and any date, so the certificate is verified here first, against `caPem` and
 * for the listener's hostname, or by the fingerprint that is trusted instead. Rejects when it does not verify, and when the listener is silent.
 */
export function readTrustedKey(
  listener: Pick<Listener, 'hostname' | 'address' | 'port' | 'trust'>,
  caPem: string | null,
  signal: AbortSignal,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = ownSocket(
    connect({
      host: listener.address,
      port: listener.port,
      ...(caPem === null ? {} : { ca: caPem }),
      rejectUnauthorized: listener.trust === undefined,
      ...(isIP(listener.hostname) === 0 ? { servername: listener.hostname } : {}),
      checkServerIdentity: (_, certificate) => checkServerIdentity(listener.hostname, certificate),
    }),
  );
  // Before the handshake begins.
  socket.prependOnceListener('connect', () => {
    if (!isAddress(socket.remoteAddress, listener.address)) {
      socket.destroy(new Reason('the connection leads somewhere else'));
    }
  });
  const abort = () => socket.destroy(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  socket.once('secureConnect', () => {
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) reject(new Reason('the server showed no certificate'));
    else if (listener.trust !== undefined && certificate.fingerprint256 !== listener.trust)
      reject(new Reason('it is not the certificate that is trusted for this run'));
    else resolve(fingerprintOfKey(certificate));
    socket.destroy();
  });
  socket.once('error', reject);
  socket.once('close', () => {
    signal.removeEventListener('abort', abort);
    reject(new Reason('the connection was closed during the handshake'));
  });
  if (signal.aborted) abort();
  return promise;
}

function fingerprintOfKey({ publicKey }: X509Certificate): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}
