/** Protects that the application's time is read as a browser reads it, whatever else the field lists. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { complete, KnownHead, readApplicationTime } from './head-bytes.ts';
import { ResponseReader } from './response-reader.ts';

function timeOf(field: string): number {
  const bytes = Buffer.from(`Server-Timing:${field}\r\n`, 'latin1');
  return readApplicationTime(bytes, 14, bytes.length - 2);
}

test.each<[field: string, us: number]>([
  [' app;dur=1.25', 1250],
  ['app;dur=7', 7000],
  ['App ; Dur = 2', 2000],
  ['db;dur=9, app;dur=2', 2000],
  ['app;desc="Rails, all of it; dur=9";dur=2', 2000],
  ['app;dur=2;desc="a \\"quoted\\" name"', 2000],
  ['app;dur="2.0"', 2000],
  ['app;dur="\\2.5"', 2500],
  ['app;dur=1e3', 1_000_000],
  ['app;dur=2.5E-1', 250],
  ['app;dur=.5', 500],
  ['app;dur=2;dur=9', 2000],
  ['app;dur=2, app;dur=9', 2000],
  ['app;desc=x, app;dur=2', 2000],
  [',, app;;dur=2,', 2000],
  ['cache;desc="app;dur=7", app;dur=2', 2000],
  ['app;dur=0', 0],
])('%s is %d µs', (field, us) => {
  expect(timeOf(field)).toBeCloseTo(us, 9);
});

test.each([
  '',
  'app',
  'app;dur',
  'app;dur=',
  'app;dur=""',
  'webapp;dur=91.5',
  'app2;dur=2',
  'x-app;dur=2',
  '"app";dur=2',
  'app;duration=2',
  'db;app;dur=2',
  'app=dur;2',
  'app;dur=-5',
  'app;dur=NaN',
  'app;dur=Infinity',
  'app;dur=1e999',
  'app;dur=86400001',
  'app;dur=.',
  'app;desc="dur=2',
  'app, dur=2',
])('%s has no time of the application', (field) => {
  expect(timeOf(field)).toBe(-1);
});

test('a number is read the same alone and in a list', () => {
  const written = fc.tuple(fc.nat(99_999), fc.constantFrom('', '.', '.0', '.25', '.003', '.1.2', 'x'));
  fc.assert(
    fc.property(written, ([whole, rest]) => {
      expect(timeOf(`app;dur=${whole}${rest}`)).toBeCloseTo(timeOf(`db, app;dur=${whole}${rest}`), 6);
    }),
  );
});

test('a field of 256 kB without an end to its strings takes one pass', () => {
  expect(timeOf('"\\'.repeat(128_000))).toBe(-1);
  expect(timeOf(`${'"",'.repeat(85_000)}app;dur=2`)).toBe(2000);
});

/** Protects the short way of reading a response: a known head makes no difference to what is read. */

/** Reads a response that comes in one piece. */
function readAll(text: string, known: KnownHead | null, bodyless = false) {
  const bytes = Buffer.from(text, 'latin1');
  const reader = new ResponseReader();
  reader.begin(bodyless, known);
  const reading = reader.read(bytes, bytes.length);
  const { status, keepAlive, bodyBytes, executionUs } = reader;
  return { reading, status, keepAlive, bodyBytes, executionUs };
}

const responses = [
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello',
  'HTTP/1.1 200 OK\r\nServer-Timing: app;dur=2.5\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno',
  'HTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more',
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel',
];

test('a response is read alike, whatever head is known from before', () => {
  for (const before of responses) {
    for (const after of responses) {
      const known = new KnownHead();
      readAll(before, known);
      const plainly = readAll(after, null);
      expect(readAll(after, known), `${before} then ${after}`).toEqual(plainly);
      expect(readAll(after, known), `${after} again`).toEqual(plainly);
    }
  }
});

test('a known head is used again, and an interim one is not taken for the final', () => {
  const known = new KnownHead();
  readAll(responses[3] ?? '', known);
  expect(known.status).toBe(404);
  readAll(responses[0] ?? '', known);
  expect(known.length).toBe('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'.length);
  const other = readAll('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nworld', known);
  expect(other).toMatchObject({ reading: complete, bodyBytes: 5 });
});

test('a head that differs in one byte is another one, wherever it lies in memory', () => {
  for (const reason of ['OK', 'Okay', 'Fine']) {
    const head = `HTTP/1.1 200 ${reason}\r\nContent-Length: 5\r\n\r\n`;
    const known = new KnownHead();
    known.replace(Buffer.from(`__${head}`, 'latin1'), 2, 2 + head.length);
    for (const offset of [0, 1, 2, 3, 4]) {
      const memory = Buffer.allocUnsafeSlow(100);
      for (const from of [0, 4]) {
        const bytes = memory.subarray(offset);
        bytes.write(head, from, 'latin1');
        const to = from + head.length;
        expect(known.matches(bytes, from, to)).toBe(true);
        expect(known.matches(bytes, from, to - 1)).toBe(false);
        for (let at = from; at < to; at++) {
          bytes[at] = (bytes[at] ?? 0) ^ 1;
          expect(known.matches(bytes, from, to), `${head} at ${offset}, byte ${at}`).toBe(false);
          bytes[at] = (bytes[at] ?? 0) ^ 1;
        }
      }
    }
  }
});

test('the answer to HEAD has no body, though its head is that of GET', () => {
  const known = new KnownHead();
  readAll(responses[0] ?? '', known);
  expect(readAll('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', known, true)).toMatchObject({
    reading: complete,
    bodyBytes: 0,
  });
});

test('a server that never writes the same head twice is soon not listened to', () => {
  const known = new KnownHead();
  for (let i = 0; i < 100; i++) readAll(`HTTP/1.1 200 OK\r\nX-Id: ${i}\r\nContent-Length: 0\r\n\r\n`, known);
  expect(known.length).toBe(0);
});
