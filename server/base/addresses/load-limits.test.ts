/** Protects the rate of another host from checks beside a run. */

import { expect, test } from 'vitest';
import { demandSockets, openHostTurns, openTurns, portShortage, type SocketLimits } from './load-limits.ts';

const going = new AbortController().signal;
const busy = { problem: { code: 'target_busy', detail: expect.stringContaining('measuring shop.test') } };

test('a host is not checked while a run has it; others are, and it is again after the run', async () => {
  const turns = openHostTurns();
  const check = (host: string) => turns.check([host], going, async () => host);
  const release = await turns.take(['shop.test'], going);
  await expect(check('shop.test')).rejects.toMatchObject(busy);
  expect(await check('other.test')).toBe('other.test');
  release();
  expect(await check('shop.test')).toBe('shop.test');
});

test('a run waits for the check that goes on, and comes before the one that waits', async () => {
  const turns = openHostTurns();
  const gate = Promise.withResolvers<void>();
  const log: string[] = [];
  const first = turns.check(['shop.test'], going, () => gate.promise);
  const run = turns.take(['shop.test'], going).then(() => log.push('run'));
  const second = turns.check(['shop.test'], going, async () => log.push('second'));
  await new Promise(setImmediate);
  expect(log).toEqual([]);
  gate.resolve();
  await Promise.all([first, run]);
  await expect(second).rejects.toMatchObject(busy);
  expect(log).toEqual(['run']);
});

test('a run that is canceled while it waits leaves the host free', async () => {
  const turns = openHostTurns();
  const gate = Promise.withResolvers<void>();
  const first = turns.check(['shop.test'], going, () => gate.promise);
  const canceled = new AbortController();
  const run = turns.take(['shop.test'], canceled.signal);
  canceled.abort(new Error('canceled'));
  await expect(run).rejects.toThrow('canceled');
  gate.resolve();
  await first;
  expect(await turns.check(['shop.test'], going, async () => 'free')).toBe('free');
});

/** Protects turns: tasks that must not overlap run one after another. */

const turnsGoing = new AbortController().signal;

test('a task starts after the one before it, even if that one failed', async () => {
  const takeTurn = openTurns();
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = takeTurn(turnsGoing, async () => {
    log.push('first');
    await gate.promise;
    log.push('first is over');
    throw new Error('first failed');
  });
  const second = takeTurn(turnsGoing, async () => log.push('second'));
  gate.resolve();
  await expect(first).rejects.toThrow('first failed');
  await second;
  expect(log).toEqual(['first', 'first is over', 'second']);
});

test('a waiting task that is aborted leaves at once and never gets a turn', async () => {
  const takeTurn = openTurns();
  const gate = Promise.withResolvers<void>();
  const first = takeTurn(turnsGoing, () => gate.promise);
  const controller = new AbortController();
  let turns = 0;
  const left = takeTurn(controller.signal, async () => void turns++);
  controller.abort(new Error('stopped'));
  await expect(left).rejects.toThrow('stopped');
  const late = takeTurn(controller.signal, async () => void turns++);
  await expect(late).rejects.toThrow('stopped');
  gate.resolve();
  await first;
  await takeTurn(turnsGoing, async () => {});
  expect(turns).toBe(0);
});

/** Protects a run from running out of open files and ports: it is refused before, with what would help. */

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
