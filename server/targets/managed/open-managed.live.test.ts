/** Protects managed servers: each serves what was asked for as it was asked to, as nobody, and leaves nothing behind. */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls, DEFAULT_CIPHERS } from 'node:tls';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { namesOf } from '../../../shared/base/arms.ts';
import {
  type Arm,
  type AskedArms,
  isEncrypted,
  type TransportPair,
  twoSidesAndTwin,
} from '../../../shared/base/transport.ts';
import {
  type ServerKey,
  type ServerName,
  serverKeys,
  serverNames,
} from '../../../shared/target/server-options.ts';
import {
  type Listener,
  type ManagedTargetInput,
  type MeasuredServerOf,
  managedTargetSchema,
} from '../../../shared/target/target.ts';
import { readProc, readProcessStat } from '../../base/process/proc.ts';
import { keyOf } from '../../base/wire/negotiated-tls.ts';
import { readChain } from '../preflight/inspection.ts';
import { demandInstalled, findServers } from './find-servers.ts';
import { statusOf } from './managed-server.ts';
import { managedServers } from './managed-servers.ts';
import { demandManageable, type OpenManaged, openManaged } from './open-managed.ts';

const arms = namesOf(twoSidesAndTwin);

const dataDirectory = mkdtempSync(join(tmpdir(), 'tls-toll-managed-'));
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

const started: Pick<OpenManaged<string>, 'stop'>[] = [];
afterEach(() => Promise.all(started.splice(0).map(({ stop }) => stop())));

const asked = { arms: twoSidesAndTwin, transports: ['http', 'https'] } as const;

type Asked = Omit<ManagedTargetInput, 'kind'>;

function open(
  target: Asked,
  transports: TransportPair = ['http', 'https'],
  signal?: AbortSignal,
): Promise<OpenManaged<Arm>> {
  return openArms({ arms: twoSidesAndTwin, transports }, target, signal);
}

/** A single listener, where each would be like the others. */
function openOne(target: Asked): Promise<OpenManaged<'comparison'>> {
  const [, comparison] = twoSidesAndTwin;
  return openArms({ arms: [comparison], transports: ['https'] }, target);
}

async function openArms<Name extends string>(
  listening: AskedArms<Name>,
  asked: Asked,
  signal = new AbortController().signal,
): Promise<OpenManaged<Name>> {
  const target = managedTargetSchema.parse({ kind: 'managed', ...asked });
  const managed = await openManaged({ target, ...listening }, { dataDirectory }, signal);
  started.push(managed);
  return managed;
}

const missing = findServers().flatMap(({ name, installed }) => (installed ? [] : [name]));

const libraries: Partial<Record<ServerName, RegExp>> = {
  caddy: /^crypto\/tls of Go$/,
  envoy: /^BoringSSL$/,
  go: /^crypto\/tls of Go 1\./,
  jdk: /^JSSE of JDK \d+\./,
};
/** Servers that report nothing about a connection. */
const mute: readonly ServerName[] = ['lighttpd', 'h2o', 'hitch', 'stunnel'];
/** Servers that have no variable for resumption. */
const silent: readonly ServerName[] = [...mute, 'envoy', 'jdk'];

/** One of each kind that `sides-of-servers.live.test.ts` does not start; nginx and Node, which start at once, have all of them. */
const keysOf = (server: ServerName): readonly ServerKey[] =>
  server === 'node' || server === 'nginx' ? serverKeys : ['P-384', 'RSA-1024', 'ML-DSA-65'];

