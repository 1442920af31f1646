/** Protects `traffic` on the command line: a log of any size is streamed, also compressed, and a file that is none is named so. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { runCommandInTest } from '../../testing/command-in-test.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-traffic-'));
afterAll(() => rmSync(directory, { recursive: true }));

const lineAt = (second: number, more = '') =>
  `127.0.0.1 - - [28/Nov/2026:01:21:${String(second).padStart(2, '0')} +0000] "GET /é HTTP/1.1" 200 5000 "-" "curl/8.5.0"${more}\n`;
const log = [10, 11, 12].map((second) => lineAt(second)).join('');

function write(name: string, content: string | Buffer): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

function traffic(...args: string[]) {
  return runCommandInTest(['traffic', ...args], {});
}

test('a log is read as it is and compressed, in one part or several', async () => {
  const plain = await traffic(write('access.log', log), '--json');
  expect(JSON.parse(plain.stdout)).toMatchObject({
    ...{ lines: 3, unreadable: 0, requestsPerS: 1.5, sizes: [{ bytes: 5000, share: 1 }] },
    ...{ requestsPerConnection: null, returningShare: null },
  });
  const rotated = Buffer.concat([gzipSync(lineAt(10)), gzipSync(lineAt(11) + lineAt(12))]);
  expect(await traffic(write('access.log.gz', rotated), '--json')).toEqual({ ...plain, code: 0, stderr: '' });
});

test('as text it says how many lines cannot be read, and what is missing', async () => {
  const path = write('third.log', `${lineAt(10)}nonsense\n${lineAt(11)}`);
  const { stdout } = await traffic(path);
  expect(stdout).toContain('2 requests, 28 November 2026 at 01:21 UTC');
  expect(stdout).toContain('Requests per second: 2.00');
  expect(stdout).toContain('1 of 3 lines (33 %) cannot be read. They are not counted.');
  expect(stdout).toMatch(/Returning visitors: add ssl_session_reused=/);
  const named = write('named.log', lineAt(10, ' connection_requests=1 ssl_session_reused=r'));
  expect((await traffic(named)).stdout).toMatch(/Requests per connection: 1.0\nReturning visitors: 100 %/);
});

test.each([
  ['/nowhere.log', [], /^\/nowhere.log: there is no such file\./],
  [directory, [], /it is a directory\./],
  [
    write('prose.txt', 'It is a truth\nuniversally acknowledged\n'),
    [],
    /^2 of 2 lines cannot be read as an access log\./,
  ],
  [write('empty.log', ''), [], /^The log has no lines\./],
  [write('cut.gz', gzipSync(log).subarray(0, 60)), [], /is not a whole gzip file\./],
  [write('not.gz', log), [], /is not a whole gzip file\./],
  [write('format.log', log), ['--log-format', 'squid'], /^The log’s format is combined, json,/],
])('%s is answered in a sentence', async (path, args, sentence) => {
  const { code, stdout, stderr } = await traffic(path, ...args);
  expect({ code, stdout }).toEqual({ code: expect.toBeOneOf([1, 2]), stdout: '' });
  expect(stderr).toMatch(sentence);
});

test('100 MB from standard input need no more memory than a few lines', async () => {
  const chunk = log.repeat(300);
  const chunks = Math.ceil(1e8 / chunk.length);
  const cli = new URL('../cli.ts', import.meta.url).pathname;
  const limit = ['--max-old-space-size=40', '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...limit, cli, 'traffic', '-', '--json'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answered = text(child.stdout);
  await pipeline(
    Readable.from(
      Array(chunks)
        .keys()
        .map(() => chunk),
      { objectMode: true },
    ),
    child.stdin,
  );
  expect(JSON.parse(await answered)).toMatchObject({ lines: 900 * chunks, unreadable: 0 });
});
