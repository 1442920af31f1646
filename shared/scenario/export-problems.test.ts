/** Protects exported scripts from looking for something else than the scenario: what they cannot follow is named. */

import { expect, test } from 'vitest';
import { exportProblems, jsonPathParts, scriptPattern } from './export-problems.ts';
import { scenarioSchema } from './scenario.ts';

const step = {
  name: 'Orders',
  method: 'GET',
  path: '/',
  checks: [{ type: 'json_path', path: '$.orders[?@.paid].id' }],
  extract: [{ from: 'regex', variable: 'id', pattern: 'id=([[:alpha:]]+)' }],
};
const scenario = scenarioSchema.parse({ name: 'a', steps: [step] });

test('a script that runs in another engine is refused for what that does not have, by step', () => {
  for (const format of ['k6', 'playwright'] as const) {
    expect(exportProblems(scenario, format)).toEqual([
      expect.stringMatching(/^Orders: the JSON path \$\.orders\[\?@\.paid\]\.id chooses/),
      expect.stringMatching(/^Orders: JavaScript has no pattern like id=/),
    ]);
  }
});

test('formats that keep a path as it is, and steps that are off, have no problems', () => {
  for (const format of ['har', 'json', 'curl'] as const) expect(exportProblems(scenario, format)).toEqual([]);
  const off = scenarioSchema.parse({ name: 'a', steps: [step, { ...step, enabled: false }] });
  expect(exportProblems(off, 'k6')).toHaveLength(2);
});

test.each([
  ['/orders/(\\d+)', '/orders/(\\d+)', ''],
  ['(?i)token=(\\w+)', 'token=(\\w+)', 'i'],
  ['(?P<id>\\d+)', '(?<id>\\d+)', ''],
  ['(?:a|b)c', '(?:a|b)c', ''],
])('%s is the pattern %s with the flags “%s”', (pattern, source, flags) => {
  expect(scriptPattern(pattern)).toEqual({ source, flags });
});

test.each(['\\Aid', 'id\\z', '[[:alpha:]]', '\\pL+', 'a(?i)b', 'a(?i:b)', '\\Qa\\E', '('])(
  '%s has no counterpart in JavaScript',
  (pattern) => expect(scriptPattern(pattern)).toBeNull(),
);

/** Protects the paths that a script can follow: names and indices, and nothing that chooses. */

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
