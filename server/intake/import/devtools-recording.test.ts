/** Protects the import of a DevTools recording: its steps become actions, or are named. */
import { expect, test } from 'vitest';
import { browserActionSchema } from '../../../shared/scenario/browser-actions.ts';
import { parseDevtoolsRecording } from './devtools-recording.ts';
import { stepTypes } from './recording-schema.ts';

const selector = (css: string) => ({ by: 'selector', selector: css });
const first = { by: 'nth', index: 0 };
const exact = (text: string) => ({ type: 'text', text, exact: true });

function read(...steps: object[]) {
  const recording = parseDevtoolsRecording({ title: 'It', steps });
  for (const action of recording.actions) expect(browserActionSchema.parse(action)).toEqual(action);
  return recording;
}

/** The action of a step, without its place. */
function actionOf(step: object) {
  const { actions, unsupported } = read(step);
  expect(unsupported).toEqual([]);
  expect(actions).toHaveLength(1);
  const [{ line: _line, page: _page, ...action } = { line: 0, page: 0 }] = actions;
  return action;
}

const at = { selectors: [['#a']] };
const located = { locator: [selector('#a'), first] };
const click = { type: 'click', ...located, button: 'left', clicks: 1, opens: null };

test.each<[object, object]>([
  [
    { type: 'setViewport', width: 1051.4, height: 935 },
    { type: 'viewport', width: 1051, height: 935 },
  ],
  [
    { type: 'navigate', url: 'https://s/' },
    { type: 'goto', url: 'https://s/' },
  ],
  [{ type: 'click', ...at }, click],
  [
    { type: 'click', ...at, offsetX: 2, offsetY: 3.5, duration: 400 },
    { ...click, position: { x: 2, y: 3.5 }, holdMs: 400 },
  ],
  [
    { type: 'doubleClick', ...at, button: 'secondary' },
    { ...click, clicks: 2, button: 'right' },
  ],
  [
    { type: 'change', ...at, value: 'x' },
    { type: 'change', ...located, value: 'x' },
  ],
  [
    { type: 'hover', ...at },
    { type: 'hover', ...located },
  ],
  [{ type: 'close' }, { type: 'close_page' }],
  [
    { type: 'keyDown', key: 'Shift' },
    { type: 'key_down', key: 'Shift' },
  ],
  [
    { type: 'keyUp', key: 'Shift' },
    { type: 'key_up', key: 'Shift' },
  ],
  [
    { type: 'scroll', y: 300 },
    { type: 'scroll', locator: null, x: 0, y: 300 },
  ],
  [
    { type: 'scroll', ...at, x: 5 },
    { type: 'scroll', ...located, x: 5, y: 0 },
  ],
  [
    { type: 'waitForElement', ...at },
    { type: 'expect_elements', locator: [selector('#a')], count: 1, operator: '>=', attributes: {} },
  ],
  [
    { type: 'waitForElement', ...at, count: 3, operator: '<=', visible: false, attributes: { class: 'on' } },
    {
      type: 'expect_elements',
      locator: [selector('#a')],
      count: 3,
      operator: '<=',
      attributes: { class: 'on' },
      negated: true,
    },
  ],
  [
    { type: 'click', ...at, assertedEvents: [{ type: 'navigation', url: 'https://s/2' }] },
    { ...click, navigates: true },
  ],
])('%o is done', (step, action) => {
  expect(actionOf(step)).toEqual(action);
});

test.each<[string | string[], object[]]>([
  ['#a >>> b', [selector('#a b')]],
  [
    ['my-card', 'button'],
    [selector('my-card'), selector('button')],
  ],
  ['pierce/#a', [selector('#a')]],
  ['xpath///nav/a[2]', [selector('xpath=//nav/a[2]')]],
  ['text/Buy (2)', [{ by: 'text', match: { type: 'pattern', pattern: 'Buy\\s+\\(2\\)', flags: '' } }]],
  ['aria/Log  in[role="button"]', [{ by: 'role', role: 'button', name: exact('Log in') }]],
  ['aria/[role="main"]', [{ by: 'role', role: 'main', name: null }]],
  [`aria/[name='It is'][role='link']`, [{ by: 'role', role: 'link', name: exact('It is') }]],
  [
    ['#host', 'aria/Name'],
    [selector('#host'), { by: 'label', match: exact('Name') }],
  ],
])('the selector %j', (given, parts) => {
  expect(actionOf({ type: 'hover', selectors: [given] })).toEqual({
    type: 'hover',
    locator: [...parts, first],
  });
});

test('several selectors are tried in turn, those first that a reader would write', () => {
  const selectors = [['nav > a'], ['xpath///a'], ['text/Go'], ['aria/Go[role="link"]'], ['::-p-aria(Go)']];
  expect(actionOf({ type: 'hover', selectors })).toMatchObject({
    locator: [{ by: 'role' }, first],
    otherwise: [
      [{ by: 'text' }, first],
      [selector('nav > a'), first],
      [selector('xpath=//a'), first],
    ],
  });
});

