/** Protects what the benches ask wrk for and read from it, which they are compared with. */
import { expect, test } from 'vitest';
import { readWrk, requestsInLua } from './wrk.ts';

test('wrk says what it sent in all and per second, and that it could not load a target', () => {
  const wrk = '  9135 requests in 2.00s, 90MB read\nRequests/sec:   4567.89\n';
  expect(readWrk(wrk)).toEqual({ requests: 9135, perS: 4567.89 });
  expect(() => readWrk(`${wrk}  Non-2xx or 3xx responses: 3\n`)).toThrow('wrk could not load');
});

test('every byte of a request has three digits in Lua, so that a digit after it stays apart', () => {
  expect(requestsInLua([Buffer.from('é"\n1', 'latin1'), Buffer.from('G')])).toContain(
    '{ "\\233\\034\\010\\049", "\\071" }',
  );
});
