/** Protects what is said of other load generators: what they really did, and that nothing of them is left. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { endPrograms, startProgram } from '../../testing/program-in-test.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-inspect-'));
afterEach(endPrograms);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function inspect(...args: string[]) {
  const program = startProgram('server/edge/cli.ts', ['inspect', ...args], { TLS_TOLL_DATA: directory });
  return { code: await program.ended, stdout: program.stdout(), stderr: program.stderr() };
}

async function countsOf(...command: string[]) {
  const { stdout, stderr } = await inspect('--json', '--', ...command);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

const without = (name: string) =>
  !(process.env.PATH ?? '').split(delimiter).some((each) => readdirNames(each).includes(name));

function readdirNames(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

const autocannon = createRequire(import.meta.url).resolve('autocannon');
const url = 'https://shop.test:8443/search?q=tls';

test.skipIf(without('ab'))('ab opens a connection for each request, in full', async () => {
  const counts = await countsOf('ab', '-n', '200', '-c', '4', url);
  expect(counts).toMatchObject({ requests: 200, resumed: 0, requestsPerConnection: 1, http2Requests: 0 });
  expect(counts.askedToClose).toBe(200);
  expect(counts.groups).toEqual(['X25519']);
  expect(counts.verdict).toMatchObject({ newConnectionShare: 1, resumedShare: 0, http2: false });
});

test.skipIf(without('wrk'))('wrk keeps its connections open and waits for each answer', async () => {
  const { stdout } = await inspect('--', 'wrk', '-t1', '-c8', '-d3s', url);
  expect(stdout).toMatch(/^wrk sent [\d,]+ requests in/);
  expect(stdout).toMatch(/Loop +closed: /);
  expect(stdout).toContain('Hardly any request opens a connection');
  expect(stdout).toContain("npx tls-toll compare --https https://shop.test:8443 --path '/search?q=tls'");
});

test.skipIf(without('wrk'))('wrk resumes its sessions where it opens connections', async () => {
  const counts = await countsOf('wrk', '-t1', '-c4', '-d1s', '-H', 'Connection: close', url);
  expect(counts.verdict.resumedShare).toBeGreaterThan(0.2);
});

test.skipIf(without('h2load'))('h2load speaks HTTP/2, with TLS and without', async () => {
  for (const target of [url, 'http://shop.test:8080/']) {
    const counts = await countsOf('h2load', '-n', '400', '-c', '2', target);
    expect(counts).toMatchObject({ requests: 400, http2Requests: 400, connections: 2 });
  }
});

test('autocannon keeps its connections, waits for each answer, and never resumes', async () => {
  const counts = await countsOf(process.execPath, autocannon, '-c', '4', '-d', '3', url);
  expect(counts).toMatchObject({ connections: 4, openAtOnce: 4, askedToClose: 0, http2Requests: 0 });
  expect(counts.groups).toEqual(['X25519MLKEM768']);
  expect(counts.requestsPerConnection).toBeGreaterThan(10);
  expect(counts.verdict).toMatchObject({ loop: 'closed', resumedShare: 0 });
});

test('a tool that sends at its own rate is an open loop', async () => {
  const script = `
    const { get, Agent } = await import('node:https');
    const agent = new Agent({ keepAlive: true });
    const timer = setInterval(() => get(process.env.TLS_TOLL_URL, { agent }, (got) => got.resume()), 10);
    setTimeout(() => { clearInterval(timer); agent.destroy(); }, 3000);
  `;
  const counts = await countsOf(process.execPath, '--input-type=module', '-e', script);
  expect(counts.verdict.loop).toBe('open');
});

test('a tool that never ends is ended, and one that hides a process leaves none', async () => {
  const mark = `${4000 + (process.pid % 1000)}.25`;
  const hidden = await inspect('--limit', '1', '--', 'sh', '-c', `setsid sleep ${mark} & sleep ${mark}`);
  expect(hidden.code).toBe(2);
  expect(hidden.stdout).toContain('sh was ended by --limit before it connected');
  if (process.getuid?.() === 0) expect(commandLines().filter((line) => line.includes(mark))).toEqual([]);
});

/** Neither root's namespaces nor a user's can be made, as in a container without SYS_ADMIN. */
const confined = [
  ...['unshare', '--user', '--map-root-user', 'sh', '-c'],
  'echo 0 > /proc/sys/user/max_user_namespaces; exec setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$@"',
  'sh',
];
const canConfine =
  process.platform === 'linux' &&
  spawnSync(confined[0] ?? '', [...confined.slice(1), 'true'], { stdio: 'ignore' }).status === 0;

/** Inspects without isolation, beside a server at another address that counts what reaches it. */
async function inspectConfined(command: (canary: string) => string[], programs?: string) {
  let reached = 0;
  const canary = createServer((socket) => {
    reached += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.2', resolve));
  const address = `127.0.0.2:${(canary.address() as AddressInfo).port}`;
  const [program = '', ...args] = confined;
  const path = [...(programs === undefined ? [] : [programs]), process.env.PATH].join(delimiter);
  const cli = [process.execPath, 'server/edge/cli.ts', 'inspect', '--', ...command(address)];
  const environment = {
    ...process.env,
    PATH: path,
    TLS_TOLL_DATA: directory,
    HTTPS_PROXY: `http://${address}`,
  };
  const ended = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) =>
    execFile(program, [...args, ...cli], { env: environment }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    ),
  );
  canary.close();
  return { ...ended, reached };
}

