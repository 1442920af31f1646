/** Protects the patterns of a scenario: their first match, and which are refused. */
import { expect, test } from 'vitest';
import { TooMuchWork } from './metered-text.ts';
import { compilePattern } from './pattern.ts';
import { patternSize } from './pattern-size.ts';

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

test.each([
  ['\\p{L}{1000}'.repeat(40)],
  ['(?:(?:a{10}){10}){10}'.repeat(20)],
  ['[a-z]{600}[^\\]]{600}'],
  ['\\pL|'.repeat(120)],
])('%s is refused before it is compiled, with what to do', (source) => {
  expect(patternSize(source)).toBeGreaterThan(1000);
  expect(() => compilePattern(source)).toThrow(/^the pattern is too large: .* Use fewer or smaller repeats$/);
});

test.each([
  ['a{3}b', 4],
  ['(?:ab{2,5}){10,}', 90],
  ['[]{9}]{2}\\{7}', 5],
  ['\\Q{9}\\E', 7],
  ['x*y+z?', 3],
  ['\\p{Lu}{5}', 14],
])('%s is known to have %i parts', (source, parts) => {
  expect(patternSize(source)).toBe(parts);
});

const mebibyte = 2 ** 20;

test.each([
  ['(\\p{L}{100})\\d', 'a'],
  ['[a-c]*a[ab]{300}[cd]', 'ab'],
  ['(?:(?:a?){10}){9}[bd]', 'ac'],
])('%s is given up in a long text, by work and not by time', (source, text) => {
  const search = () => compilePattern(source).firstIn(text.repeat(mebibyte / text.length));
  expect(search).toThrow(TooMuchWork);
});

test('a pattern that begins with literal text is found at the end of a mebibyte', () => {
  const page = `${'<p class="x">nothing here</p>'.repeat(36_000)}<input name="csrf" value="t=">`;
  expect(compilePattern('name="csrf" value="([^"]+)').firstIn(page)).toBe('t=');
});
