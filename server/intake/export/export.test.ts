/** Protects what is exported: it reads back as the same scenario, and holds no secret. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a variable
import { parse } from '@babel/parser';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import { actionProblems } from '../../../shared/scenario/export-problems.ts';
import type { Locator } from '../../../shared/scenario/locator.ts';
import { type Scenario, scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { exchangeInTest } from '../../testing/exchange-in-test.ts';
import { redactExchanges } from '../../testing/redact-exchanges.ts';
import { runK6Script } from '../../testing/run-exported.ts';
import { parseCurl } from '../import/curl-commands.ts';
import { readHarEntry } from '../import/har-entries.ts';
import { parsePlaywrightTest } from '../import/playwright-test.ts';
import { parseTemplate } from '../scenario/template.ts';
import { writeCurl } from './exported-curl.ts';
import { moveActions, writeHar, writeScenario } from './exported-har.ts';
import { writeK6Script, writePlaywrightRequests } from './exported-requests.ts';
import { writePlaywrightTest } from './exported-test.ts';
import { asJavaScript } from './written-values.ts';

const nasty = 'it\'s `a` ${x \\ "q" </script> \n é \u2028 end';
/** Text that is typed in a browser is no template. */
const typed = `${nasty} \${y} $\${z} \${secret:pin}`;
const button: Locator = [
  { by: 'role', role: 'list', name: null },
  { by: 'has_text', match: { type: 'text', text: nasty, exact: false } },
  { by: 'role', role: 'button', name: { type: 'text', text: 'Buy', exact: true } },
  { by: 'nth', index: -1 },
];
const field: Locator = [
  { by: 'frame', selector: '#sheet' },
  { by: 'label', match: { type: 'pattern', pattern: 'a/b\\/[/]', flags: 'i' } },
];
const at = { line: null, page: 0 };
const actions: BrowserAction[] = [
  { ...at, type: 'viewport', width: 800, height: 600 },
  { ...at, type: 'goto', url: 'https://shop.example/?q=1' },
  { ...at, type: 'fill', locator: field, value: '${secret:password}' },
  { ...at, type: 'type_text', locator: field, value: typed },
  { ...at, type: 'press', locator: field, key: 'Enter' },
  { ...at, type: 'press', locator: null, key: 'Escape' },
  { ...at, type: 'click', locator: button, button: 'right', clicks: 3, opens: 1 },
  {
    ...at,
    type: 'check',
    page: 1,
    locator: [{ by: 'test_id', match: { type: 'text', text: 'x', exact: true } }],
  },
  { ...at, type: 'close_page', page: 1 },
  { ...at, type: 'select_option', locator: [{ by: 'selector', selector: "[a='b']" }], options: ['DE', 'AT'] },
  { ...at, type: 'pause', durationMs: 250 },
  {
    ...at,
    type: 'expect_text',
    locator: button,
    match: { type: 'text', text: nasty, exact: true },
    contains: false,
  },
  { ...at, type: 'expect_count', locator: button, count: 3 },
  { ...at, type: 'expect_hidden', locator: button },
  {
    ...{ ...at, type: 'click', locator: button, button: 'right', clicks: 1, opens: null, holdMs: 80 },
    ...{ modifiers: ['Shift'], position: { x: 3, y: -4 }, force: true },
  },
  {
    ...{ ...at, type: 'hover' },
    locator: [
      ...button,
      { by: 'role', role: 'row', name: null, states: { checked: true, pressed: 'mixed', level: 2 } },
      { by: 'has', locator: [{ by: 'text', match: { type: 'text', text: nasty, exact: true } }] },
      { by: 'has_not', locator: [{ by: 'test_id', match: { type: 'text', text: 'x', exact: true } }] },
      {
        by: 'or',
        locator: [
          { by: 'frame', selector: '#f' },
          { by: 'selector', selector: 'i' },
        ],
      },
      {
        by: 'within_each',
        locator: [{ by: 'selector', selector: 'b' }, { by: 'content_frame' }, { by: 'owner' }],
      },
      { by: 'visible', visible: false },
    ],
  },
  { ...at, type: 'select_option', locator: button, options: [{ label: nasty }, 'x', { index: 2 }] },
  { ...at, type: 'drag', locator: button, target: button, from: { x: 1, y: 2 } },
  { ...at, type: 'key_down', key: 'Shift' },
  { ...at, type: 'type_keys', value: nasty },
  { ...at, type: 'mouse_click', x: 5, y: -6, button: 'middle', clicks: 2 },
  { ...at, type: 'wheel', deltaX: 0, deltaY: -300 },
  { ...at, type: 'answer_dialog', accept: true, text: nasty, every: false },
  { ...at, type: 'extra_headers', headers: [['x-a', nasty]] },
  { ...at, type: 'emulate_media', colorScheme: 'dark', reducedMotion: 'reduce' },
  { ...at, type: 'expect_state', locator: button, state: 'focused', negated: true },
  { ...at, type: 'expect_attribute', locator: button, name: 'href', match: null },
  { ...at, type: 'expect_url', match: { type: 'pattern', pattern: 'orders', flags: '' } },
];

