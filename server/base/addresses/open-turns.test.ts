/** Protects turns: tasks that must not overlap run one after another. */
import { expect, test } from 'vitest';
import { openTurns } from './open-turns.ts';

const going = new AbortController().signal;

test('a task starts after the one before it, even if that one failed', async () => {
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

test('a waiting task that is aborted leaves at once and never gets a turn', async () => {
  const takeTurn = openTurns();
  const gate = Promise.withResolvers<void>();
  const first = takeTurn(going, () => gate.promise);
  const controller = new AbortController();
  let turns = 0;
  const left = takeTurn(controller.signal, async () => void turns++);
  controller.abort(new Error('stopped'));
  await expect(left).rejects.toThrow('stopped');
  const late = takeTurn(controller.signal, async () => void turns++);
  await expect(late).rejects.toThrow('stopped');
  gate.resolve();
  await first;
  await takeTurn(going, async () => {});
  expect(turns).toBe(0);
});
