/** Protects what the benches read from wrk, which they are compared with. */
import { expect, test } from 'vitest';
import { readWrk } from './wrk.ts';

test('wrk says what it sent a second and its median, and that it could not load a target', () => {
  const wrk = `  Latency Distribution\n     50%    1.50ms\n     75%    2.00ms\n  9135 requests in 2.00s, 90MB read\nRequests/sec:   4567.89\n`;
  expect(readWrk(wrk)).toEqual({ requests: 9135, perS: 4567.89, medianUs: 1500 });
  expect(() => readWrk(`${wrk}  Non-2xx or 3xx responses: 3\n`)).toThrow('wrk could not load');
});
