/** Protects distances from end to end: real handshakes over links take the round trips of their flights, and canceling keeps what was measured. */
import { expect, test } from 'vitest';
import type { DistanceFacts } from '../../../shared/kinds/distance/distance.ts';
import { childRunning } from '../../testing/child-in-test.ts';
import { conductInTest } from '../../testing/conduct-in-test.ts';
import { distance } from './kind.ts';

const asked = { kind: 'distance', links: ['1ms', '50ms'], rounds: 6, seed: 3 };

test('each connection takes the round trips of its flights, and never less', async () => {
  const { facts, error } = await conductInTest(distance, asked);
  expect(error).toBeNull();
  expect(facts.plan).toMatchObject({ rounds: 6, roundsPlanned: 6 });
  for (const { added, roundTripMs } of facts.links) {
    expect(added?.pings).toBeGreaterThan(0);
    expect(added?.p95).toBeGreaterThanOrEqual(roundTripMs);
  }
  const trips = facts.rows.map(({ connection, flights, expected }) => [connection, flights, expected]);
  expect(trips).toEqual([
    ['tcp', 0, 2],
    ['tls13', 3, 3],
    ['tls13-resumed', 3, 3],
    ['tls12', 4, 4],
    ['tls12-resumed', 3, 3],
  ]);
  for (const { connection, expected, places, slope } of facts.rows) {
    for (const [index, { ms, connections }] of places.entries()) {
      expect(connections).toBe(12);
      expect(ms?.lo, connection).toBeGreaterThanOrEqual(
        (expected ?? 0) * (facts.links[index]?.roundTripMs ?? 0),
      );
    }
    // A machine that is busy adds to single connections, not a round trip of 50 ms to most of them.
    expect(Math.round(slope?.center ?? 0), connection).toBe(expected);
  }
});

test('one that is canceled keeps the rounds before', async () => {
  const cancel = new AbortController();
  const { facts, error } = await conductInTest(
    distance,
    { ...asked, links: ['5ms'] },
    {
      signal: cancel.signal,
      keep: (kept) => {
        if ((kept as DistanceFacts).plan.rounds === 2) cancel.abort(new Error('cancelled'));
      },
    },
  );
  expect(error).toMatchObject({ message: 'cancelled' });
  expect(facts.plan.rounds).toBe(2);
  expect(facts.rows[0]?.slope).not.toBeNull();
});

test('when what carries its links is killed, it ends with one sentence and keeps what was measured', async () => {
  let killed = 0;
  const { facts, error } = await conductInTest(
    distance,
    { ...asked, links: ['5ms'], rounds: 50 },
    {
      keep: (kept) => {
        if (killed > 0 || (kept as DistanceFacts).plan.rounds < 2) return;
        const running = (script: string) => childRunning(script, process.pid);
        killed = running('forwarder-process.ts') ?? running('relay-process.ts') ?? 0;
        if (killed > 0) process.kill(killed, 'SIGKILL');
      },
    },
  );
  expect(error).toMatchObject({
    problem: { code: 'link_failed', detail: expect.stringMatching(/^The .* ended \(SIGKILL\)\.$/) },
  });
  expect(killed).toBeGreaterThan(0);
  expect(facts.plan.rounds).toBeGreaterThanOrEqual(2);
  expect(facts.plan.rounds).toBeLessThan(50);
  expect(facts.links[0]?.by).toBeDefined();
});
