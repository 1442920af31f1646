/** Protects the order of what must not happen at the same time. */
import { expect, test } from 'vitest';
import { openTurns } from './open-turns.ts';

const going = new AbortController().signal;

test('one follows the other, also after a failure', async () => {
  const takeTurn = openTurns();
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = takeTurn(going, async () => {
    log.push('first');
    await gate.promise;
    log.push('first is over');
    throw new Error('first failed');
  });
  const second = takeTurn(going, async () => log.push('second'));
  gate.resolve();
  await expect(first).rejects.toThrow('first failed');
  await second;
  expect(log).toEqual(['first', 'first is over', 'second']);
});

test('whoever waits and is told to end leaves at once, and never has a turn', async () => {
  const takeTurn = openTurns();
  const gate = Promise.withResolvers<void>();
  const first = takeTurn(going, () => gate.promise);
  const controller = new AbortController();
  let turns = 0;
  const left = takeTurn(controller.signal, async () => void turns++);
  controller.abort(new Error('stopped'));
  await expect(left).rejects.toThrow('stopped');
  gate.resolve();
  await first;
  await takeTurn(going, async () => {});
  expect(turns).toBe(0);
});
