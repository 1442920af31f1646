/** Protects JSON paths: what they lead to, and which are refused. */
import { expect, test } from 'vitest';
import { compileJsonPath } from './json-path.ts';

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

test.each(['$.a[', '$[?match(@.a, "b")]', '$..a..b..c', '$x'])('%s is refused', (path) => {
  expect(() => compileJsonPath(path)).toThrow();
});
