/** Protects the labels of a chart: they are folded between their parts. */
import { expect, test } from 'vitest';
import { foldLabel } from './axis.ts';

test('a label is broken between its parts, as late as its width allows', () => {
  const label = 'RSA-2048 · RSA encryption · AES128-SHA · TLS 1.0 · 102,400 B';
  expect(foldLabel(label, { ofParts: 26, ofWords: 5 })).toEqual([
    'RSA-2048 · RSA encryption',
    'AES128-SHA · TLS 1.0',
    '102,400 B',
  ]);
  expect(foldLabel(label, { ofParts: 100, ofWords: 5 })).toEqual([label]);
});

test('a part that is longer than a line has one of its own', () => {
  expect(foldLabel('P-256 · X25519MLKEM768 after X25519', { ofParts: 12, ofWords: 5 })).toEqual([
    'P-256',
    'X25519MLKEM768 after X25519',
  ]);
});

test('a label of one part is broken between its words', () => {
  expect(foldLabel('Proxies with mutual TLS', { ofParts: 26, ofWords: 20 })).toEqual([
    'Proxies with mutual',
    'TLS',
  ]);
  expect(foldLabel('Direct again', { ofParts: 26, ofWords: 20 })).toEqual(['Direct again']);
});
