/** Protects what is pasted to name a result: IDs and links are understood, and nothing else is taken for one. */

import { expect, test } from 'vitest';
import { idInText, isLoopback, isThisMachine } from './addresses.ts';

const id = '3fK9mQx7Lw2RtYb8NcVd1Z';

test.each([
  id,
  ` ${id}\n`,
  `/r/${id}`,
  `/l/${id}`,
  `http://127.0.0.1:7300/r/${id}`,
  `https://toll.example/r/${id}?v=1&m=throughput#m-cpu`,
  `http://[::1]:7300/r/${id}.json`,
])('%j names a result', (text) => {
  expect(idInText(text)).toBe(id);
});

test.each([
  '',
  'run.json',
  `${id}.json`,
  `./${id}`,
  `${id}${id}`,
  id.slice(1),
  `http://127.0.0.1:7300/s/${id}`,
  `http://127.0.0.1:7300/r/${id}/badge.svg`,
  `javascript:/r/${id}`,
])('%j does not', (text) => {
  expect(idInText(text)).toBeNull();
});

/** Protects what is let in without a password: nothing but this machine is taken for it. */

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

test('a name below localhost is this machine as a target, but is not let in without a password', () => {
  expect(isThisMachine('shop.localhost')).toBe(true);
  expect(isLoopback('shop.localhost')).toBe(false);
  expect(isThisMachine('[::1]')).toBe(true);
  expect(isThisMachine('127.example.com')).toBe(false);
});
