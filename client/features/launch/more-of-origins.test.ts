/** Protects where the form says that chosen TLS is not offered: at its field, and nowhere if nothing was chosen. */
import { expect, test } from 'vitest';
import type { Check, PreflightSide } from '../../../shared/target/preflight.ts';
import { emptyForm, type LaunchForm } from './form-shape.ts';
import { tlsMessageOf, trustField } from './more-of-origins.tsx';

const sideWith = (...checks: Check[]): PreflightSide => ({
  ...{ transport: 'https', origin: 'https://127.0.0.1:8443', address: '127.0.0.1' },
  ...{ checks, responses: [], tls: null, pid: null },
});

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
