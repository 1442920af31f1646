/** Protects the order of mouse and keyboard on a slow page: no click waits behind a sweep. */
import type { CDPSession } from 'playwright-core';
import { expect, test } from 'vitest';
import { recorderInputSchema } from '../../../shared/scenario/recorder.ts';
import { openRemoteInput } from './tabs.ts';

/** A page that takes an input only when it is told to. */
function slowPage() {
  const sent: { method: string; x?: number; type?: string; deltaY?: number }[] = [];
  const answers: (() => void)[] = [];
  const session = {
    send(method: string, event: object) {
      sent.push({ method, ...event });
      return new Promise<void>((resolve) => answers.push(resolve));
    },
  };
  return {
    sent,
    session: session as unknown as CDPSession,
    async answer(): Promise<void> {
      answers.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

const input = (facts: object) =>
  recorderInputSchema.parse(facts) as Parameters<ReturnType<typeof openRemoteInput>['take']>[0];
const move = (x: number) => input({ type: 'move', x, y: 1 });
const press = input({ type: 'press', x: 7, y: 7, button: 'left', clicks: 1 });

test('a sweep of the mouse over a slow page never stands before a click', async () => {
  const { sent, session, answer } = slowPage();
  const { take } = openRemoteInput(session);
  for (let x = 0; x < 100; x++) take(move(x));
  take(press);
  expect(sent.map(({ type, x }) => `${type} ${x}`)).toEqual(['mouseMoved 0', 'mousePressed 7']);
  take(move(200));
  take(move(201));
  await answer();
  expect(sent.at(-1)).toMatchObject({ type: 'mouseMoved', x: 201 });
});

test('turns of the wheel are added up while one is under way', async () => {
  const { sent, session, answer } = slowPage();
  const { take } = openRemoteInput(session);
  for (const deltaY of [10, 20, 30]) take(input({ type: 'wheel', x: 1, y: 1, deltaX: 0, deltaY }));
  await answer();
  expect(sent.map(({ deltaY }) => deltaY)).toEqual([10, 50]);
});

test('what comes before the page is ready waits, in its order', async () => {
  const { sent, session } = slowPage();
  const { take, hold } = openRemoteInput(session);
  const ready = Promise.withResolvers<void>();
  hold(ready.promise);
  take(press);
  take(input({ type: 'key_down', key: 'Enter', code: 'Enter', keyCode: 13 }));
  expect(sent).toEqual([]);
  ready.resolve();
  await new Promise(setImmediate);
  expect(sent.map(({ type }) => type)).toEqual(['mousePressed', 'keyDown']);
});
