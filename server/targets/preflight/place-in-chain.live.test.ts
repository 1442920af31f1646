/** Protects the recognition of real forwarders and the servers behind them. A proxy that terminates TLS is neither. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { defaultTlsProfile } from '../../../shared/base/tls-profile.ts';
import { twoSidesAndTwin as runArms } from '../../../shared/base/transport.ts';
import type { Program } from '../../../shared/kinds/comparison/program.ts';
import { pathScenario } from '../../../shared/scenario/scenario.ts';
import { findListenerPids } from '../../base/process/listeners.ts';
import { freePort } from '../../testing/free-port.ts';
import { type NginxInTest, startNginxInTest } from '../../testing/nginx-in-test.ts';
import { untilAsync } from '../../testing/until-async.ts';
import { type Authority, openAuthority } from '../certificates/certificate-authority.ts';
import { openTarget } from '../open/open-target.ts';
import { placeInChain } from './place-in-chain.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-chain-'));
let authority: Authority;
let nginx: NginxInTest;
let pem: string;
beforeAll(async () => {
  authority = await openAuthority(directory);
  nginx = await startNginxInTest(authority, ['http', 'https']);
  pem = write('both.pem', `${authority.certPem}\n${authority.keyPem}`);
});
afterAll(async () => {
  await nginx.stop();
  rmSync(directory, { recursive: true, force: true });
});

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
});

function write(name: string, text: string): string {
  writeFileSync(join(directory, name), text, { mode: 0o600 });
  return join(directory, name);
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const failed = await once(socket, 'connect').catch((error) => error);
  socket.destroy();
  return !(failed instanceof Error);
}

/** @returns what the product takes for the target at the first port: hitch has a listener in each worker */
async function start(program: string, args: string[], ...ports: number[]): Promise<number[]> {
  const child = spawn(program, args, { stdio: 'ignore' });
  started.push(child);
  for (const port of ports) await untilAsync(() => listens(port), Boolean);
  return findListenerPids('127.0.0.1', ports[0] ?? 0);
}

/** Copies bytes from one port to another. */
async function startHaproxy(...routes: [from: number, to: number][]): Promise<number[]> {
  const listens = routes.map(
    ([from, to]) => `listen l${from}\n  bind 127.0.0.1:${from}\n  server s 127.0.0.1:${to}\n`,
  );
  const defaults = 'defaults\n  mode tcp\n  timeout connect 5s\n  timeout client 9s\n  timeout server 9s\n';
  const path = write(`haproxy-${routes[0]?.[0]}.cfg`, `${defaults}${listens.join('')}`);
  return start('haproxy', ['-db', '-f', path], ...routes.map(([from]) => from));
}

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const program = (name: string, pids: number[], role: Program['role']): Program => ({
  ...{ name, pids, role, tie: role === 'target' ? null : 'connection' },
});

/** Role of each program in the chain behind two addresses. */
async function placed(http: number, https: number, programs: Program[]) {
  const { signal } = new AbortController();
  const target = {
    ...{ kind: 'origins' as const, http: `http://127.0.0.1:${http}`, https: `https://127.0.0.1:${https}` },
    ca: authority.caPem,
  };
  const asked = { target, arms: runArms, transports: ['http', 'https'] as const };
  const house = { dataDirectory: directory, storefrontDatabaseUrl: null, chromiumPath: null };
  const { listeners, stop } = await openTarget(asked, house, signal);
  const scenario = pathScenario(['/']);
  const found = await placeInChain(programs, listeners, { scenario, tls: defaultTlsProfile, signal });
  await stop();
  return found.map(({ name, sides, part }) => ({ name, sides, part }));
}

test.runIf(has('haproxy'))(
  'what copies bytes is a forwarder, and what answers behind it the server',
  async () => {
    const [http, https] = [await freePort(), await freePort()];
    const haproxy = await startHaproxy([http, nginx.httpPort], [https, nginx.httpsPort]);
    const programs = [program('haproxy', haproxy, 'target'), program('nginx', [nginx.pid], 'companion')];
    expect(await placed(http, https, programs)).toEqual([
      { name: 'haproxy', part: 'forwarder' },
      { name: 'nginx', part: 'server' },
    ]);
  },
);

test.runIf(has('haproxy') && has('socat'))('of several in a row the last one is the server', async () => {
  const [http, https, first] = [await freePort(), await freePort(), await freePort()];
  const haproxy = await startHaproxy([first, nginx.httpsPort]);
  const listen = `TCP-LISTEN:${https},bind=127.0.0.1,fork,reuseaddr`;
  const socat = await start('socat', [listen, `TCP:127.0.0.1:${first}`], https);
  const programs = [
    program('nginx', [nginx.pid], 'target'),
    program('socat', socat, 'target'),
    program('haproxy', haproxy, 'companion'),
  ];
  expect(http).not.toBe(https);
  expect(await placed(nginx.httpPort, https, programs)).toEqual([
    { name: 'nginx', sides: ['baseline'], part: 'server' },
    { name: 'socat', sides: ['comparison'], part: 'forwarder' },
    { name: 'haproxy', part: 'forwarder' },
  ]);
});

const stunnel = (https: number) =>
  `foreground = yes\npid =\n[tls]\naccept = 127.0.0.1:${https}\nconnect = 127.0.0.1:${nginx.httpPort}\ncert = ${pem}\n`;

test.runIf(has('stunnel')).each([
  ['stunnel', (https: number) => ['stunnel', [write('stunnel.conf', stunnel(https))]]],
  [
    'hitch',
    (https: number) => [
      'hitch',
      ['--user=nobody', `--frontend=[127.0.0.1]:${https}`, `--backend=[127.0.0.1]:${nginx.httpPort}`, pem],
    ],
  ],
] as const)('%s, which ends TLS before the server of the other side, is no forwarder', async (name, of) => {
  if (!has(name)) return;
  const https = await freePort();
  const [file, args] = of(https) as [string, string[]];
  const proxy = await start(file, args, https);
  const programs = [program('nginx', [nginx.pid], 'target'), program(name, proxy, 'target')];
  expect(await placed(nginx.httpPort, https, programs)).toEqual([
    { name: 'nginx', sides: ['baseline'] },
    { name, sides: ['comparison'] },
  ]);
});

test('a program that shows the same certificate but is not led to is not the server', async () => {
  const other = await startNginxInTest(authority, ['http', 'https']);
  try {
    const programs = [program('nginx', [nginx.pid], 'target'), program('other', [other.pid], 'companion')];
    const found = await placed(nginx.httpPort, nginx.httpsPort, programs);
    expect(found.map(({ part }) => part)).toEqual([undefined, undefined]);
  } finally {
    await other.stop();
  }
});
