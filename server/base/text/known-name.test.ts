/** Protects suggestions for a name that is none: the nearest, and first of all one that is worth using. */
import { expect, test } from 'vitest';
import { suiteNames } from '../../../shared/base/cipher-suites.ts';
import { knownName } from './known-name.ts';

const about = { what: 'cipher suite', field: 'ciphers' };

test('The nearest names are suggested, and a preferred one before them', () => {
  expect(() => knownName('RC4-SHA1', suiteNames, about)).toThrow('Nearest: RC4-SHA,');
  const preferred = (name: string) => name.startsWith('ECDHE-RSA-') && name.includes('GCM');
  expect(() => knownName('RC4-SHA1', suiteNames, { ...about, preferred })).toThrow(
    /Nearest: ECDHE-RSA-[\w-]+GCM[\w-]+, RC4-SHA,/,
  );
});
