/** Protects the access log: its format, its size, and its lines from what a target holds. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AccessEntry, openAccessLog } from './exchange.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tls-toll-log-'));
  path = join(directory, 'access.log');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const entry: AccessEntry = {
  address: '127.0.0.1',
  method: 'GET',
  target: '/search?category=3',
  version: '1.1',
  status: 200,
  bodyBytes: 33_632,
  durationUs: 812,
};

test('A line is in common log format, with the duration in µs at its end', () => {
  const log = openAccessLog(path);
  log.add(entry);
  log.close();
  expect(readFileSync(path, 'utf8')).toMatch(
    /^127\.0\.0\.1 - - \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000\] "GET \/search\?category=3 HTTP\/1\.1" 200 33632 812\n$/,
  );
});

test('A target cannot end its quotes or its line', () => {
  const log = openAccessLog(path);
  log.add({ ...entry, target: '/"\n\xff\\' });
  log.close();
  expect(readFileSync(path, 'utf8')).toContain('"GET /\\x22\\x0a\\xff\\x5c HTTP/1.1" 200');
});

test('Lines wait in memory until there are 4 KiB of them', () => {
  const log = openAccessLog(path);
  log.add(entry);
  expect(statSync(path).size).toBe(0);
  for (let i = 0; i < 100; i++) log.add(entry);
  expect(statSync(path).size).toBeGreaterThanOrEqual(4096);
  log.close();
  expect(readFileSync(path, 'utf8').match(/\n/g)).toHaveLength(101);
});

test('A log never takes more than twice its limit, and keeps the newest lines', () => {
  const limit = 200_000;
  const log = openAccessLog(path, limit);
  for (let i = 0; i < 20_000; i++) log.add({ ...entry, durationUs: i });
  log.close();
  expect(statSync(path).size).toBeLessThanOrEqual(limit);
  expect(existsSync(`${path}.1`)).toBe(true);
  expect(statSync(`${path}.1`).size).toBeLessThanOrEqual(limit);
  expect(readFileSync(path, 'utf8').trimEnd().endsWith(' 19999')).toBe(true);
});

test('A log goes on where the last process left it', () => {
  for (let i = 0; i < 2; i++) {
    const log = openAccessLog(path);
    log.add(entry);
    log.close();
  }
  expect(readFileSync(path, 'utf8').match(/\n/g)).toHaveLength(2);
});
