/** Protects reports from what people write on a measurement: it is text in them, whatever it holds. */
import { marked } from 'marked';
import { expect, test } from 'vitest';
import { addLabel } from './label-markdown.ts';

const report = '# Verdict\n\nFacts.\n\n| a |\n| --- |\n';

test('a blank label leaves the report as it is', () => {
  expect(addLabel(report, { title: null, note: '', tags: [] })).toBe(report);
});

test('title, tags and note stand below the heading, the note with its lines and paragraphs', () => {
  const label = { title: 'After the upgrade', note: 'one\ntwo\n\nthree', tags: ['nightly', 'tls'] };
  expect(addLabel(report, label)).toBe(
    '# Verdict\n\n**After the upgrade**\n\nTags: nightly, tls\n\n> one\\\n> two\n>\n> three\n\nFacts.\n\n| a |\n| --- |\n',
  );
});

test('nothing that was written is markup', () => {
  const nasty = '<script>alert(1)</script> [x](javascript:alert(1)) **b** `c` # d | e ~~f~~ ![g](h)';
  const html = marked.parse(addLabel(report, { title: nasty, note: nasty, tags: [nasty] }), { async: false });
  expect(html).not.toMatch(/<(script|a|img|code|em|del|table)\b(?!>)[^>]*(href|src|alert)/);
  expect(html.match(/<(?!\/?(h1|p|strong|blockquote|table|thead|tr|th|tbody|td|br)\b)[^>]*>/g)).toBeNull();
  expect(html.match(/&lt;script&gt;/g)).toHaveLength(3);
});
