/** Protects the patterns of a scenario: their first match, and which are refused. */
import { expect, test } from 'vitest';
import { compilePattern } from './pattern.ts';

test.each([
  ['id=(\\d+)', 'x id=12', '12'],
  ['\\d+', 'x id=12', '12'],
  ['\\/orders\\/([^/?#&]+)', 'http://h/orders/a-1?x', 'a-1'],
  ['name="csrf" value="([^"]+)', '<input name="csrf" value="t=">', 't='],
  ['\\[\\-\\.\\$\\{(.)', '[-.${x', 'x'],
  ['(?<token>[a-f]+)', 'xx-abc', 'abc'],
  ['(a)|b', 'b', null],
  ['nothing', 'x', null],
])('the first match of %s in %s is %s', (source, text, value) => {
  expect(compilePattern(source).firstIn(text)).toBe(value);
});

test.each(['a(', '(?=a)', '(a)\\1', '[z-a]'])('%s is refused', (source) => {
  expect(() => compilePattern(source)).toThrow(/error parsing regexp/);
});
