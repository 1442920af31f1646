/** Protects tokens in files: what everybody may read is refused, and the file of a Kubernetes Secret is not. */
import { expect, test } from 'vitest';
import { isPrivate } from './token-file.ts';

test.each([
  ['our own, for us alone', 0o600, 1000, true],
  ['our own, for a group', 0o640, 1000, false],
  ['our own, for all', 0o604, 1000, false],
  ['given to our group by root', 0o440, 0, true],
  ['given to all by root', 0o444, 0, false],
])('a file is %s', (_, mode, uid, expected) => {
  expect(isPrivate({ mode: 0o100_000 | mode, uid }, 1000)).toBe(expected);
});