describe.each(serverNames)('%s', (server) => {
  const testInstalled = test.skipIf(missing.includes(server));

  testInstalled.each(keysOf(server))(
    'with a key of %s shows its whole chain, agrees on keys as both ends say, resumes no session where it is not to, and leaves nothing behind, or refuses the key',
    async (key) => {
      const { tls, version } = demandInstalled(server);
      if (!tls.keys.includes(key)) {
        const refused = openOne({ server, key });
        await expect(refused).rejects.toMatchObject({ problem: { errors: [{ field: 'target.key' }] } });
        await expect(refused).rejects.toThrow(
          `${version} (${tls.name}) cannot use a key of ${key}. Use P-256`,
        );
        return;
      }
      // Every server has this key, and which one signs makes no difference to the rest.
      const isChained = key === 'P-384';
      const more = isChained ? { chain: 2, resumption: false, workers: 2 } : {};
      const managed = await openOne({ server, key, ...more });
      const { comparison } = managed.listeners;
      expectAgreed(server, managed.server.witness?.agreed);
      expect((await ask(comparison, '/10000.html')).status).toBe(200);
      const shown = await handshake(comparison);
      expect(shown.key?.replace(/^EC /, '').replace('RSA ', 'RSA-')).toBe(key);
      if (isChained) {
        expectIntermediates(shown.chain, key);
        await expectResumption(server, managed, false);
      }
      await expectNothingLeft(managed);
    },
  );

  testInstalled('serves its documents on every listener as nobody, and resumes sessions', async () => {
    const managed = await open({ server, documents: [10_000, 0], workers: 2 });
    for (const arm of arms) {
      const listener = managed.listeners[arm];
      const response = await ask(listener, '/10000.html');
      expect(response).toMatchObject({ status: 200, type: 'text/html', connection: undefined });
      expect(response.body).toHaveLength(10_000);
      expect((await ask(listener, '/0.html')).body).toHaveLength(0);
      expect((await ask(listener, '/1.html')).status).toBe(404);
      expect(ownerOf(listener)).toBe(process.getuid?.() === 0 ? 'nobody' : 'us');
    }
    expect(managed.server.tlsLibrary).toMatch(libraries[server] ?? /^OpenSSL 3\./);
    expect(managed.server.files.map(({ arm }) => arm)).toEqual(expect.arrayContaining([...arms]));
    await expectResumption(server, managed, true);
  });

  testInstalled('speaks HTTP/2 with and without TLS, or refuses it', async () => {
    if (!managedServers[server].transports.includes('h2')) {
      await expect(open({ server }, ['https', 'h2'])).rejects.toThrow(/HTTP\/2/);
      return;
    }
    const { listeners, server: measured } = await open({ server }, ['h2c', 'h2']);
    expect(measured.witness?.client).toEqual([false, true]);
    for (const arm of arms) {
      const { transport, address, port } = listeners[arm];
      expect(await statusOf({ transport, address, port }, '/10000.html')).toBe(200);
    }
  });

  testInstalled(
    'turns clients without a certificate away and closes each connection where it was asked to, and says why it has died, or refuses',
    async () => {
      const { lacks = [] } = managedServers[server];
      if (lacks.length > 0) {
        await expect(open({ server, keepAlive: false })).rejects.toThrow(/cannot close a connection/);
        await expect(open({ server, clientCertificates: true })).rejects.toThrow(/cannot ask clients/);
        return;
      }
      const managed = await open({ server, clientCertificates: true, keepAlive: false });
      const { clientIdentity, ...bare } = managed.listeners.comparison;
      expect((await ask({ ...bare, clientIdentity }, '/10000.html')).status).toBe(200);
      const turnedAway = await ask(bare, '/10000.html').then(
        ({ status }) => status,
        () => 'refused',
      );
      // nginx and lighttpd may shake hands and answer 400.
      expect([400, 'refused']).toContain(turnedAway);
      for (const arm of arms) {
        const { status, connection } = await ask(managed.listeners[arm], '/10000.html', 'keep-alive');
        expect([arm, status, connection]).toEqual([arm, 200, 'close']);
      }
      process.kill(managed.listeners.twin.pid ?? 0, 'SIGKILL');
      expect(await managed.died).toMatch(
        new RegExp(`^The ${server} of the control ended \\(SIGKILL\\)\\. Its error log`),
      );
    },
  );
});

