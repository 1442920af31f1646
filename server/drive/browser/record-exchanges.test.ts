/** Protects the parts of a request in a waterfall: they add up to the whole, and a reused connection costs nothing. */
import { expect, test } from 'vitest';
import { timesOf } from './record-exchanges.ts';

const timing = {
  ...{ requestTime: 100.002, dnsStart: 0, dnsEnd: 1, connectStart: 1, connectEnd: 6, sslStart: 2, sslEnd: 6 },
  ...{ sendStart: 6.5, receiveHeadersEnd: 16.5 },
};

test('a request on a new connection is its parts, and they add up to the whole', () => {
  const times = timesOf({ startedS: 100, wallMs: 5_000, endedS: 100.02, timing });
  const { atMs, ...parts } = times ?? { atMs: 0 };
  expect(atMs).toBe(5_000);
  expect(parts).toEqual({
    queuedMs: expect.closeTo(2.5, 6),
    dnsMs: 1,
    connectMs: 1,
    tlsMs: 4,
    waitMs: expect.closeTo(10, 6),
    receiveMs: expect.closeTo(1.5, 6),
  });
  expect(Object.values(parts).reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(20, 6);
});

test('a reused connection has no part, and the wait for it is queueing', () => {
  const none = { dnsStart: -1, dnsEnd: -1, connectStart: -1, connectEnd: -1, sslStart: -1, sslEnd: -1 };
  expect(timesOf({ startedS: 100, wallMs: 0, endedS: 100.03, timing: { ...timing, ...none } })).toMatchObject(
    { dnsMs: 0, connectMs: 0, tlsMs: 0, queuedMs: expect.closeTo(8.5, 6) },
  );
});

test('what never left the browser only took its time, and what is under way has none yet', () => {
  expect(timesOf({ startedS: 1, wallMs: 0, endedS: 1.001, timing: null })).toMatchObject({
    waitMs: 0,
    receiveMs: expect.closeTo(1, 6),
  });
  expect(timesOf({ startedS: 1, wallMs: 0, endedS: null, timing: null })).toBeNull();
});