const plainLines: [string, ...string[]][] = [
  ['wrk', '-t1', '-c2', '-d1s'],
  ['ab', '-n', '20', '-c', '2'],
  ['h2load', '-n20', '-c2'],
  ['hey', '-n', '20', '-c', '2'],
  ['oha', '-n', '20', '-c', '2', '--no-tui', '--insecure'],
  ['bombardier', '-n', '20', '-c', '2', '-k'],
];
for (const [name, ...args] of plainLines) {
  test.skipIf(!canConfine || without(name))(
    `where nothing can be isolated, a plain line of ${name} reaches the listener alone`,
    async () => {
      const said = await inspectConfined((canary) => [name, ...args, `https://${canary}/`]);
      expect(said).toMatchObject({ code: 0, reached: 0 });
      expect(said.stdout).toMatch(new RegExp(`^${name} sent [\\d,]+ requests`));
      expect(said.stdout).toContain('was not isolated from the network');
    },
  );
}

const curl = (canary: string) => `curl -s http://${canary}`;
const hostileLines: [string, (canary: string) => string[]][] = [
  ['a shell', (canary) => ['sh', '-c', `${curl(canary)}; wrk -d1s https://${canary}/`]],
  ['an unknown program', (canary) => ['curl', `http://${canary}/`]],
  ['Node', (canary) => ['node', '-e', `fetch('http://${canary}')`]],
  ['a proxy of ab', (canary) => ['ab', '-n1', '-X', canary, 'http://shop.test/']],
  ['an address of h2load', (canary) => ['h2load', '-n1', `--connect-to=${canary}`, 'https://shop.test/']],
  ['a proxy of hey', (canary) => ['hey', '-n', '1', '-x', `http://${canary}`, 'https://shop.test/']],
  ['an address without a scheme', (canary) => ['ab', '-n1', `${canary}/`]],
];
for (const [name, command] of hostileLines) {
  test.skipIf(!canConfine || without(command('')[0] ?? ''))(
    `where nothing can be isolated, ${name} does not start, and it is said what would let it`,
    async () => {
      const said = await inspectConfined(command);
      expect(said).toMatchObject({ code: 2, reached: 0, stdout: '' });
      expect(said.stderr).toMatch(/Without isolation, only a plain line of wrk, .*--cap-add SYS_ADMIN/s);
    },
  );
}

test.skipIf(!canConfine)('a script that is called wrk does not start either', async () => {
  const programs = mkdtempSync(join(directory, 'programs-'));
  const line = (canary: string) => {
    writeFileSync(join(programs, 'wrk'), `#!/bin/sh\n${curl(canary)}\n`, { mode: 0o755 });
    return ['wrk', '-c2', 'https://shop.test/'];
  };
  const said = await inspectConfined(line, programs);
  expect(said).toMatchObject({ code: 2, reached: 0 });
  expect(said.stderr).toContain('wrk is a script');
});

test.skipIf(process.getuid?.() !== 0)('as root, a tool reaches the listener and nothing else', async () => {
  let reached = 0;
  const elsewhere = createServer((socket) => {
    reached += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '0.0.0.0', resolve));
  const { port } = elsewhere.address() as AddressInfo;
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address));
  const tries = addresses.map((address) => `connect(${port}, '${address}').on('error', () => {});`).join(' ');
  const script = `const { connect } = require('node:net'); ${tries} ${oneRequest}`;
  const counts = await countsOf(process.execPath, '-e', script);
  elsewhere.close();
  expect(counts).toMatchObject({ alone: true, requests: 1 });
  expect(reached).toBe(0);
});

test.each([
  [['--', 'no-such-tool', url], /^no-such-tool was not found\./],
  [['--', 'wrk', url, 'https://other.test/'], /URLs of https:\/\/shop/],
  [['--limit', 'x', '--', 'wrk', url], /--limit takes seconds/],
])('%j is refused in a sentence', async (args, sentence) => {
  const { code, stderr } = await inspect(...args);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toMatch(sentence);
});

const quietly = "on('error', () => {})";
const to = `new URL(process.env.TLS_TOLL_URL).port, '127.0.0.1'`;
const inNode = (script: string) => [process.execPath, '-e', script];
const abLine = (...args: string[]) => ['ab', '-n1', ...args, url];

test.each([
  ['does not trust the certificate and says so', ['curl', '-s', url], /curl gave up 1 of 1 handshakes/],
  [
    'does not trust the certificate and leaves',
    inNode(`require('node:tls').connect(${to}, { ca: [] }).${quietly}`),
    // Node checks once its last message of the handshake has gone out: which of the two the listener sees is a race.
    /(closed 1 of 1 connections during the handshake|ended .*) and sent no request.*If it does not trust the certificate/,
  ],
  ['offers no version', abLine('-f', 'TLS1.1'), /ab offers neither TLS 1.3 nor TLS 1.2/],
  ['offers no suite', abLine('-f', 'TLS1.2', '-Z', 'AES128-SHA'), /ab offers no cipher suite/],
  [
    'speaks no TLS',
    inNode(`require('node:net').connect(${to}).${quietly}.end('GET / HTTP/1.1\\r\\n\\r\\n')`),
    /spoke no TLS on 1 of 1 connections/,
  ],
  ['never connects', inNode(''), /before it connected to the listener. Give it its URL/],
])('a tool that %s has its reason', async (_, command, sentence) => {
  expect((await inspect('--', ...command)).stdout).toMatch(sentence);
});

const oneRequest =
  "require('node:https').get(process.env.TLS_TOLL_URL, { agent: false }, (got) => got.resume());";

function commandLines(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')] : [];
    } catch {
      return [];
    }
  });
}
