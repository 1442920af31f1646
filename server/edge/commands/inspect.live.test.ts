/** Protects what is said of other load generators: what they really did, and that nothing of them is left. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
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
  const { stdout } = await inspect('--', 'wrk', '-t1', '-c8', '-d4s', url);
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
  const counts = await countsOf(process.execPath, autocannon, '-c', '4', '-d', '4', url);
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
    setTimeout(() => { clearInterval(timer); agent.destroy(); }, 4000);
  `;
  const counts = await countsOf(process.execPath, '--input-type=module', '-e', script);
  expect(counts.verdict.loop).toBe('open');
});

test('a tool that never ends is ended, and one that hides a process leaves none', async () => {
  const mark = `${4000 + (process.pid % 1000)}.25`;
  const hidden = await inspect('--limit', '1', '--', 'sh', '-c', `setsid sleep ${mark} & sleep ${mark}`);
  expect(hidden.code).toBe(2);
  expect(hidden.stdout).toContain('sh was ended by --limit and never connected');
  if (process.getuid?.() === 0) expect(commandLines().filter((line) => line.includes(mark))).toEqual([]);
});

test.skipIf(process.platform !== 'linux')(
  'where no namespace can be made, a daemon ends too, and it is said that a script may reach other hosts',
  async () => {
    const programs = mkdtempSync(join(directory, 'programs-'));
    for (const name of ['sh', 'setsid', 'sleep']) symlinkSync(whereIs(name), join(programs, name));
    const mark = `${5000 + (process.pid % 1000)}.25`;
    const script = `setsid sleep ${mark} & ${quoted(process.execPath)} -e ${quoted(oneRequest)}`;
    const program = startProgram('server/edge/cli.ts', ['inspect', '--', 'sh', '-c', script], {
      ...{ TLS_TOLL_DATA: directory, PATH: programs },
    });
    expect(await program.ended).toBe(0);
    expect(program.stdout()).toContain('sh was not isolated from the network');
    expect(commandLines().filter((line) => line.includes(mark))).toEqual([]);
  },
);

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
  [['--', 'wrk', url, url], /several URLs/],
  [['--limit', 'x', '--', 'wrk', url], /--limit takes seconds/],
])('%j is refused in a sentence', async (args, sentence) => {
  const { code, stderr } = await inspect(...args);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toMatch(sentence);
});

test('a tool that does not trust the certificate gives up its handshakes', async () => {
  const script = `require('node:tls').connect(new URL(process.env.TLS_TOLL_URL).port, '127.0.0.1', { ca: [] }).on('error', () => {})`;
  const { stdout } = await inspect('--', process.execPath, '-e', script);
  expect(stdout).toMatch(/gave up 1 of 1 handshakes/);
});

const oneRequest =
  "require('node:https').get(process.env.TLS_TOLL_URL, { agent: false }, (got) => got.resume());";

function whereIs(name: string): string {
  const places = (process.env.PATH ?? '').split(delimiter).map((each) => join(each, name));
  return places.find((place) => existsSync(place)) ?? name;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function commandLines(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')] : [];
    } catch {
      return [];
    }
  });
}
