/** Protects values that are taken from hidden inputs. */
import { expect, test } from 'vitest';
import { findInput } from './hidden-input.ts';

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