describe('what is left behind', () => {
  test.each(['the program', 'the process that keeps the servers'])(
    'is nothing when %s is killed',
    async (who) => {
      const program = `
      import { openManaged } from ${JSON.stringify(new URL('./open-managed.ts', import.meta.url))};
      import { managedTargetSchema } from ${JSON.stringify(new URL('../../../shared/target/target.ts', import.meta.url))};
      const target = managedTargetSchema.parse({ kind: 'managed', server: 'node' });
      const asked = { target, arms: ${JSON.stringify(twoSidesAndTwin)}, transports: ['http', 'https'] };
      const { listeners, server } = await openManaged(asked, { dataDirectory: ${JSON.stringify(dataDirectory)} }, new AbortController().signal);
      process.stdout.write(JSON.stringify({ listeners, server }) + '\\n');
    `;
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = await once(child.stdout, 'data');
      const managed = JSON.parse(String(line)) as OpenManaged<Arm>;
      const pids = pidsOf(managed);
      const keeper = readProcessStat(pids[0] ?? 0)?.parentPid ?? 0;
      expect(pids.every(isAlive)).toBe(true);
      process.kill(who === 'the program' ? (child.pid ?? 0) : keeper, 'SIGKILL');
      await untilGone([...pids, keeper]);
      await expect.poll(() => existsSync(directoryOf(managed))).toBe(false);
      child.kill('SIGKILL');
    },
  );

  test('is nothing when the start is given up', async () => {
    const giveUp = new AbortController();
    const reason = new Error('cancelled');
    // Other tests start and stop servers at the same time.
    const own = mkdtempSync(join(tmpdir(), 'tls-toll-given-up-'));
    vi.stubEnv('TMPDIR', own);
    const starting = open({ server: 'node' }, ['http', 'https'], giveUp.signal);
    const watch = setInterval(() => readdirSync(own).length > 0 && giveUp.abort(reason), 1);
    await expect(starting).rejects.toBe(reason);
    clearInterval(watch);
    vi.unstubAllEnvs();
    expect(readdirSync(own)).toEqual([]);
    rmSync(own, { recursive: true });
  });
});

test.each(['nginx', 'apache', 'stunnel'] as const)('%s sends as many tickets as asked', async (server) => {
  if (missing.includes(server)) return;
  for (const tickets of [0, 4]) {
    const { server: measured } = await openOne({ server, tickets });
    expect(measured.witness).toMatchObject({ tickets, client: [false, tickets > 0] });
  }
});

test.skipIf(missing.includes('nginx'))('nginx makes records as large as asked', async () => {
  const bytes = 100_000;
  const headBytes = 22;
  const surplus: number[] = [];
  for (const recordSize of [16_384, 1024]) {
    const { listeners } = await openOne({ server: 'nginx', recordSize, documents: [bytes] });
    surplus.push(await surplusOf(listeners.comparison, `/${bytes}.html`));
  }
  const [large = 0, small = 0] = surplus;
  const more = Math.ceil(bytes / 1024) - Math.ceil(bytes / 16_384);
  expect(Math.round((small - large) / headBytes)).toBeGreaterThanOrEqual(more - 1);
  expect(Math.round((small - large) / headBytes)).toBeLessThanOrEqual(more + 1);
});

test('A setting that a server lacks is refused with those that have it', async () => {
  for (const [change, detail] of [
    [
      { server: 'go', tickets: 1 },
      'Go net/http is not set up here for the number of session tickets. Choose nginx, Apache httpd, or stunnel with nginx behind it.',
    ],
    [
      { server: 'apache', recordSize: 4096 },
      'Apache httpd is not set up here for the size of records. Choose nginx.',
    ],
  ] as const) {
    const target = managedTargetSchema.parse({ kind: 'managed', ...change });
    const demand = demandManageable({ target, ...asked }, { dataDirectory });
    await expect(demand).rejects.toMatchObject({ problem: { code: 'invalid_request', detail } });
  }
});

