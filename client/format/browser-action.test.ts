/** Protects the words for actions in a browser. */
import { expect, test } from 'vitest';
import { type BrowserAction, browserActionSchema } from '../../shared/scenario/browser-actions.ts';
import { describeAction } from './browser-action.ts';

function action(facts: object): BrowserAction {
  return browserActionSchema.parse({ line: null, page: 0, ...facts });
}

test('actions are described in the words of the person who did them', () => {
  const button = [{ by: 'role', role: 'button', name: { type: 'text', text: 'Search' } }];
  const field = [
    { by: 'frame', selector: 'iframe' },
    { by: 'role', role: 'textbox', name: { type: 'text', text: 'Name' } },
    { by: 'nth', index: 0 },
  ];
  expect(
    [
      { type: 'goto', url: 'http://shop.example/' },
      { type: 'click', locator: button, button: 'left', clicks: 1, opens: 1 },
      { type: 'fill', locator: field, value: 'ann' },
      { type: 'press', locator: field, key: 'Control+A' },
      { type: 'select_option', locator: field, options: ['a', 'b'] },
      { type: 'expect_visible', locator: [{ by: 'text', match: { type: 'text', text: 'Welcome' } }] },
    ].map((facts) => describeAction(action(facts))),
  ).toEqual([
    'Open http://shop.example/',
    'Click the button “Search”, which opens a tab',
    'Type “ann” into the field “Name”',
    'Press Control+A',
    'Choose “a”, “b” in the field “Name”',
    'Check that “Welcome” is there',
  ]);
});