const scenario: Scenario = scenarioSchema.parse({
  id: 'search',
  name: nasty.replaceAll('\n', ' '),
  cookies: true,
  data: { columns: ['word'], rows: [[nasty], ['b']] },
  steps: [
    {
      name: 'Form',
      method: 'GET',
      path: '/form?w=${word}',
      thinkTimeMs: 500,
      checks: [
        { type: 'body_contains', text: nasty },
        { type: 'json_path', path: "$.a[0]['b.c']", equals: 'x' },
      ],
      extract: [
        { from: 'hidden_input', variable: 'token', name: 'a"b' },
        { from: 'regex', variable: 'meta', pattern: 'content="([^"]+)' },
        { from: 'json_path', variable: 'id', path: '$.items[1].id' },
        { from: 'header', variable: 'order', name: 'location', pattern: '/orders/(\\d+)' },
      ],
    },
    {
      name: 'Send',
      method: 'POST',
      path: '/form/${order}',
      headers: { 'content-type': 'text/plain', authorization: 'Bearer ${secret:api_token}' },
      body: `token=\${token}&${nasty}`,
      expectStatus: 302,
    },
  ],
});

test('A written Playwright test reads back as the same actions', () => {
  const { actions: again, unsupported } = parsePlaywrightTest(writePlaywrightTest(nasty, actions));
  expect(unsupported).toEqual([]);
  expect(again.map((action) => ({ ...action, line: null }))).toEqual(actions);
});

