import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { problem } from '../../../shared/base/problem.ts';
import { startChild } from '../../base/process/children.ts';
import { sharedTemporaryDirectory } from '../../life/database/temporary-directory.ts';
import { type Config, readConfig } from '../settings/config.ts';
import type { RunningServer } from '../start/start-server.ts';
import { verb } from './verb.ts';

const options = verb('serve')
  .description('Opens the dashboard and runs until you stop it with Ctrl-C.')
  .option(
    '--while-needed',
    'End once standard input is closed and nothing is measured, recorded, or queued. Repeats no runs',
  )
  .addHelpText(
    'after',
    `
Environment variables:
  HOST                     Address to listen on (default: 127.0.0.1)
  PORT                     Port to listen on, 0 for any free port (default: 7300)
  TLS_TOLL_DATA            Directory for measurements, certificates and the storefront (default: data)
  DATABASE_URL             PostgreSQL for measurements and scenarios (default: SQLite)
  STOREFRONT_DATABASE_URL  PostgreSQL for the storefront (default: SQLite)
  TLS_TOLL_SIGN_IN         on: people sign in; HOST other than loopback needs it (default: off)
  TLS_TOLL_LINKS           closed: results need sign-in too; open: their links do not (default: open)
  TLS_TOLL_URL             Address that people type, such as https://toll.example.com
  TLS_TOLL_OIDC_ISSUER     Identity provider that people can sign in with (OpenID Connect), with
                           TLS_TOLL_OIDC_CLIENT_ID, TLS_TOLL_OIDC_CLIENT_SECRET_FILE, TLS_TOLL_OIDC_NAME
  TLS_CERT, TLS_KEY        PEM files to serve HTTPS with, reloaded when they change
  TLS_TOLL_PLAIN           allowed: plain HTTP on a HOST other than loopback (default: refused)
  TRUST_PROXY              Number of proxies in front of the server (default: 0)
  TLS_TOLL_KEEP            How long results stay, how many, or both: 90d, 1000 or 90d,1000 (default: all)
  TLS_TOLL_RUNNER          off: leave measuring to runners on the same DATABASE_URL (default: on)
  TLS_TOLL_LABELS          Labels that a measurement can ask for, such as site=fra
  TLS_TOLL_GENERATORS      Where generators on other hosts join, such as toll.example.com:7310 (default: nowhere);
                           with TLS_TOLL_GENERATORS_LISTEN it listens for them at another address
  TLS_TOLL_PODS            Image of the generator pods that a run may create in a Kubernetes cluster (default: none)
  TLS_TOLL_PODS_MOST       Generator pods of a run (default: 10)
  CHROMIUM_PATH            Chromium for everything that needs a browser
  TLS_TOLL_METRICS         on: serve metrics for Prometheus at /metrics (default: off)
  TLS_TOLL_TARGETS         Other hosts that may be loaded: names, addresses and ranges, separated by commas
  TLS_TOLL_LIBSSL          TLS libraries that servers on this machine can load instead of their own, such as
                           openssl-3.5.0=/opt/openssl-3.5.0/lib, separated by commas
  LOG_LEVEL                silent, error, warn, info or debug (default: warn)`,
  );

export async function serve(args: string[]): Promise<number> {
  const { whileNeeded = false } = options.parse(args, { from: 'user' }).opts();
  // A signal that comes while it starts, or right after its line, ends it as properly as a later one.
  const told = untilSignal();
  const config = readConfig(process.env);
  const server = await startDashboard(config, { repeats: !whileNeeded });
  process.stdout.write(`TLS Toll listens on ${server.url}\n${server.generators}`);
  if (config.team !== null && config.tls === null && config.team.url?.protocol !== 'https:')
    process.stderr.write(unencrypted);
  await (whileNeeded ? Promise.race([told, untilUnneeded(server)]) : told);
  const late = setTimeout(leaveBehind, closingMs);
  await server.close();
  clearTimeout(late);
  return 0;
}

async function untilUnneeded(server: RunningServer): Promise<void> {
  // The program that started it may be gone, and with it the reader of this stream.
  process.stderr.on('error', () => {});
  await finished(process.stdin.resume()).catch(() => {});
  while (!server.isIdle()) await pause(lookMs);
}

const lookMs = 500;

/** Longer than a measurement may take to end and to be stored. */
const closingMs = 9500;

/** Child processes end with this one. */
function leaveBehind(): never {
  process.stderr.write('Some work did not stop within 9.5 s. The server exits anyway.\n');
  process.exit(1);
}

const unencrypted =
  'Passwords travel unencrypted over HTTP. Set TLS_CERT and TLS_KEY, or put a proxy with HTTPS in front and set TLS_TOLL_URL to its address.\n';

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
}

/** The server is loaded when it is needed: help, mistakes and what a running dashboard does for us come without. */
export async function startDashboard(config: Config, options: { repeats: boolean }): Promise<RunningServer> {
  const { startServer } = await import('../start/start-server.ts');
  return startServer(config, options);
}

/**
 * Starts a dashboard as a process of its own, for this machine. It ends once we have ended and it has nothing to do. Resolves to its
 * URL. Throws dashboard_missing.
 */
export async function startDashboardApart(): Promise<string> {
  // It is our own program for the same person, so it gets all others. By the first three it would know what started us, and end with it.
  const { TLS_TOLL_LAUNCHER, npm_execpath, npm_lifecycle_event, TLS_CERT, TLS_KEY, ...environment } =
    process.env;
  const [, script = ''] = process.argv;
  const child = startChild(process.execPath, [...process.execArgv, script, 'serve', '--while-needed'], {
    detached: true,
    env: { ...environment, HOST: '', PORT: '0', TMPDIR: sharedTemporaryDirectory },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const giveUp = setTimeout(() => child.kill('SIGKILL'), startMs);
  const ended = once(child, 'close');
  child.stdin.on('error', () => {});
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    process.stderr.write(text);
  });
  const url = await firstUrlIn(child.stdout);
  if (url === null) await ended;
  clearTimeout(giveUp);
  if (url === null) {
    const [why = ''] = said.split('\n');
    throw problem('dashboard_missing', `No dashboard is running, and none could be started. ${why}`.trim());
  }
  // Our standard output may be somebody's protocol, and a pipe that nobody reads would stop it.
  child.stdout.on('data', (bytes: Buffer) => process.stderr.write(bytes)).resume();
  return url;
}

async function firstUrlIn(stdout: Readable): Promise<string | null> {
  for await (const line of createInterface(stdout)) {
    const [, url] = /^TLS Toll listens on (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  return null;
}

const startMs = 30_000;
