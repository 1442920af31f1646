/** Protects `users` on the command line: who is added, with which role, and whether they get a password. */
import { expect, test } from 'vitest';
import { parseUsers } from './accounts.ts';

test.each([
  [['add', 'Ben@Example.com'], { role: 'reader', password: true }],
  [['add', 'ben@example.com', '--role', 'admin'], { role: 'admin', password: true }],
  [['add', 'ben@example.com', '--no-password'], { role: 'reader', password: false }],
])('%j', (args, expected) => {
  expect(parseUsers(args)).toMatchObject({ act: 'add', user: { email: 'ben@example.com', ...expected } });
});

test.each([
  [['password', 'ben@example.com', '--no-password'], '--no-password belongs to add'],
  [['role', 'ben@example.com'], 'Name the new role'],
  [['add', 'ben'], 'email address'],
  [['invite', 'ben@example.com'], 'is not an action'],
])('%j is refused', (args, sentence) => {
  expect(() => parseUsers(args)).toThrow(sentence);
});
