/** Protects questions with the same sides from looking the same in a list. */
import { expect, test } from 'vitest';
import { type RunRequestInput, runRequestSchema } from '../kinds/comparison/run-request.ts';
import { commonSettings } from './common-settings.ts';

const of = (input: RunRequestInput) => commonSettings(runRequestSchema.parse(input));

test('what is as usual is not said', () => {
  expect(of({})).toEqual([]);
  expect(of({ target: 'nginx', length: 'fine', seed: 7, tolerance: 0.01 })).toEqual([]);
});

test('what both sides have in common is, and what they differ by is not', () => {
  const key = { kind: 'managed', server: 'nginx', key: 'RSA-2048' } as const;
  expect(of({ target: key, connectionPolicy: 'connection-per-transaction' })).toEqual([
    'one transaction per connection',
    'RSA-2048',
  ]);
  expect(of({ target: key, sides: { comparison: { target: { key: 'P-256' } } } })).toEqual([]);
  expect(of({ tls: { group: 'X25519' } })).toEqual(['X25519']);
  expect(of({ users: 64, link: 'metro' })).toEqual(['metro', 'Users: 64']);
  expect(of({ connectionPolicy: 'requests-per-connection', requestsPerConnection: 7 })).toEqual([
    'a fixed number of requests per connection',
    'Requests on a connection: 7',
  ]);
});
