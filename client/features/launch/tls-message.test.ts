/** Protects where the form says that chosen TLS is not offered: at its field, and nowhere if nothing was chosen. */
import { expect, test } from 'vitest';
import type { TlsField } from '../../../shared/base/tls-profile.ts';
import type { Check, PreflightSide } from '../../../shared/target/preflight.ts';
import { emptyForm, type LaunchForm } from './form-shape.ts';
import { tlsMessageOf, trustField } from './tls-message.ts';

const sideWith = (...checks: Check[]): PreflightSide => ({
  ...{ transport: 'https', origin: 'https://127.0.0.1:8443', address: '127.0.0.1' },
  ...{ checks, responses: [], tls: null, pid: null },
});
const connect: Check = { id: 'connect', title: 'Connection', status: 'fail', message: 'Nothing listens.' };
const tls: Check = { id: 'tls', title: 'TLS', status: 'fail', message: '127.0.0.1:8443 speaks TLS 1.2.' };
const sides = { baseline: sideWith(connect), comparison: sideWith(tls) };

test('it is said at the field that was chosen, whatever else is wrong', () => {
  const messageFor = (tlsField: TlsField) => tlsMessageOf({ tlsField, sides }, emptyForm);
  expect(messageFor('version')).toEqual({ 'tls.version': tls.message });
  expect(messageFor('cipher')).toEqual({ 'tls.cipher': tls.message });
});

test('where nothing was chosen no field is marked', () => {
  expect(tlsMessageOf({ tlsField: null, sides }, emptyForm)).toEqual({});
  expect(tlsMessageOf(undefined, emptyForm)).toEqual({});
});

test('what one side chose is said at its own field', () => {
  const form = { ...emptyForm, 'tls.group': 'X25519', 'sides.comparison.tls.group': 'X25519MLKEM768' };
  const ofComparison = tlsMessageOf({ tlsField: 'group', sides }, form);
  expect(ofComparison).toEqual({ 'sides.comparison.tls.group': tls.message });
  const turned = { baseline: sideWith(tls), comparison: sideWith(connect) };
  expect(tlsMessageOf({ tlsField: 'group', sides: turned }, form)).toEqual({ 'tls.group': tls.message });
});

test('a certificate is trusted where it was found', () => {
  const untrusted: Check = {
    id: 'certificate',
    title: 'Certificate',
    status: 'fail',
    message: 'Self-signed.',
  };
  const two: LaunchForm = {
    ...emptyForm,
    targetKind: 'origins',
    'sides.baseline.transport': 'https',
    'sides.comparison.target.origin': 'https://127.0.0.1:9443',
  };
  const ofBaseline = { sides: { baseline: sideWith(untrusted), comparison: sideWith(untrusted) } };
  const ofComparison = { sides: { baseline: sideWith(), comparison: sideWith(untrusted) } };
  expect(trustField(ofBaseline, two)).toBe('trust');
  expect(trustField(ofComparison, two)).toBe('sides.comparison.target.trust');
  expect(trustField(ofComparison, emptyForm)).toBe('trust');
});
