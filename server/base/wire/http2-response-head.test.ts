/** Protects the reading of HPACK heads, against the examples of RFC 7541. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  areTrailers,
  decodeFields,
  decodeHuffman,
  encodeHuffman,
  headerListLimit,
  readResponseHead,
} from './http2-response-head.ts';

function read(hex: string | Buffer) {
  const bytes = Buffer.isBuffer(hex) ? hex : Buffer.from(hex.replaceAll(' ', ''), 'hex');
  const head = { status: 0, contentLength: 0, executionUs: 0 };
  const valid = readResponseHead(bytes, 0, bytes.length, head);
  return { valid, head, fields: decodeFields(bytes, 0, bytes.length) };
}

/** A literal without indexing, its strings in plain text. */
function literal(name: string, value: string): string {
  return Buffer.concat([
    Buffer.of(0, name.length),
    Buffer.from(name),
    Buffer.of(value.length),
    Buffer.from(value),
  ]).toString('hex');
}

const redirect = [
  ['cache-control', 'private'],
  ['date', 'Mon, 21 Oct 2013 20:13:21 GMT'],
  ['location', 'https://www.example.com'],
];

test.each([
  [
    'C.5.1, in plain text',
    '4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
    302,
    redirect,
  ],
  [
    'C.6.1, in Huffman code',
    '4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3',
    302,
    redirect,
  ],
  [
    'C.2.1, a literal that is to be indexed, behind status 200',
    '88 400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572',
    200,
    [['custom-key', 'custom-header']],
  ],
  [
    'C.2.3, a literal that is never to be indexed, behind status 200',
    '88 1008 7061 7373 776f 7264 0673 6563 7265 74',
    200,
    [['password', 'secret']],
  ],
])('the example of RFC 7541, %s', (_, hex, status, fields) => {
  const result = read(hex);
  expect([result.valid, result.head.status, result.fields]).toEqual([true, status, fields]);
});

describe('what frames and measures a response', () => {
  test.each([
    ['88', 200],
    ['8e', 500],
    ['08 03 323031', 201],
    ['08 82 6402', 302],
    [literal(':status', '404'), 404],
  ])('is read from %s: status %i', (hex, status) => {
    expect(read(hex)).toMatchObject({
      valid: true,
      head: { status, contentLength: -1, executionUs: -1 },
    });
  });
  test('is a Content-Length, its name from the table or spelled out, its value in either code', () => {
    const coded = encodeHuffman(Buffer.from('1234'));
    const value = Buffer.concat([Buffer.of(0x80 | coded.length), coded]).toString('hex');
    expect(read(`88 0f0d ${value}`).head.contentLength).toBe(1234);
    expect(read(`88 5c 04 31323334`).head.contentLength).toBe(1234);
    expect(read(`88 ${literal('content-length', '1234')}`).head.contentLength).toBe(1234);
  });
  test('is the application’s time, in µs', () => {
    const name = encodeHuffman(Buffer.from('server-timing'));
    const value = encodeHuffman(Buffer.from('db;dur=9, app;dur=1.25'));
    const field = Buffer.concat([
      Buffer.of(0x40, 0x80 | name.length),
      name,
      Buffer.of(0x80 | value.length),
      value,
    ]);
    expect(read(`88 ${field.toString('hex')}`).head.executionUs).toBe(1250);
    expect(read(`88 ${literal('server-timing', 'app;dur=0.5')}`).head.executionUs).toBe(500);
    const lines = ['cdn;dur=9', 'app;desc="a, b";dur="2"', 'webapp;dur=91.5'];
    const fields = lines.map((line) => literal('server-timing', line));
    expect(read(`88 ${fields.join('')}`).head.executionUs).toBe(2000);
  });
});

