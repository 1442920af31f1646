/** Protects JSON paths: what they lead to, and which are refused. */
import { expect, test } from 'vitest';
import { compileJsonPath } from './json-path.ts';
import { TooMuchWork } from './pattern.ts';

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
