/** Protects the Huffman code of HPACK, against the examples of its RFC. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeHuffman, encodeHuffman } from './huffman.ts';

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
