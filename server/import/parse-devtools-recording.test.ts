/** Protects the import of a DevTools recording: its steps become actions, or are named. */
import { expect, test } from 'vitest';
import { browserActionSchema } from '../../shared/browser-actions.ts';
import { parseDevtoolsRecording } from './parse-devtools-recording.ts';

const recording = {
  title: 'Search',
  steps: [
    {
      type: 'setViewport',
      width: 1051,
      height: 935,
      deviceScaleFactor: 1,
      isMobile: false,
      hasTouch: false,
      isLandscape: false,
    },
    {
      type: 'navigate',
      url: 'https://shop.example/',
      assertedEvents: [{ type: 'navigation', url: 'https://shop.example/', title: 'Shop' }],
    },
    {
      type: 'click',
      target: 'main',
      selectors: [
        ['aria/Search[role="link"]'],
        ['nav > a:nth-of-type(2)'],
        ['xpath///nav/a[2]'],
        ['text/Search'],
      ],
      offsetY: 9,
      offsetX: 22,
    },
    { type: 'change', value: 'lamp', selectors: [['aria/Words'], ['#q']], target: 'main' },
    { type: 'keyDown', target: 'main', key: 'Enter' },
    { type: 'keyUp', key: 'Enter', target: 'main' },
    { type: 'waitForElement', selectors: ['ul.results > li'], count: 3, operator: '==' },
    { type: 'doubleClick', selectors: [['my-card', 'button']], button: 'secondary', target: 'main' },
    { type: 'scroll', target: 'main', x: 0, y: 300 },
    { type: 'waitForExpression', expression: 'alert(1)' },
    { type: 'click', selectors: [['#pay']], frame: [0] },
    { type: 'customStep', name: 'x', parameters: {} },
  ],
};

test('The steps of a recording of DevTools become actions, and the others are named', () => {
  const { name, actions, unsupported } = parseDevtoolsRecording(recording);
  expect(name).toBe('Search');
  for (const action of actions) expect(browserActionSchema.parse(action)).toEqual(action);
  expect(actions).toMatchObject([
    { line: 1, type: 'viewport', width: 1051, height: 935 },
    { line: 2, type: 'goto', url: 'https://shop.example/' },
    {
      line: 3,
      type: 'click',
      locator: [{ by: 'role', role: 'link', name: { text: 'Search', exact: true } }],
    },
    { line: 4, type: 'fill', value: 'lamp', locator: [{ by: 'selector', selector: '#q' }] },
    { line: 5, type: 'press', key: 'Enter', locator: null },
    { line: 7, type: 'expect_count', count: 3 },
    { line: 8, type: 'click', clicks: 2, button: 'right', locator: [{ selector: 'my-card button' }] },
  ]);
  expect(unsupported.map(({ line }) => line)).toEqual([9, 10, 11, 12]);
  expect(unsupported[1]?.reason).toBe('Step 10 runs code in the page, which is not supported.');
});

test('A JSON that is no recording is refused', () => {
  expect(() => parseDevtoolsRecording({ log: { entries: [] } })).toThrow('not a DevTools recording');
});
