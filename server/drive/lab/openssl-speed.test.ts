/** Protects what is read from the output of `openssl speed`. */
import { expect, test } from 'vitest';
import { isOpensslStart, opensslComplaint, readOpensslResult } from './openssl-speed.ts';

test.each([
  ['+R:1772467:sha256:0.270000', { operation: 'digest', calls: 1_772_467, ownS: 0.27 }],
  ['+R:4933595:hmac(sha256):0.990000', { operation: 'digest', calls: 4_933_595, ownS: 0.99 }],
  ['+R1:1051:2048:0.26', { operation: 'sign', calls: 1051, ownS: 0.26 }],
  ['+R6:12225:256:0.72', { operation: 'verify', calls: 12_225, ownS: 0.72 }],
  ['+R8:17785:253:Ed25519:0.65', { operation: 'sign', calls: 17_785, ownS: 0.65 }],
  ['+R12:3651:2048:0.99', { operation: 'agree', calls: 3651, ownS: 0.99 }],
  ['+R15:35127:ML-KEM-768:0.99', { operation: 'generate', calls: 35_127, ownS: 0.99 }],
  ['+R16:65276:ML-KEM-512:0.99', { operation: 'encapsulate', calls: 65_276, ownS: 0.99 }],
  ['+R17:41003:ML-KEM-1024:0.98', { operation: 'decapsulate', calls: 41_003, ownS: 0.98 }],
  ['+R19:2210:ML-DSA-65:0.99', { operation: 'sign', calls: 2210, ownS: 0.99 }],
  ['+R20:9870:ML-DSA-65:1.00', { operation: 'verify', calls: 9870, ownS: 1 }],
])('reads %s', (line, result) => {
  expect(readOpensslResult(line, 'digest')).toEqual(result);
});

// 18 is of a signature's keys, which are no row.
test.each([
  '+R18:8123:ML-DSA-65:0.99',
  '+F2:2:2048:4042.307692:61774.358974',
  '+H:16',
  '+DT:sha256:1:64',
  '+R:0:sha256:0.00',
  '',
])('takes %j for no result', (line) => expect(readOpensslResult(line, 'digest')).toBeNull());

test('the beginning of a measurement is recognized', () => {
  expect(isOpensslStart('+DT:sha256:1:64')).toBe(true);
  expect(isOpensslStart('+DTP:2048:private:rsa:1')).toBe(true);
  expect(isOpensslStart('+DTP:ML-KEM-768:keygen:1')).toBe(true);
  expect(isOpensslStart('+R1:1051:2048:0.26')).toBe(false);
});

test('a complaint loses the name of the program, its thread and its source file', () => {
  expect(opensslComplaint(['speed: Unknown algorithm ML-KEM-768'])).toBe('Unknown algorithm ML-KEM-768');
  expect(
    opensslComplaint([
      '4077A5C56F7F0000:error:0308010C:digital envelope routines:inner_evp_generic_fetch:unsupported:../crypto/evp/evp_fetch.c:386:Global default library context, Algorithm (RC4 : 37), Properties ()',
    ]),
  ).toBe('unsupported');
  expect(opensslComplaint(['+DT:sha256:1:64'])).toBeNull();
});
