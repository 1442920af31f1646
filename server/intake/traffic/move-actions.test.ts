/** Protects actions that move to another origin, and the problem where there is no address. */
import { expect, test } from 'vitest';
import { type BrowserAction, browserActionSchema } from '../../../shared/scenario/browser-actions.ts';
import { moveActions } from './move-actions.ts';

const action = (facts: object): BrowserAction => browserActionSchema.parse({ line: 1, page: 0, ...facts });
const open = (url: string) => action({ type: 'goto', url });
const urls = (actions: BrowserAction[]) => actions.map((each) => ('url' in each ? each.url : ''));

test('what was at the first origin is at the other one, and what was elsewhere stays', () => {
  const { actions, url } = moveActions(
    [
      open('https://shop.example/a?b'),
      open('https://shop.example.org/'),
      action({ type: 'expect_url', match: { type: 'text', text: 'https://shop.example/c' } }),
    ],
    'http://127.0.0.1:8080',
  );
  expect(url).toBe('http://127.0.0.1:8080/a?b');
  expect(urls(actions)).toEqual(['http://127.0.0.1:8080/a?b', 'https://shop.example.org/', '']);
  expect(actions[2]).toMatchObject({ match: { text: 'http://127.0.0.1:8080/c' } });
});

test('a path belongs to the origin that is given, and without one it is refused', () => {
  expect(urls(moveActions([open('/a'), open('/b')], 'http://127.0.0.1:1').actions)).toEqual([
    'http://127.0.0.1:1/a',
    'http://127.0.0.1:1/b',
  ]);
  expect(() => moveActions([open('/a')], null)).toThrow('names no host');
  expect(() => moveActions([open('http://[')], 'http://127.0.0.1:1')).toThrow('is no address');
  expect(() => moveActions([action({ type: 'reload' })], null)).toThrow('open no address');
});
