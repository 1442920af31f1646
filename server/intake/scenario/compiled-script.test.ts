/** Protects JSON paths: what they lead to, and which are refused. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a variable

import { expect, test } from 'vitest';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { originOf } from '../../base/addresses/origin.ts';
import { compileJsonPath, compileScript, fillOrigin, findInput, sendsOrigin } from './compiled-script.ts';
import { TooMuchWork } from './pattern.ts';
import { scenarioProblems } from './scenario-problems.ts';

const json = {
  items: [
    { id: 1, tags: ['a'] },
    { id: 2, 'odd key': null },
  ],
};

test.each([
  ['$.items[*].id', [1, 2]],
  ['$.items[-1].id', [2]],
  ['$..id', [1, 2]],
  ["$.items[1]['odd key']", [null]],
  ['$.items[?@.id > 1].id', [2]],
  ['$.items[?length(@.tags) == 1].id', [1]],
  ['$.none', []],
])('%s leads to %j', (path, values) => {
  expect([...compileJsonPath(path).valuesIn(json)]).toEqual(values);
});

test('a body that is not JSON has nothing anywhere', () => {
  expect([...compileJsonPath('$').valuesIn(undefined)]).toEqual([]);
});

test('a body nested deeper than can be descended has nothing, and nothing is thrown', () => {
  const depth = 5000;
  const nested: unknown = JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`);
  expect([...compileJsonPath('$..a').valuesIn(nested)]).toEqual([]);
});

test.each<[string, unknown]>([
  [
    '$[?@[?@.a == 1 || @[?@.b]]]',
    Array.from({ length: 300 }, () => Array.from({ length: 1000 }, () => [{}])),
  ],
  [`$${'[0,0]'.repeat(40)}.x`, JSON.parse(`${'['.repeat(45)}1${']'.repeat(45)}`)],
  [`$[?@${'[0,0]'.repeat(40)}.x]`, JSON.parse(`${'['.repeat(45)}1${']'.repeat(45)}`)],
  ['$..*..x', Array.from({ length: 4000 }, () => JSON.parse(`${'['.repeat(45)}1${']'.repeat(45)}`))],
])('%s is given up in a response that has it come by too much', (path, large) => {
  expect(() => [...compileJsonPath(path).valuesIn(large)]).toThrow(TooMuchWork);
});

test('all of a mebibyte is looked at, as often as it is asked for', () => {
  const path = compileJsonPath('$..[?@.id == 39999].id');
  const large = Array.from({ length: 40_000 }, (_, id) => ({ id, on: true }));
  for (let nth = 0; nth < 3; nth++) expect([...path.valuesIn(large)]).toEqual([39_999]);
});

test.each(['$[?count($..*) > 1]', '$.a[?@.b[?@.c == $.d]]', '$[?length($.s) == 1]'])(
  '%s is refused: it looks at the whole for each value',
  (path) => {
    expect(() => compileJsonPath(path)).toThrow('a filter begins with @');
  },
);

test.each(['$.a[', '$[?match(@.a, "b")]', '$..a..b..c', '$x'])('%s is refused', (path) => {
  expect(() => compileJsonPath(path)).toThrow();
});

/** Protects values that are taken from hidden inputs. */

test.each([
  ['<input type="hidden" name="csrf" value="abc">', 'abc'],
  ["<INPUT VALUE='abc' NAME='csrf' TYPE=hidden />", 'abc'],
  ['<input name=csrf value=abc>', 'abc'],
  ['<input\n  name = "csrf"\n  value = "a&quot;b&#43;&amp;amp;">', 'a"b+&amp;'],
  ['<input name="csrf" value="first"><input name="csrf" value="second">', 'first'],
  ['<input name="csrf">', ''],
  ['<!-- <input name="csrf" value="comment"> --><input name="csrf" value="real">', 'real'],
  ['<script>"<input name=csrf value=script>"</script><input name="csrf" value="real">', 'real'],
  ['<input name="x" value="a > b"><input name="csrf" value="c > d">', 'c > d'],
  ['<input data-name="csrf" value="no"><select name="csrf">', null],
  ['<input name="csrf" value="cut off', null],
])('%s', (html, value) => {
  expect(findInput(html, 'csrf')).toBe(value);
});

/** Protects `${origin}`: each side sends its own origin, written as the place needs it, and requests stay as cheap as before. */

const step = {
  ...{ name: 'Send', method: 'POST' as const, path: '/go?to=${origin}&as=$${origin}' },
  headers: { origin: '${origin}', referer: '${origin}/form?a=1', 'content-type': 'application/json' },
  body: '{"from":"${origin}"}',
};
const scenario = scenarioSchema.parse({
  name: 'Own',
  steps: [step, { name: 'Other', method: 'GET', path: '/' }],
});

test.each([
  ['127.0.0.1', 8080, 'http', 'http://127.0.0.1:8080', 'http%3A%2F%2F127.0.0.1%3A8080'],
  ['shop.example', 443, 'https', 'https://shop.example', 'https%3A%2F%2Fshop.example'],
  ['::1', 8443, 'https', 'https://[::1]:8443', 'https%3A%2F%2F%5B%3A%3A1%5D%3A8443'],
  ['fd00::7', 80, 'http', 'http://[fd00::7]', 'http%3A%2F%2F%5Bfd00%3A%3A7%5D'],
] as const)('At %s:%i over %s it is %s', (hostname, port, transport, origin, inPath) => {
  const filled = fillOrigin(scenario, originOf({ hostname, port, transport }));
  expect(filled.steps[0]).toMatchObject({
    path: `/go?to=${inPath}&as=$\${origin}`,
    headers: { origin, referer: `${origin}/form?a=1` },
    body: `{"from":"${origin}"}`,
  });
  expect(filled.steps[1]).toBe(scenario.steps[1]);
});

test('A scenario that only sends its origin is sent as fixed bytes', () => {
  const { path: _, ...fixed } = step;
  const steps = [{ ...fixed, path: '/' }];
  expect(compileScript(fillOrigin(scenarioSchema.parse({ name: 'Own', steps }), 'http://s'))).toBeNull();
});

test('Nobody has to set it, and a variable of that name that a scenario sets is its own', () => {
  expect(scenarioProblems(scenario)).toEqual([]);
  expect(sendsOrigin(scenario)).toBe(true);
  const own = scenarioSchema.parse({ ...scenario, data: { columns: ['origin'], rows: [['mine']] } });
  expect(fillOrigin(own, 'http://s')).toBe(own);
  expect(sendsOrigin(own)).toBe(false);
});
