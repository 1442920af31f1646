/** Protects plans of counts: a part that can be the median, of as many requests as OpenSSL takes to come back to where it was. */
import { expect, test } from 'vitest';
import { countPhases, countTimes } from './plan-counts.ts';

test.each(['keep-alive', 'connection-per-request'] as const)('%s has an odd number of parts', (policy) => {
  const times = countTimes({ connectionPolicy: policy });
  expect(times.parts % 2).toBe(1);
  expect(countPhases(times).find(({ name }) => name === 'measuring')?.rounds).toBe(2 * times.parts);
});

test('parts of new connections have the numbers that blind RSA renewed as often as each other', () => {
  const { requests, warmUp } = countTimes({ connectionPolicy: 'connection-per-request' });
  // `BN_BLINDING_COUNTER` of OpenSSL.
  expect([requests % 32, warmUp % 32]).toEqual([0, 0]);
});