test('Actions move to another address with all that belongs to the first one', () => {
  const visits: BrowserAction[] = [
    { ...at, type: 'goto', url: 'http://127.0.0.1:41001/?q=1' },
    { ...at, type: 'goto', url: 'http://127.0.0.1:410011/' },
    { ...at, type: 'expect_url', match: { type: 'text', text: 'http://127.0.0.1:41001/cart', exact: false } },
  ];
  const moved = moveActions(visits, 'https://shop.test');
  expect(JSON.stringify(moved).match(/http[^"]*/g)).toEqual([
    'https://shop.test/?q=1',
    'http://127.0.0.1:410011/',
    'https://shop.test/cart',
  ]);
  expect(moveActions([{ ...at, type: 'goto', url: 'about:blank' }], 'https://shop.test')).toHaveLength(1);
});

test('A written Playwright test names secrets by the environment', () => {
  const text = writePlaywrightTest('t', actions);
  expect(text).toContain("fill(`${process.env.password ?? ''}`)");
  expect(text).toContain(
    "expect(process.env.password, 'Set the environment variable password.').toBeDefined();",
  );
  expect(text).not.toContain('secret:');
});

test('A k6 script is a program, and sends what the scenario sends', () => {
  const text = writeK6Script(scenario, 'http://127.0.0.1:8080');
  expect(parse(text, { sourceType: 'module' }).errors).toEqual([]);
  const sent = runK6Script(text);
  expect(sent).toMatchObject([
    { method: 'GET', url: `http://127.0.0.1:8080/form?w=${encodeURIComponent(nasty)}`, body: null },
    {
      method: 'POST',
      url: 'http://127.0.0.1:8080/form/77',
      body: `token=from-input&${nasty}`,
      options: { headers: { authorization: 'Bearer s3cret' }, redirects: 0 },
    },
  ]);
});

test.each([
  ['application/x-www-form-urlencoded', 'w=a%20%26%22'],
  ['application/json', 'w=a &\\"'],
  ['text/plain', 'w=a &"'],
])('A variable in a body of %s is written as it stands there', (type, body) => {
  const step = { name: 'a', method: 'POST', path: '/', headers: { 'content-type': type }, body: 'w=${w}' };
  const data = { columns: ['w'], rows: [['a &"']] };
  const script = writeK6Script(scenarioSchema.parse({ name: 'a', steps: [step], data }), 'http://s');
  expect(runK6Script(script)[0]?.body).toBe(body);
});

test('Written curl commands read back as the same requests, in the order of the steps', () => {
  const plain = scenarioSchema.parse({
    ...scenario,
    cookies: false,
    steps: [
      { name: 'a\nb', method: 'GET', path: '/a?b=c' },
      {
        name: 'c',
        method: 'POST',
        path: '/x',
        headers: { 'content-type': 'text/plain', 'x-a': ["it's", 'twice'] },
        body: nasty,
      },
      { name: 'd', method: 'DELETE', path: '/x' },
    ],
  });
  const { requests, unsupported } = parseCurl(writeCurl(plain, 'https://shop.example'));
  expect(unsupported).toEqual([]);
  expect(requests).toMatchObject([
    { method: 'GET', url: 'https://shop.example', path: '/a?b=c', body: null },
    {
      method: 'POST',
      body: nasty,
      headers: [
        ['content-type', 'text/plain'],
        ['x-a', "it's"],
        ['x-a', 'twice'],
      ],
    },
    { method: 'DELETE', body: null },
  ]);
});

test('A header with several values is one for clients that send each name once', () => {
  const headers = { 'x-a': ['1', '2'], cookie: ['a=1', 'b=2'] };
  const twice = scenarioSchema.parse({
    name: 'a',
    steps: [{ name: 'a', method: 'GET', path: '/', headers }],
  });
  const joined = { 'x-a': '1, 2', cookie: 'a=1; b=2' };
  expect(runK6Script(writeK6Script(twice, 'http://s'))[0]?.options).toMatchObject({ headers: joined });
  expect(writePlaywrightRequests(twice, 'http://s')).toContain("'x-a': '1, 2', 'cookie': 'a=1; b=2'");
});

test('Variables and secrets are shell variables in curl', () => {
  const text = writeCurl(scenario, 'https://shop.example');
  expect(text).toContain(`'https://shop.example/form/'"$(url_encoded "$order")"`);
  expect(text).toContain(`-H 'authorization: Bearer '"$api_token"`);
  expect(text).toContain('# order: from the header location');
});

test('A script with a secret that nobody gives stops, and says which', () => {
  const script = writeK6Script(scenario, 'http://127.0.0.1:8080');
  expect(() => runK6Script(script, {})).toThrow('The secret api_token has no value.');
  expect(writeCurl(scenario, 'http://127.0.0.1:8080')).toContain(': "${api_token:?is not set}"');
});

test('A written HAR is redacted and reads back', () => {
  const { exchanges } = redactExchanges([
    exchangeInTest({
      method: 'POST',
      path: '/login',
      requestHeaders: [
        ['content-type', 'application/x-www-form-urlencoded'],
        ['cookie', 'sid=abcdef'],
      ],
      requestBody: 'password=hunter2',
      responseHeaders: [
        ['set-cookie', 'sid=ghijkl'],
        ['content-type', 'text/html'],
      ],
      responseBody: 'hunter2',
    }),
  ]);
  const text = writeHar(exchanges, '2026-01-02T03:04:05.000Z');
  for (const secret of ['hunter2', 'abcdef', 'ghijkl']) expect(text).not.toContain(secret);
  expect(readHarEntry(JSON.parse(text).log.entries[0], 1)).toMatchObject({
    exchange: { method: 'POST', path: '/login', requestBody: 'password=${secret:password}', status: 200 },
  });
});

test('Our own JSON reads back as the scenario without its id', () => {
  const { id: _, ...rest } = scenario;
  expect(scenarioSchema.parse(JSON.parse(writeScenario(scenario)))).toEqual(rest);
});

test('Any text is the same text as a literal of JavaScript', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
      const value = `${before}\${v}${after}`;
      const literal = asJavaScript(parseTemplate(value), ({ text }) => text);
      fc.pre(!/\$$/.test(before) && !/\$\$\{|\$\{(secret:)?[A-Za-z_]\w*\}/.test(before + after));
      expect(new Function('v', `return ${literal}`)('V')).toBe(`${before}V${after}`);
    }),
  );
});

test('An address of an action that leads to another host is not exported', () => {
  const goto = (url: string): BrowserAction => ({ ...at, type: 'goto', url });
  const problems = ['/\\10.9.0.3/a', '//10.9.0.3/a', '/\t/10.9.0.3', '\\\\10.9.0.3', 'ftp://s/'].map((url) =>
    actionProblems([goto(url)]),
  );
  expect(problems.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1]);
  expect(problems[0]).toEqual([
    '/\\10.9.0.3/a leads to another host. Write the address with its http:// or https://.',
  ]);
  for (const url of ['/a', 'a', 'http://10.9.0.3/a', '/.//a', '/%5C10.9.0.3'])
    expect(actionProblems([goto(url)])).toEqual([]);
});
