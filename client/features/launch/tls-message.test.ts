/** Protects where the form says that chosen TLS is not offered: at its field, and nowhere if nothing was chosen. */
import { expect, test } from 'vitest';
import { tlsMessageOf } from './tls-message.ts';

test('it is said at the field that was chosen, that of a side among them', () => {
  const message = '127.0.0.1:8443 speaks TLS 1.2 at most.';
  const version = { field: 'tls.version', message };
  const group = { field: 'sides.comparison.tls.group', message };
  expect(tlsMessageOf({ refused: { baseline: null, comparison: version } })).toEqual({
    'tls.version': message,
  });
  expect(tlsMessageOf({ refused: { baseline: version, comparison: group } })).toEqual({
    'tls.version': message,
    'sides.comparison.tls.group': message,
  });
});

test('where nothing was chosen no field is marked', () => {
  expect(tlsMessageOf({ refused: { baseline: null, comparison: null } })).toEqual({});
  expect(tlsMessageOf(undefined)).toEqual({});
});
