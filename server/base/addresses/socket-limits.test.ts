/** Protects a run from running out of open files and ports: it is refused before, with what would help. */
import { expect, test } from 'vitest';
import { demandSockets, portShortage, type SocketLimits } from './socket-limits.ts';

const limits: SocketLimits = {
  ephemeralPorts: 28_232,
  timeWait: 20_000,
  reusesTimeWait: false,
  descriptors: [
    { owner: 'the load generator', limit: 20_000 },
    { owner: 'the target', limit: 1024 },
  ],
};

const rejection = (detail: RegExp) =>
  expect.objectContaining({
    problem: expect.objectContaining({ code: 'too_many_connections', detail: expect.stringMatching(detail) }),
  });

test('too few open files are refused, with who has them and what would help', () => {
  expect(() => demandSockets(limits, 896, 896)).not.toThrow();
  expect(() => demandSockets(limits, 1000, 1000)).toThrow(
    rejection(/1,000 connections need 1,128 open files, but the target may have 1,024\. .*`ulimit -n 1128`/),
  );
});

test('more connections than ports are refused', () => {
  const unlimited = { ...limits, descriptors: [{ owner: 'the load generator', limit: null }] };
  expect(() => demandSockets(unlimited, 30_000, 30_000)).toThrow(
    rejection(/there are 28,232\..*ip_local_port_range/),
  );
});

test('a slot is short of ports when closed connections hold them and the kernel does not give them away', () => {
  expect(portShortage(limits, 8232)).toBeNull();
  expect(portShortage(limits, 8233)).toMatch(/8,232 local ports are free, because 20,000 closed connections/);
  expect(portShortage({ ...limits, reusesTimeWait: true }, 1e6)).toBeNull();
});

test('where nothing is known nothing is refused', () => {
  expect(() => demandSockets(null, 1e6, 1e6)).not.toThrow();
  expect(portShortage(null, 1e6)).toBeNull();
});
