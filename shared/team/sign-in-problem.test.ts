/** Protects the sign-in page: a link can show what the server says there, and no words of anybody else. */
import { expect, test } from 'vitest';
import { parseSignInProblem, printSignInProblem } from './sign-in-problem.ts';

test('what the server prints is read back, in place of any other fragment', () => {
  const address = printSignInProblem('/runs?q=a#m-cpu', 'not_a_user');
  expect(address).toBe('/runs?q=a#sign-in=not_a_user');
  expect(parseSignInProblem(new URL(address, 'https://toll.example.com').hash)).toMatchObject({
    title: 'You are not a user of this server',
  });
});

test.each(['', '#', '#m-cpu', '#sign-in=', '#sign-in=internal', '#sign-in=Call 555', '#sign-in=toString'])(
  'nothing is read from %j',
  (fragment) => {
    expect(parseSignInProblem(fragment)).toBeNull();
  },
);
