/** Protects what a virtual user does with variables, cookies, checks and data rows. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a scenario are written like this

import { describe, expect, test } from 'vitest';
import type { ResponseCheck } from '../../../shared/scenario/scenario.ts';
import { responseOf, scenarioOf, userOf } from '../../testing/scenario-in-test.ts';
import { compileScript } from './compiled-script.ts';

describe('a scenario of fixed requests', () => {
  test('has no script', () => {
    expect(compileScript(scenarioOf([{ path: '/a?$b' }, { method: 'POST', body: '{}' }]))).toBeNull();
  });
  test('has no script either when it only brings data', () => {
    expect(compileScript(scenarioOf([{}], { data: { columns: ['a'], rows: [['1']] } }))).toBeNull();
  });
});

test('a step keeps no more of its response than it needs', () => {
  const script = compileScript(
    scenarioOf([
      {},
      { extract: [{ from: 'header', variable: 'a', name: 'location' }] },
      { checks: [{ type: 'body_contains', text: 'x' }] },
    ]),
  );
  expect(script?.steps.map(({ needsHead, needsBody }) => [needsHead, needsBody])).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ]);
});

test('data rows are taken in turn, and from the first again', () => {
  const user = userOf([{ path: '/${q}' }], { data: { columns: ['q'], rows: [['a b'], ['c/d']] } });
  const paths = [0, 1, 2, 5].map((row) => {
    user.beginTransaction(row);
    return user.render(0)?.path;
  });
  expect(paths).toEqual(['/a%20b', '/c%2Fd', '/a%20b', '/c%2Fd']);
});

test('what one response says goes into the next request', () => {
  const user = userOf([
    { extract: [{ from: 'hidden_input', variable: 'token', name: 'csrf' }] },
    {
      method: 'POST',
      path: '/cart',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-token': '${token}' },
      body: 'csrf=${token}',
      extract: [{ from: 'header', variable: 'order', name: 'Location', pattern: '/orders/(\\d+)' }],
    },
    { path: '/orders/${order}' },
  ]);
  expect(user.render(0)).toBeNull();
  expect(user.examine(0, responseOf('<input name="csrf" value="a&amp;b c">'))).toBeNull();
  expect(user.render(1)).toEqual({
    method: 'POST',
    path: '/cart',
    headers: [
      ['Accept', '*/*'],
      ['User-Agent', 'tls-toll'],
      ['content-type', 'application/x-www-form-urlencoded'],
      ['x-token', 'a&b c'],
    ],
    body: Buffer.from('csrf=a%26b+c'),
  });
  expect(user.examine(1, responseOf('', { location: 'http://h/orders/42?x' }))).toBeNull();
  expect(user.render(2)?.path).toBe('/orders/42');
});

describe('cookies', () => {
  test('go back until the next visit begins, beside those of the step', () => {
    const user = userOf([{}, { headers: { Cookie: 'own=1' } }], { cookies: true });
    expect(user.render(0)).toBeNull();
    user.examine(0, responseOf('', {}, ['sid=7; Path=/']));
    expect(user.render(1)?.headers.filter(([name]) => name === 'Cookie')).toEqual([
      ['Cookie', 'own=1; sid=7'],
    ]);
    user.beginTransaction(1);
    expect(user.render(0)).toBeNull();
  });
  test('are not kept where the scenario does not ask for it', () => {
    const user = userOf([{ checks: [{ type: 'body_contains', text: 'x' }] }]);
    user.examine(0, responseOf('x', {}, ['sid=7']));
    expect(user.render(0)).toBeNull();
  });
});

const json = '{"items":[{"id":1,"name":"a"},{"id":2,"name":null}],"ok":true}';
test.each<[ResponseCheck, string, string | null]>([
  [{ type: 'body_contains', text: 'für' }, 'alles für dich', null],
  [{ type: 'body_contains', text: 'für' }, 'alles fur dich', 'the body does not contain “für”'],
  [{ type: 'json_path', path: '$.items[0].id', equals: 1 }, json, null],
  [{ type: 'json_path', path: '$.items[*].id', equals: 2 }, json, null],
  [{ type: 'json_path', path: '$.items[0].id', equals: '1' }, json, 'the body has no "1" at $.items[0].id'],
  [{ type: 'json_path', path: '$.ok', equals: true }, json, null],
  [{ type: 'json_path', path: '$.items[1].name', equals: null }, json, null],
  [{ type: 'json_path', path: '$.nothing', equals: null }, json, 'the body has nothing at $.nothing'],
  [{ type: 'json_path', path: '$.a', equals: null }, 'no json', 'the body has nothing at $.a'],
])('the check %j of %s: %s', (check, body, detail) => {
  const problem = userOf([{ checks: [check] }]).examine(0, responseOf(body));
  expect(problem).toEqual(detail === null ? null : { outcome: 'check_failed', detail });
});

describe('a value that is not there', () => {
  test.each([
    { from: 'header', variable: 'v', name: 'location' },
    { from: 'header', variable: 'v', name: 'x-here', pattern: '(\\d+)' },
    { from: 'regex', variable: 'v', pattern: 'id=(\\d+)' },
    { from: 'json_path', variable: 'v', path: '$.id' },
    { from: 'hidden_input', variable: 'v', name: 'csrf' },
  ] as const)('fails the step: %j', (extraction) => {
    const user = userOf([{ extract: [extraction] }]);
    const problem = user.examine(0, responseOf('<p>{"id":null}</p>', { 'x-here': 'none' }));
    expect(problem?.outcome).toBe('extraction_failed');
    expect(problem?.detail).toMatch(/^no value for \$\{v\}: /);
  });
});

test('a pattern that would take seconds in a long body fails the step, and says so', () => {
  const user = userOf([{ extract: [{ from: 'regex', variable: 'v', pattern: '(\\p{L}{100})\\d' }] }]);
  expect(user.examine(0, responseOf('a'.repeat(2 ** 20)))).toEqual({
    outcome: 'extraction_failed',
    detail: expect.stringMatching(/^no value for \$\{v\}: the text is too long for the pattern\. /),
  });
});

test('a value that would break a header is refused, not sent', () => {
  const user = userOf([
    { extract: [{ from: 'json_path', variable: 'v', path: '$.v' }] },
    { headers: { 'x-v': '${v}' } },
  ]);
  const examined = (value: string) => user.examine(0, responseOf(JSON.stringify({ v: value })))?.outcome;
  expect([examined('fine'), examined('a\r\nHost: b'), examined('Ċ')]).toEqual([
    undefined,
    'extraction_failed',
    'extraction_failed',
  ]);
});

test('of a pattern the first group is taken, else the whole match', () => {
  const user = userOf([
    {
      extract: [
        { from: 'regex', variable: 'a', pattern: 'id=(\\d+)' },
        { from: 'regex', variable: 'b', pattern: 'id=\\d+' },
      ],
    },
    { path: '/${a}/${b}' },
  ]);
  user.examine(0, responseOf('id=7 id=8'));
  expect(user.render(1)?.path).toBe('/7/id%3D7');
});

test('a pattern that stalls other engines ends', () => {
  const user = userOf([{ extract: [{ from: 'regex', variable: 'a', pattern: '(a+)+$' }] }]);
  expect(user.examine(0, responseOf(`${'a'.repeat(5000)}!`))?.outcome).toBe('extraction_failed');
});