describe('a head is malformed', () => {
  test.each([
    ['that is empty', ''],
    ['without a status', literal('date', 'today')],
    ['with two', '8888'],
    ['whose status comes late', `${literal('date', 'today')}88`],
    ['whose status is no number', '08 03 32303a'],
    ['whose status has four digits', '08 04 32303030'],
    ['with a field of a request', '88 82'],
    ['with an unknown field that starts with a colon', `88 ${literal(':state', 'ok')}`],
    ['that counts on a dynamic table', '88 be'],
    ['whose literal takes its name from a dynamic table', '88 7e 01 61'],
    ['that names field 0', '88 80'],
    ['that wants a dynamic table', '3f e11f 88'],
    ['that changes the table after a field', '88 20'],
    ['whose string goes on beyond its end', '88 00 05 6161'],
    ['that ends in a name', '88 00 01 61'],
    ['whose number never ends', '88 00 7fffffffffffff'],
    ['with two lengths', `88 ${literal('content-length', '1')} ${literal('content-length', '2')}`],
    ['with a length that is no number', `88 ${literal('content-length', '1x')}`],
    ['with an empty length', `88 ${literal('content-length', '')}`],
    ['whose length is no Huffman code', '88 5c 81 00'],
  ])('%s', (_what, hex) => {
    expect(read(hex).valid).toBe(false);
  });
  test('whose fields are more than the limit, each counted with 32 octets more', () => {
    const most = headerListLimit / 32 - 2;
    expect(read(Buffer.concat([Buffer.of(0x88), Buffer.alloc(most / 2, 0x90)])).valid).toBe(true);
    expect(read(Buffer.concat([Buffer.of(0x88), Buffer.alloc(most, 0x90)])).valid).toBe(false);
  });
});

test('a table that is set to nothing, as it is, is allowed', () => {
  expect(read('20 88').head.status).toBe(200);
});

test('a kept field whose value is no Huffman code is refused when it is decoded', () => {
  expect(read('88 0f12 81 00').fields).toBeNull();
});

test('trailers are fields without any that starts with a colon', () => {
  const verdicts = [literal('expires', 'never'), '88', `${literal('a', 'b')}88`, '00 05 61'].map((hex) => {
    const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    return areTrailers(bytes, 0, bytes.length);
  });
  expect(verdicts).toEqual([true, false, false, false]);
});

/** Protects the Huffman code of HPACK, against the examples of its RFC. */

/** Source: RFC 7541, appendix C.4 and C.6. */
const examples = [
  ['www.example.com', 'f1e3c2e5f23a6ba0ab90f4ff'],
  ['no-cache', 'a8eb10649cbf'],
  ['custom-key', '25a849e95ba97d7f'],
  ['custom-value', '25a849e95bb8e8b4bf'],
  ['302', '6402'],
  ['private', 'aec3771a4b'],
  ['Mon, 21 Oct 2013 20:13:21 GMT', 'd07abe941054d444a8200595040b8166e082a62d1bff'],
  ['https://www.example.com', '9d29ad171863c78f0b97c8e9ae82ae43d3'],
  ['307', '640eff'],
  ['gzip', '9bd9ab'],
  [
    'foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
    '94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007',
  ],
] as const;

function decode(bytes: Buffer, room = 1000): string | null {
  const into = Buffer.alloc(room);
  const length = decodeHuffman(bytes, 0, bytes.length, into);
  return length < 0 ? null : into.toString('latin1', 0, length);
}

test.each(examples)('%s has the code of the RFC', (text, hex) => {
  expect(decode(Buffer.from(hex, 'hex'))).toBe(text);
  expect(encodeHuffman(Buffer.from(text)).toString('hex')).toBe(hex);
});

test('every string of bytes comes back from its code', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = Buffer.from(bytes);
      expect(decode(encodeHuffman(text))).toBe(text.toString('latin1'));
    }),
  );
});

test.each([
  ['a whole octet of padding', 'ff'],
  ['padding after a full octet', '9bd9abff'],
  ['padding that is not all ones', '640e00'],
  ['the end-of-string symbol', 'ffffffff'],
])('%s is refused', (_what, hex) => {
  expect(decode(Buffer.from(hex, 'hex'))).toBeNull();
});

test('a text that does not fit is refused', () => {
  expect(decode(Buffer.from('9bd9ab', 'hex'), 3)).toBeNull();
  expect(decode(Buffer.from('9bd9ab', 'hex'), 4)).toBe('gzip');
});

test('nothing is the code of nothing', () => {
  expect(decode(Buffer.alloc(0))).toBe('');
});
