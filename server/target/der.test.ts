import { expect, test } from 'vitest';
import * as der from './der.ts';

// The expected bytes are worked out by hand from X.690.
test.for([
  ['zero', der.integer([0]), '020100'],
  ['an integer with its sign bit clear', der.integer([0x7f]), '02017f'],
  ['an integer that needs a leading zero', der.integer([0x80]), '02020080'],
  ['an integer given with zeros in front', der.integer([0, 0, 1]), '020101'],
  ['an empty sequence', der.sequence(), '3000'],
  ['a content of 128 bytes', der.octetString(Buffer.alloc(128)), `048180${'00'.repeat(128)}`],
  ['a content of 256 bytes', der.octetString(Buffer.alloc(256)), `04820100${'00'.repeat(256)}`],
  ['an identifier with long arcs', der.objectIdentifier('1.2.840.10045.4.3.2'), '06082a8648ce3d040302'],
  ['a bit string with unused bits', der.bitString(Buffer.from([0x80]), 7), '03020780'],
  ['a date before 2050', der.time(new Date('2049-12-31T23:59:59Z')), `170d${ascii('491231235959Z')}`],
  ['a date from 2050 on', der.time(new Date('2050-01-01T00:00:00Z')), `180f${ascii('20500101000000Z')}`],
] as const)('It encodes %s', ([, encoded, expected]) => {
  expect(encoded.toString('hex')).toBe(expected);
});

function ascii(text: string): string {
  return Buffer.from(text).toString('hex');
}
