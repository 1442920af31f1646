/** Protects the order of recorded steps that arrive late. */
import { expect, test } from 'vitest';
import { type BrowserAction, browserActionSchema } from '../../../shared/scenario/browser-actions.ts';
import { openStepLog } from './step-log.ts';

const step = (facts: object): BrowserAction => browserActionSchema.parse({ line: null, page: 0, ...facts });
const locator = [{ by: 'selector', selector: '#a' }];
const click = step({ type: 'click', locator, button: 'left', clicks: 1, opens: null });
const fill = (value: string) => step({ type: 'fill', locator, value });

test('a click that is reported late stands where it was done, and typing stays one step', () => {
  const changes: number[] = [];
  const log = openStepLog((from) => changes.push(from));
  const clickedAt = performance.now();
  log.add(step({ type: 'reload' }));
  log.addLate(click, clickedAt, false);
  log.addLate(fill('a'), performance.now(), false);
  log.addLate(fill('ab'), performance.now(), true);
  expect(log.steps().map(({ type }) => type)).toEqual(['click', 'reload', 'fill']);
  expect(log.steps()[2]).toMatchObject({ value: 'ab' });
  expect(changes).toEqual([0, 0, 2, 2]);
});

test('a pop-up belongs to the click before it on the page that opened it', () => {
  const log = openStepLog(() => {});
  log.addLate(click, performance.now(), false);
  log.opened(1, 2);
  expect(log.steps()[0]).toMatchObject({ opens: null });
  log.opened(0, 1);
  expect(log.steps()[0]).toMatchObject({ opens: 1 });
});