/** Bytes on the wire besides the content of records: of the handshake, and around each record. */
async function surplusOf({ address, port }: Listener, path: string): Promise<number> {
  const inner = connectPlain(port, address);
  const socket = connectTls({ socket: inner, rejectUnauthorized: false });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n`);
  await text(socket);
  return inner.bytesRead - socket.bytesRead;
}

test.skipIf(missing.includes('apache'))('A server that does not start is quoted', async () => {
  // Apache cannot read a configuration with this path in it.
  const odd = mkdtempSync(join(tmpdir(), 'tls-toll-"quoted" '));
  const child = fork(
    new URL('../../testing/managed-in-test.ts', import.meta.url),
    [dataDirectory, 'apache'],
    { env: { ...process.env, TMPDIR: odd } },
  );
  const [message] = await once(child, 'message');
  expect(message).toMatch(
    /^The apache of the \w+(?: \w+)? did not start \(exit code 1\)\. Its error log ends with: .*httpd\.conf/,
  );
  await once(child, 'exit');
  expect(readdirSync(odd)).toEqual([]);
  rmSync(odd, { recursive: true });
});

test('A server that is not installed is named with its packages before anything is started', async () => {
  for (const { name, installed, missing: packages } of findServers()) {
    const target = managedTargetSchema.parse({ kind: 'managed', server: name });
    const demand = demandManageable({ target, ...asked }, { dataDirectory });
    if (installed) await expect(demand).resolves.toBeUndefined();
    else {
      await expect(demand).rejects.toMatchObject({
        problem: { code: 'server_missing', detail: expect.stringContaining(packages.join(' ')) },
      });
    }
  }
});

test('Encryption by the kernel is refused with its reason where it is not to be had', async () => {
  for (const { name, kTlsProblem, installed } of findServers()) {
    if (!installed) continue;
    const target = managedTargetSchema.parse({ kind: 'managed', server: name, kTls: true });
    const demand = demandManageable({ target, ...asked }, { dataDirectory });
    if (kTlsProblem === null) await expect(demand).resolves.toBeUndefined();
    else {
      const detail = `kTLS is not available. ${kTlsProblem}`;
      await expect(demand).rejects.toMatchObject({ problem: { code: 'invalid_request', detail } });
    }
  }
});

type Listening = {
  listeners: Record<'comparison', Listener>;
  server: Pick<MeasuredServerOf<string>, 'witness'>;
};

async function expectResumption(
  server: ServerName,
  { listeners, server: measured }: Listening,
  resumption: boolean,
): Promise<void> {
  const seen = [false, resumption];
  expect(measured.witness).toMatchObject({ client: seen, server: silent.includes(server) ? null : seen });
  for (const version of ['TLSv1.3', 'TLSv1.2'] as const) {
    const { session } = await handshake(listeners.comparison, { version });
    // One that is not resumable may be given out all the same.
    expect(session !== undefined || !resumption).toBe(true);
    const again = await handshake(listeners.comparison, { version, session });
    expect(again.resumed).toBe(resumption);
  }
}

/** The certificates between its own and the one to trust. */
function expectIntermediates(chain: ReturnType<typeof readChain>, key: string): void {
  expect(chain.map(({ subject }) => subject).slice(1, 3)).toEqual([
    `TLS Toll ${key} intermediate 2`,
    `TLS Toll ${key} intermediate 1`,
  ]);
  expect(new Set(chain.map((each) => each.key)).size).toBe(1);
}

/** X25519MLKEM768 where its library has it, as both ends say. */
function expectAgreed(
  server: ServerName,
  agreed: NonNullable<MeasuredServerOf<string>['witness']>['agreed'] | undefined,
): void {
  const { tls, version } = demandInstalled(server);
  const { client, server: said } = agreed ?? {};
  expect(client).toMatch(new RegExp(`^TLSv1\\.3 TLS_\\w+ ${tls.groups.split(':')[0]}$`));
  const told = client?.split(' ').slice(0, tellsGroup(server, version, tls.groups) ? 3 : 2);
  expect(said).toBe(mute.includes(server) ? null : told?.join(' '));
}

function tellsGroup(server: ServerName, version: string, groups: string): boolean {
  if (server === 'go') return Number(version.split('.')[1]) >= 25;
  return server === 'envoy' || (server === 'nginx' && groups.includes('MLKEM'));
}

type Reply = { status: number; type: string | undefined; connection: string | undefined; body: string };

async function ask(
  { transport, address, port, hostname, ca, weakKey, clientIdentity }: Listener,
  path: string,
  connection = 'keep-alive',
) {
  const options = { host: address, port, path, agent: false as const, headers: { connection } };
  const tls = {
    servername: hostname,
    ca: ca ?? '',
    ...(clientIdentity === undefined ? {} : { cert: clientIdentity, key: clientIdentity }),
    ...(weakKey === true ? { ciphers: `${DEFAULT_CIPHERS}:@SECLEVEL=0` } : {}),
  };
  const request = isEncrypted(transport) ? getSecure({ ...options, ...tls }) : getPlain(options);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { 'content-type': type, connection: answered } = response.headers;
  const body = await text(response);
  request.destroy();
  const reply: Reply = {
    ...{ status: response.statusCode ?? 0, type, body },
    connection: answered?.toLowerCase() === 'keep-alive' ? undefined : answered,
  };
  return reply;
}

type Shake = { version?: 'TLSv1.2' | 'TLSv1.3'; session?: Buffer | undefined };

/** Sends a request as well: a ticket of TLS 1.3 arrives after the handshake. */
async function handshake(
  { address: host, port, hostname: servername, ca, weakKey }: Listener,
  { version = 'TLSv1.3', session }: Shake = {},
) {
  const socket = connectTls({
    ...{ host, port, servername, ca: ca ?? '', minVersion: version, maxVersion: version },
    ...(session === undefined ? {} : { session }),
    ...(weakKey === true ? { ciphers: `${DEFAULT_CIPHERS}:@SECLEVEL=0` } : {}),
  });
  let given: Buffer | undefined;
  socket.on('session', (each) => {
    given = each;
  });
  await once(socket, 'secureConnect');
  const resumed = socket.isSessionReused();
  const leaf = socket.getPeerX509Certificate();
  socket.write(`GET /10000.html HTTP/1.1\r\nHost: ${servername}\r\n\r\n`);
  await once(socket, 'data');
  socket.destroy();
  return {
    resumed,
    session: given,
    key: keyOf(leaf),
    chain: readChain(leaf),
  };
}

function pidsOf({ listeners }: Pick<OpenManaged<string>, 'listeners'>): number[] {
  return Object.values(listeners).map(({ pid }) => pid ?? 0);
}

function isAlive(pid: number): boolean {
  return ![null, 'Z'].includes(/^State:\s+(\w)/m.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1] ?? null);
}

async function expectNothingLeft(managed: OpenManaged<string>): Promise<void> {
  const directory = directoryOf(managed);
  expect(existsSync(directory)).toBe(true);
  await managed.stop();
  await untilGone(pidsOf(managed));
  expect(existsSync(directory)).toBe(false);
}

async function untilGone(pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
}

function ownerOf({ pid }: Listener): 'nobody' | 'us' {
  const uid = Number(/^Uid:\s+(\d+)/m.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1]);
  return uid === process.getuid?.() ? 'us' : 'nobody';
}

/** Named in every configuration. */
function directoryOf({ server: { files } }: Pick<OpenManaged<string>, 'server'>): string {
  const texts = files.map(({ text: configuration }) => configuration).join('\n');
  return dirname(/\/\S*\/documents/.exec(texts)?.[0] ?? '');
}
