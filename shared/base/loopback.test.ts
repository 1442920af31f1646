/** Protects what is let in without a password: nothing but this machine is taken for it. */
import { expect, test } from 'vitest';
import { isLoopback } from './loopback.ts';

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.9.8.7', '::1', '[::1]'])(
  '%s is this machine',
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each([
  '',
  '127.0.0.1.example',
  '127.example.com',
  'a127.0.0.1',
  '127.1',
  '::2',
  'localhost.example',
  '10.0.0.1',
])('%j is not', (host) => {
  expect(isLoopback(host)).toBe(false);
});
