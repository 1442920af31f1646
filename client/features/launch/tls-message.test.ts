/** Protects where the form says that chosen TLS is not offered: at its field, and nowhere if nothing was chosen. */
import { expect, test } from 'vitest';
import type { Check, PreflightSide } from '../../../shared/target/preflight.ts';
import { tlsMessageOf } from './tls-message.ts';

const sideWith = (...checks: Check[]): PreflightSide => ({
  ...{ transport: 'https', origin: 'https://127.0.0.1:8443', address: '127.0.0.1' },
  ...{ checks, responses: [], tls: null, pid: null },
});
const connect: Check = { id: 'connect', title: 'Connection', status: 'fail', message: 'Nothing listens.' };
const tls: Check = { id: 'tls', title: 'TLS', status: 'fail', message: '127.0.0.1:8443 speaks TLS 1.2.' };
const sides = { baseline: sideWith(connect), comparison: sideWith(tls) };

test('it is said at the field that was chosen, whatever else is wrong', () => {
  expect(tlsMessageOf({ tlsField: 'version', sides })).toEqual({ 'tls.version': tls.message });
  expect(tlsMessageOf({ tlsField: 'cipher', sides })).toEqual({ 'tls.cipher': tls.message });
});

test('where nothing was chosen no field is marked', () => {
  expect(tlsMessageOf({ tlsField: null, sides })).toEqual({});
  expect(tlsMessageOf(undefined)).toEqual({});
});
