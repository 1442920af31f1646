/** Protects what is printed from reports: sections in order, details in Markdown only, and no markup from other people’s texts. */
import { marked } from 'marked';
import { expect, test } from 'vitest';
import { facts, figures, list, type Report, table, text, texts } from '../../../shared/report/report.ts';
import { printMarkdown } from './report.ts';
import { printTerminal } from './terminal.ts';

const report: Report = {
  title: 'Verdict',
  lead: [text('One.', 'Two.')],
  about: ['Facts.'],
  notes: ['It was late.'],
  sections: [
    {
      heading: 'Cells',
      lead: 'All of them.',
      parts: [
        table(
          [...texts('Name'), ...figures('ms')],
          [
            ['short', '1'],
            ['longer', null],
          ],
          'Times, ms',
        ),
        list(['why']),
        facts([['Link', 'lan']]),
      ],
    },
    { heading: 'Nothing', parts: [text(), list([]), table(texts('a'), [])] },
    { heading: 'Repeat', isDetail: true, parts: [{ type: 'command', command: 'echo ```' }] },
  ],
};

test('a terminal has the tables aligned, doubts and method last, and neither details nor empty sections', () => {
  expect(printTerminal(report).split('\n')).toEqual([
    ...['Verdict', 'One.', 'Two.', ''],
    ...['Cells', 'All of them.', 'Times, ms:', 'Name    ms', 'short    1', 'longer   –', '', 'why', ''],
    ...['Link: lan', ''],
    ...['It was late.', '', 'Facts.', ''],
  ]);
});

test('Markdown has all of it, figures at the right, and a fence that no command ends', () => {
  expect(printMarkdown(report).split('\n\n')).toEqual([
    ...['# Verdict', 'One. Two.', 'Facts.', '**Note:** It was late.'],
    ...[
      '## Cells',
      'All of them.',
      'Times, ms:',
      '| Name | ms |\n| --- | ---: |\n| short | 1 |\n| longer | – |',
      '- why',
      '- Link: lan',
    ],
    ...['## Repeat', '````sh\necho ```\n````\n'],
  ]);
});

test('a blank annotation leaves the report as it is', () => {
  expect(printMarkdown(report, { title: null, note: '', tags: [] })).toBe(printMarkdown(report));
});

test('title, tags and note stand below the heading, the note with its lines and paragraphs', () => {
  const annotation = { title: 'After the upgrade', note: 'one\ntwo\n\nthree', tags: ['nightly', 'tls'] };
  expect(printMarkdown({ ...report, sections: [] }, annotation)).toBe(
    '# Verdict\n\n**After the upgrade**\n\nTags: nightly, tls\n\n> one\\\n> two\n>\n> three\n\nOne. Two.\n\nFacts.\n\n**Note:** It was late.\n',
  );
});

test('nothing that was written is markup', () => {
  const nasty = '<script>alert(1)</script> [x](javascript:alert(1)) **b** `c` # d | e ~~f~~ ![g](h)';
  const everywhere: Report = {
    ...{ title: nasty, lead: [text(nasty)], about: [nasty], notes: [nasty] },
    sections: [{ heading: nasty, parts: [list([nasty]), table(texts(nasty), [[nasty]])] }],
  };
  const markdown = printMarkdown(everywhere, { title: nasty, note: nasty, tags: [nasty] });
  const html = marked.parse(markdown, { async: false });
  expect(html).not.toMatch(/<(script|a|img|code|em|del)\b(?!>)[^>]*(href|src|alert)/);
  expect(
    html.match(/<(?!\/?(h1|h2|p|strong|blockquote|table|thead|tbody|tr|th|td|ul|li|br)\b)[^>]*>/g),
  ).toBeNull();
  expect(html.match(/&lt;script&gt;/g)).toHaveLength(11);
});
