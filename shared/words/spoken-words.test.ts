/** Protects the words for what a browser agreed on with both sides: once what they share, and TLS where there is any. */
import { expect, test } from 'vitest';
import { spokenWords } from './spoken-words.ts';

const plain = { protocols: ['http/1.1'], encodings: ['none'], tls: null };
const tls = { protocol: 'TLS 1.3', cipher: 'AES_128_GCM', group: 'X25519MLKEM768' };

test('a protocol that both sides speak is said once, and a group that is not known is left out', () => {
  expect(spokenWords({ baseline: plain, comparison: { ...plain, tls } })).toBe(
    'HTTP/1.1, TLS 1.3, AES-128-GCM, X25519MLKEM768',
  );
  const h2 = { ...plain, protocols: ['h2'], tls: { ...tls, group: '' } };
  expect(spokenWords({ baseline: plain, comparison: h2 })).toBe('HTTP/1.1 → HTTP/2, TLS 1.3, AES-128-GCM');
  expect(spokenWords({ baseline: plain, comparison: plain })).toBe('HTTP/1.1');
});
