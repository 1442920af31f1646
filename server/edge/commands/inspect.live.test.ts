/** Protects what is said of other load generators: what they really did, and that nothing of them is left. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
  expect(stdout).toContain('Hardly any of its requests opens a connection');
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

function commandLines(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')] : [];
    } catch {
      return [];
    }
  });
}
