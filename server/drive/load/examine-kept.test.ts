/** Protects checks of compressed and partly kept bodies. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { mostKeptBytes } from '../../base/wire/kept-bytes.ts';
import { userOf } from '../../testing/scenario-in-test.ts';
import { examineKept } from './examine-kept.ts';

function examined(body: Buffer, encoding: string, bodyBytes = body.length) {
  const user = userOf([{ checks: [{ type: 'body_contains', text: 'hello' }] }]);
  return examineKept(user, 0, { fields: [['content-encoding', encoding]], body, bodyBytes });
}

const hello = Buffer.from('say hello');

test.each([
  ['identity', hello],
  ['gzip', gzipSync(hello)],
  ['Deflate', deflateSync(hello)],
  ['br', brotliCompressSync(hello)],
  ['gzip, br', brotliCompressSync(gzipSync(hello))],
])('a body in the coding %s is checked as what it stands for', (encoding, body) => {
  expect(examined(body, encoding)).toBeNull();
});

test('a body that is not in the coding it names is malformed', () => {
  expect(examined(hello, 'gzip')?.outcome).toBe('malformed_response');
});

test('a body that unpacks to more than is looked at is not unpacked further', () => {
  expect(examined(gzipSync(Buffer.alloc(mostKeptBytes + 1)), 'gzip')?.outcome).toBe('malformed_response');
});

test('a body of which only the beginning was kept fails its check', () => {
  expect(examined(hello, 'identity', mostKeptBytes + 1)?.outcome).toBe('check_failed');
});

test('header names are compared without regard to case', () => {
  const user = userOf([{ extract: [{ from: 'header', variable: 'v', name: 'X-Here' }] }]);
  const kept = { fields: [['x-here', '1'] as const], body: Buffer.alloc(0), bodyBytes: 0 };
  expect(examineKept(user, 0, kept)).toBeNull();
});