test('a frame is entered by its place, also by what scrolls it', () => {
  const frame = [0, 2];
  const inside = [0, 2].flatMap((index) => [
    { by: 'frame', selector: 'iframe, frame' },
    { by: 'nth', index },
  ]);
  expect(actionOf({ type: 'hover', selectors: ['b'], frame })).toMatchObject({
    locator: [...inside, selector('b'), first],
  });
  expect(actionOf({ type: 'scroll', y: 9, frame })).toMatchObject({
    locator: [...inside, selector(':root')],
  });
});

const down = (key: string) => ({ type: 'keyDown', key });
const up = (key: string) => ({ type: 'keyUp', key });

test.each<[object[], string[]]>([
  [[down('Enter'), up('Enter')], ['press Enter']],
  [[down('Control'), down('a'), up('a'), up('Control')], ['press Control+a']],
  [
    [down('ControlLeft'), down('Shift'), down('K'), up('ControlLeft'), up('K'), up('Shift')],
    ['press Control+Shift+K'],
  ],
  [[down('Shift'), up('Shift')], ['press Shift']],
  [
    [down('Shift'), { type: 'click', ...at }, up('Shift')],
    ['key_down Shift', 'click ', 'key_up Shift'],
  ],
  [
    [down('Enter'), down('Tab'), up('Tab')],
    ['key_down Enter', 'press Tab'],
  ],
])('keys that go down and up together are one chord: %j', (steps, actions) => {
  expect(
    read(...steps).actions.map((action) => `${action.type} ${'key' in action ? action.key : ''}`),
  ).toEqual(actions);
});

test('another window is the one that the last click opened', () => {
  const { actions, unsupported } = read(
    { type: 'click', ...at },
    { type: 'setViewport', width: 9, height: 9, target: 'https://s/popup' },
    { type: 'click', ...at, target: 'https://s/popup' },
    { type: 'hover', ...at, target: 'main' },
    { type: 'close', target: 'https://s/popup' },
  );
  expect(unsupported).toEqual([]);
  expect(actions.map(({ page }) => page)).toEqual([0, 1, 1, 0, 1]);
  expect(actions[0]).toMatchObject({ opens: 1 });
  expect(read({ type: 'hover', ...at, target: 'https://s/popup' }).unsupported).toEqual([
    { line: 1, reason: 'Step 1 is in another window, and no click before it could have opened one.' },
  ]);
});

test.each<[unknown, string]>([
  [{ type: 'waitForExpression', expression: 'alert(1)' }, 'runs code in the page, which is not supported'],
  [{ type: 'customStep', name: 'pay', parameters: {} }, 'is the custom step “pay”, which is not supported'],
  [
    { type: 'emulateNetworkConditions', download: 1, upload: 1, latency: 1 },
    'changes the network, which a run must not',
  ],
  [
    { type: 'click', ...at, button: 'back' },
    'clicks with the back button of the mouse, which is not supported',
  ],
  [
    { type: 'waitForElement', ...at, properties: { checked: true } },
    'checks properties of an element, which is not supported. Use attributes instead',
  ],
  [{ type: 'keyDown', key: 'Power' }, 'presses the key “Power”, which is not supported'],
  [{ type: 'click', selectors: ['::-p-text(x)'] }, 'has no supported selector'],
  [{ type: 'swipe' }, 'has the type swipe, which is not supported'],
  [{ type: 'navigate', url: 7 }, 'has a mistake at url: expected a text'],
  [
    { type: 'click', selectors: ['#a', 7] },
    'has a mistake at selectors.1: expected a text or a list of texts',
  ],
  [{ type: 'click', selectors: [] }, 'has a mistake at selectors: expected at least one selector'],
  [{ type: 'hover', ...at, frame: ['x'] }, 'has a mistake at frame.0: expected a whole number'],
  [{ type: 'waitForElement', ...at, operator: '>' }, 'has a mistake at operator: expected >=, == or <='],
  [{ type: 'setViewport', width: '9', height: 9 }, 'has a mistake at width: expected a number'],
  [{ selectors: ['#a'] }, 'has no type'],
  [7, 'is not an object'],
])('%o is named at its place, and the steps around it stand', (step, reason) => {
  const { actions, unsupported } = parseDevtoolsRecording({
    steps: [{ type: 'navigate', url: 'http://s/' }, step, { type: 'close' }],
  });
  expect(unsupported).toEqual([{ line: 2, reason: `Step 2 ${reason}.` }]);
  expect(actions.map(({ line }) => line)).toEqual([1, 3]);
});

test('what sends nothing is listed', () => {
  const phone = {
    type: 'setViewport',
    width: 9,
    height: 9,
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 2,
  };
  expect(read(phone, { type: 'click', ...at, deviceType: 'touch', timeout: 9 }).notes).toEqual([
    'Left out, because it sends nothing: a phone instead of a desktop (step 1), deviceScaleFactor (step 1), timeout (step 2), a touch instead of a mouse (step 2).',
  ]);
});

test('every type of step of the known version is read', () => {
  expect(stepTypes.toSorted()).toEqual([
    ...[
      'change',
      'click',
      'close',
      'customStep',
      'doubleClick',
      'emulateNetworkConditions',
      'hover',
      'keyDown',
      'keyUp',
    ],
    ...['navigate', 'scroll', 'setViewport', 'waitForElement', 'waitForExpression'],
  ]);
});

test('A JSON that is no recording is refused', () => {
  expect(() => parseDevtoolsRecording({ log: { entries: [] } })).toThrow('not a DevTools recording');
});
