/** Protects the dashboard from being its own target, in whatever spelling, and other servers from being taken for it. */
import { expect, test } from 'vitest';
import { reasonAgainstOwn } from './own-listeners.ts';

const own = [
  { host: '127.0.0.1', port: 7300 },
  { host: '127.0.0.0/8', port: 7301 },
  { host: '::1', port: 7301 },
  { host: '10.1.2.3', port: 7301 },
];

test.each([
  ['127.0.0.1', 7300],
  ['::ffff:127.0.0.1', 7300],
  ['127.9.9.9', 7301],
  ['::1', 7301],
  ['10.1.2.3', 7301],
  ['::ffff:a01:203', 7301],
])('%s with port %i is the dashboard', (address, port) => {
  expect(reasonAgainstOwn(address, port, own)).toMatch(/is this dashboard/);
});

test.each([
  ['127.0.0.2', 7300],
  ['127.0.0.1', 8080],
  ['10.1.2.4', 7301],
  ['::1', 7300],
  ['shop.example', 7301],
])('%s with port %i is not', (address, port) => {
  expect(reasonAgainstOwn(address, port, own)).toBeNull();
});
