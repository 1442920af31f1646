/** Protects reports and comments in Markdown: text from people stays text, wherever it stands. */
import { marked } from 'marked';
import { expect, test } from 'vitest';
import { plainly, tableOf } from './message.ts';

const rendered = (text: string) => marked.parse(text, { async: false }).trim();

test.each([
  ['1. Login', '1. Login'],
  ['2) Search', '2) Search'],
  ['- item', '- item'],
  [' + item', ' + item'],
  ['-', '-'],
  ['- - -', '- - -'],
  ['---', '---'],
  ['# heading', '# heading'],
  ['> quote', '&gt; quote'],
  ['a &lt;b&gt; &copy;', 'a &amp;lt;b&amp;gt; &amp;copy;'],
  ['**b** _i_ `c` ~~d~~ [a](b) <i>', '**b** _i_ `c` ~~d~~ [a](b) &lt;i&gt;'],
])('%j is a paragraph with the same text', (text, html) => {
  expect(rendered(plainly(text))).toBe(`<p>${html}</p>`);
});

test.each(['===', '---', '='])('%j below a line does not make it a heading', (line) => {
  expect(rendered(`Title\n${plainly(line)}`)).toBe(`<p>Title\n${line}</p>`);
});

test.each(['+25 µs', '-5 %', '10.5 ms', '=x', 'AT&T'])('%j needs no escape', (text) => {
  expect(plainly(text)).toBe(text);
});

test('a cell holds its text, and numbers are on the right', () => {
  const html = rendered(tableOf(['Name', 'ms'], [['a | b\nc', '1']]));
  expect(html).toContain('<td>a | b c</td>');
  expect(html).toContain('<td align="right">1</td>');
});
