/** Protects pages and reports from the names that people give: nothing in a text is markup. */
import { expect, test } from 'vitest';
import { escapeMarkup } from './escape-markup.ts';

test('a text with markup, quotes and control characters is text', () => {
  expect(escapeMarkup('<b title="a\'b">1 & 2</b>\u0000\n ü😀')).toBe(
    '&#60;b title=&#34;a&#39;b&#34;&#62;1 &#38; 2&#60;/b&#62; ü😀',
  );
});

test('what XML forbids is replaced', () => {
  expect(escapeMarkup('half \ud800 of a pair, \ufffe and \uffff')).toBe(
    'half \ufffd of a pair, \ufffd and \ufffd',
  );
});
