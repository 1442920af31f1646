/** Protects what a result says of readings from another host: where, how often, and what the way there adds. */
import { expect, test } from 'vitest';
import { describeReadings, type RemoteReadings } from './readings.ts';

const readings: RemoteReadings = {
  ...{ by: 'agent', at: '10.1.0.5:7301', sameMachine: false, everyMs: 200 },
  ...{ roundTripUs: 5120, withinUs: 2710, idleCpuUs: 1.4, turnTransactions: 42 },
};

test('over a network', () => {
  expect(describeReadings(readings)).toBe(
    'CPU was read by the agent at 10.1.0.5:7301, every 200 ms, ±2.6 ms by the round trip of 5.1 ms (99 of 100 within ±2.7 ms). With no load the target used 1.4 µs of CPU between two readings. A turn had 42 transactions. The agent counts only what it was told to. Other programs that work for the requests are not looked for.',
  );
});

test('on the same machine', () => {
  const here = describeReadings({ ...readings, sameMachine: true, idleCpuUs: 0 });
  expect(here).toContain('the agent at 10.1.0.5:7301 on this machine, every');
  expect(here).toContain('used 0 µs of CPU');
});

test('with the other programs that work', () => {
  const said = describeReadings({ ...readings, companions: true });
  expect(said).toContain('The agent also looked for programs on its host that work for the requests');
  expect(said).not.toContain('are not looked for');
});
