/** Protects the paths that a script can follow: names and indices, and nothing that chooses. */
import { expect, test } from 'vitest';
import { jsonPathParts } from './script-pattern.ts';

test.each([
  ['$', []],
  ['$.a[0].b', ['a', 0, 'b']],
  ["$['a.b']['it\\'s']", ['a.b', "it's"]],
  ['$..a', null],
  ['$.a[*]', null],
  ['$.a[?@.b == 1].c', null],
])('The parts of %s', (path, parts) => {
  expect(jsonPathParts(path)).toEqual(parts);
});
