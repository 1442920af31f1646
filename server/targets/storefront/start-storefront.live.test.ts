/** Protects the storefront’s processes: their listeners and counters, their start, and their end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { namesOf } from '../../../shared/base/arms.ts';
import { type Arm, twoSidesAndTwin } from '../../../shared/base/transport.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { ask } from '../../testing/ask-in-test.ts';
import { searchScenario } from './search-scenario.ts';
import { type StorefrontTarget, startStorefront } from './start-storefront.ts';

const arms = namesOf(twoSidesAndTwin);

const transports = { baseline: 'http', comparison: 'https', twin: 'http' } as const;
const pages = [...searchScenario.steps, ...searchScenario.pages.map((path) => ({ method: 'GET', path }))];

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tls-toll-storefront-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('a storefront that runs', () => {
  let storefront: StorefrontTarget<Arm>;
  beforeAll(async () => {
    storefront = await startStorefront({ directory, transports, databaseUrl: null });
  });
  afterAll(() => storefront.stop());

  test('Three processes of their own listen on loopback, under a named host', () => {
    const listeners = arms.map((arm) => storefront.listeners[arm]);
    expect(new Set(listeners.map(({ pid }) => pid)).size).toBe(3);
    expect(listeners.map(({ pid }) => pid)).not.toContain(process.pid);
    for (const listener of listeners) {
      expect(listener).toMatchObject({ address: '127.0.0.1', hostname: 'storefront.tls-toll.test' });
    }
    expect(listeners.map(({ transport }) => transport)).toEqual(['http', 'https', 'http']);
    expect(listeners.map(({ ca }) => ca === null)).toEqual([true, false, true]);
  });

  test.for(pages.map((page) => [`${page.method} ${page.path}`, page] as const))(
    '%s gives the same 25 to 100 kB on every listener, each time',
    async ([, page]) => {
      const replies = await Promise.all(
        [...arms, ...arms].map((arm) => ask(storefront.listeners[arm], page)),
      );
      for (const { status, headers, body } of replies) {
        expect(status).toBe(200);
        expect(headers['content-encoding']).toBeUndefined();
        expect(headers['server-timing']).toMatch(/^app;dur=\d+\.\d{3}$/);
        expect(Number(headers['content-length'])).toBe(body.length);
        expect(body.equals(replies[0]?.body ?? Buffer.alloc(0))).toBe(true);
        expect(body.length).toBeGreaterThanOrEqual(25_000);
        expect(body.length).toBeLessThanOrEqual(100_000);
      }
    },
  );

  test('Headers are the same on every listener, but for the date and the time taken', async () => {
    for (const page of pages) {
      const replies = await Promise.all(arms.map((arm) => ask(storefront.listeners[arm], page)));
      const fixed = replies.map(({ headers: { date, 'server-timing': took, ...others } }) => others);
      expect(fixed[1]).toEqual(fixed[0]);
      expect(fixed[2]).toEqual(fixed[0]);
    }
  });

  test('Full and resumed handshakes are counted apart', async () => {
    const before = await storefront.counters('comparison');
    const first = await handshake(storefront.listeners.comparison);
    const second = await handshake(storefront.listeners.comparison, first.ticket);
    expect([first.resumed, second.resumed]).toEqual([false, true]);
    const after = await storefront.counters('comparison');
    expect(after.handshakesFull - before.handshakesFull).toBe(1);
    expect(after.handshakesResumed - before.handshakesResumed).toBe(1);
    expect(after.connections - before.connections).toBe(2);
    expect(after.requests - before.requests).toBe(2);
  });

  test('TLS 1.2 is accepted and TLS 1.1 is not', async () => {
    const { port, address: host, hostname: servername, ca } = storefront.listeners.comparison;
    const options = { port, host, servername, ca: ca ?? '', ciphers: 'DEFAULT@SECLEVEL=0' };
    const socket = connectTls({ ...options, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' });
    await once(socket, 'secureConnect');
    expect(socket.getProtocol()).toBe('TLSv1.2');
    socket.destroy();
    const old = connectTls({ ...options, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' });
    await expect(once(old, 'secureConnect')).rejects.toThrow(/protocol version/);
  });

  test('Each process counts its own requests, connections, CPU and memory', async () => {
    const [before, twinBefore] = await Promise.all([
      storefront.counters('baseline'),
      storefront.counters('twin'),
    ]);
    await ask(storefront.listeners.baseline, { path: '/' });
    const [after, twinAfter] = await Promise.all([
      storefront.counters('baseline'),
      storefront.counters('twin'),
    ]);
    expect(after.requests - before.requests).toBe(1);
    expect(after.connections - before.connections).toBe(1);
    expect(after.cpuUs).toBeGreaterThan(before.cpuUs);
    expect(after.rssBytes).toBeGreaterThan(10_000_000);
    expect(after).toMatchObject({ handshakesFull: 0, handshakesResumed: 0 });
    expect(twinAfter.requests).toBe(twinBefore.requests);
  });
});

describe('a storefront over HTTP/2', () => {
  let storefront: StorefrontTarget<Arm>;
  beforeAll(async () => {
    const transports = { baseline: 'h2c', comparison: 'h2', twin: 'h2c' } as const;
    storefront = await startStorefront({ directory, transports, databaseUrl: null });
  });
  afterAll(() => storefront.stop());

  test('It gives the same pages, and counts requests, connections and handshakes', async () => {
    const before = await Promise.all(arms.map((arm) => storefront.counters(arm)));
    const replies = await Promise.all(
      pages.flatMap((page) => arms.map((arm) => ask(storefront.listeners[arm], page))),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const after = await Promise.all(arms.map((arm) => storefront.counters(arm)));
    for (const [index, handshakesFull] of [0, pages.length, 0].entries()) {
      const [now, then] = [after[index], before[index]];
      if (now === undefined || then === undefined) throw new Error('an arm has no counters');
      expect(now.requests - then.requests).toBe(pages.length);
      expect(now.connections - then.connections).toBe(pages.length);
      expect(now.handshakesFull - then.handshakesFull).toBe(handshakesFull);
      expect(now.handshakesResumed).toBe(then.handshakesResumed);
    }
  });

  test('A session is resumed, and counted as such', async () => {
    const { address: host, port, hostname: servername, ca } = storefront.listeners.comparison;
    const options = { host, port, servername, ca: ca ?? '', ALPNProtocols: ['h2'] };
    const first = connectTls(options);
    const [session] = await once(first, 'session');
    const second = connectTls({ ...options, session });
    await once(second, 'secureConnect');
    expect([second.isSessionReused(), second.alpnProtocol]).toEqual([true, 'h2']);
    // The server is sure of a resumed session once it has heard from the client.
    await expect.poll(async () => (await storefront.counters('comparison')).handshakesResumed).toBe(1);
    first.destroy();
    second.destroy();
  });
});

describe('the end of a storefront', () => {
  const started: StorefrontTarget<Arm>[] = [];
  afterEach(() => Promise.all(started.splice(0).map((storefront) => storefront.stop())));
  async function start(): Promise<StorefrontTarget<Arm>> {
    const storefront = await startStorefront({ directory, transports, databaseUrl: null });
    started.push(storefront);
    return storefront;
  }

  test('Stopping ends every process, and the access log of each has its lines', async () => {
    const storefront = await start();
    await ask(storefront.listeners.comparison, { path: '/?stopped', headers: { 'user-agent': 'test' } });
    await storefront.stop();
    await Promise.all(arms.map((arm) => untilRefused(storefront.listeners[arm])));
    const log = await readFile(join(directory, 'storefront', 'access-comparison.log'), 'utf8');
    expect(log).toMatch(/"GET \/\?x{7} HTTP\/1\.1" 200 \d+ \d+\n/);
  });

  test('Ctrl-C, which a terminal sends to every process, ends none of them', async () => {
    const storefront = await start();
    for (const arm of arms) process.kill(storefront.listeners[arm].pid ?? 0, 'SIGINT');
    const replies = await Promise.all(arms.map((arm) => ask(storefront.listeners[arm], { path: '/' })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('A process that dies by itself is reported, and no longer gives counters', async () => {
    const storefront = await start();
    process.kill(storefront.listeners.twin.pid ?? 0, 'SIGKILL');
    expect(await storefront.died).toBe('The storefront process of the control ended unexpectedly (SIGKILL).');
    await expect(storefront.counters('twin')).rejects.toMatchObject({ problem: { code: 'target_died' } });
    expect((await storefront.counters('baseline')).requests).toBe(0);
  });

  test('No process outlives a parent that is killed', async () => {
    const program = `
      import { startStorefront } from ${JSON.stringify(new URL('./start-storefront.ts', import.meta.url))};
      const { listeners } = await startStorefront(${JSON.stringify({ directory, transports, databaseUrl: null })});
      console.log(JSON.stringify(listeners));`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = await once(createInterface(parent.stdout), 'line');
    const listeners = Object.values(JSON.parse(line) as Record<string, Listener>);
    await Promise.all(listeners.map((listener) => ask(listener, { path: '/favicon.ico' })));
    parent.kill('SIGKILL');
    await Promise.all(listeners.map(untilRefused));
  });

  test('A start that is given up leaves no process', async () => {
    const giveUp = new AbortController();
    const reason = new Error('cancelled');
    const before = childProcesses();
    const starting = startStorefront({ directory, transports, databaseUrl: null, signal: giveUp.signal });
    const ours = () => childProcesses().filter((pid) => !before.includes(pid));
    const watch = setInterval(() => ours().length === 3 && giveUp.abort(reason), 1);
    await expect(starting).rejects.toBe(reason);
    clearInterval(watch);
    await expect.poll(ours).toEqual([]);
  });
});

describe('a storefront that cannot start', () => {
  test('An address that is no PostgreSQL database is refused by name', async () => {
    const starting = startStorefront({ directory, transports, databaseUrl: 'mysql://localhost/shop' });
    await expect(starting).rejects.toMatchObject({ problem: { code: 'invalid_environment' } });
  });

  test('A database that does not answer is named without its password', async () => {
    const databaseUrl = 'postgres://shop:hunter2@127.0.0.1:1/shop';
    const failure = await startStorefront({ directory, transports, databaseUrl }).catch((error) => error);
    expect(failure).toMatchObject({ problem: { code: 'target_unreachable' } });
    expect(failure.message).toContain('127.0.0.1:1/shop');
    expect(failure.message).toContain('is not listening');
    expect(failure.message).not.toContain('hunter2');
  });

  test('A directory that cannot be made is reported as such', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    const starting = startStorefront({ directory: file, transports, databaseUrl: null });
    await expect(starting).rejects.toMatchObject({ problem: { code: 'data_directory_unusable' } });
  });

  test('When one process cannot start, its reason is given and the others are stopped', async () => {
    const own = join(directory, 'own');
    await mkdir(join(own, 'storefront', 'access-twin.log'), { recursive: true });
    const before = childProcesses();
    const starting = startStorefront({ directory: own, transports, databaseUrl: null });
    await expect(starting).rejects.toThrow(/A storefront process failed: it is a directory/);
    await expect.poll(() => childProcesses().filter((pid) => !before.includes(pid))).toEqual([]);
  });
});

/** Children of this process. Other files may have left it some, such as a database. */
function childProcesses(): string[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  return children.split(' ').filter((pid) => pid !== '');
}

/** Sends a request as well: a session ticket arrives after the handshake. */
async function handshake(listener: Listener, session?: Buffer) {
  const { address: host, port, hostname: servername, ca } = listener;
  const resumption = session === undefined ? {} : { session };
  const socket = connectTls({ host, port, servername, ca: ca ?? '', ...resumption });
  let ticket: Buffer | undefined;
  socket.on('session', (issued) => {
    ticket = issued;
  });
  await once(socket, 'secureConnect');
  const resumed = socket.isSessionReused();
  socket.end(`GET /favicon.ico HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`);
  socket.resume();
  await once(socket, 'close');
  return { resumed, ticket };
}

/** Resolves when nothing listens there any more; until then each connection waits for the process to end. */
async function untilRefused({ address: host, port }: Listener): Promise<void> {
  for (let code = ''; code !== 'ECONNREFUSED'; ) {
    const socket = connect({ host, port });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      code = error.code ?? '';
    });
    await new Promise((resolve) => socket.once('close', resolve));
  }
}
