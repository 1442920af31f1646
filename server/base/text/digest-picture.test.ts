/** Protects the picture of a result: its figures are there, and nothing that people typed is markup or leaves its room. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestOf } from '../../../shared/words/digest.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { cut, drawDigest, escapeMarkup, printBadge, widthOf, wrapText } from './digest-picture.ts';

const digest = digestOf(sampleRun());
if (digest === null) throw new Error('the sample has no verdict');

/** Words of each line, in order. */
const wordsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, words]) => words);

test('the verdict, what it rests on, and the figures of the cards are drawn', () => {
  const words = wordsOf(drawDigest(digest));
  expect(words.join(' ')).toContain(digest.headline.title);
  expect(words).toContain(digest.headline.second);
  // Its last clauses have no room.
  expect(words.join(' ')).toContain(digest.evidence?.split('; ').slice(0, 1).join('; '));
  for (const { title, change, baseline, comparison } of digest.compared?.cards ?? []) {
    for (const part of [title, change, `HTTP ${baseline}`, `HTTPS ${comparison}`])
      expect(words).toContain(part);
  }
});

test('what a verdict rests on is whole, with link and negotiated TLS', () => {
  const evidence =
    'This run: +36 µs (34 to 38), +88 % (76 to 100), 95 % CI from 16 starts in 21 s, over metro (5 ms round trip), TLS 1.2';
  expect(wordsOf(drawDigest({ ...digest, evidence })).join(' ')).toContain(evidence);
});

test('clauses without room are left out whole, and of a side its name is cut and its value is not', () => {
  const { compared } = digest;
  const [card] = compared?.cards ?? [];
  if (card === undefined || compared === null) throw new Error('no card');
  const clause = 'CPU of a lone request on an idle server +223 µs';
  const words = wordsOf(
    drawDigest({
      ...digest,
      evidence: ['+45 % at load', clause, clause, clause, clause].join('; '),
      compared: {
        ...compared,
        sides: { baseline: 'HAProxy with nginx behind it', comparison: 'nginx' },
        cards: [{ ...card, baseline: '9,032 transactions/s' }, card, card],
      },
    }),
  );
  expect(words.filter((each = '') => each.includes('lone request')).join(' ')).toMatch(/\+223 µs$/);
  expect(words).toContainEqual(expect.stringMatching(/^HAPr\w*… 9,032 transactions\/s$/));
});

test('a change that is not real says what it was found to be', () => {
  const [card] = digest.compared?.cards ?? [];
  if (card === undefined || digest.compared === null) throw new Error('no card');
  const open = { ...card, real: false, range: '95 % CI', word: 'Unclear' };
  const refused = { ...card, real: false, change: '–', range: '', word: 'Not available' };
  const words = wordsOf(drawDigest({ ...digest, compared: { ...digest.compared, cards: [open, refused] } }));
  expect(words).toContain('95 % CI, Unclear');
  expect(words).toContain('Not available');
});

test('a result without two sides has its title alone', () => {
  const headline = { title: 'Handshakes: today', second: '' };
  const svg = drawDigest({ ...digest, headline, evidence: null, compared: null });
  expect(wordsOf(svg)).toContain('Handshakes: today');
  expect(svg).not.toContain('<circle');
});

test('texts are texts, however long or broken', () => {
  const svg = drawDigest({
    ...digest,
    headline: { title: `<script>&"' ${'W'.repeat(3000)}`, second: 'W'.repeat(3000) },
    setting: 'half \ud800 of a pair, \uffff and \u0000',
  });
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&#60;script&#62;');
  expect(svg).toContain('half \ufffd of a pair, \ufffd and ');
  expect(svg.length).toBeLessThan(8000);
});

/** Protects pictures from text that leaves them: no line is wider than its room, whatever the words are. */

test('words go on to the next line where one is full', () => {
  expect(wrapText('HTTPS costs 16 % more server CPU', 60, 620, 3)).toEqual([
    'HTTPS costs 16 %',
    'more server CPU',
  ]);
  expect(wrapText('', 60, 620, 3)).toEqual([]);
});

test('what has no room ends with an ellipsis', () => {
  const lines = wrapText('one two three four five six seven', 60, 300, 2);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^\S.*…$/);
  expect(cut('short', 10, 1000)).toBe('short');
  expect(cut('a long line of words', 10, 60)).toMatch(/^a long.*\S…$/);
});

test('no line is wider than its room, and there are no more than asked for', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.integer({ min: 1, max: 4 }),
      (text, most) => {
        const lines = wrapText(text, 40, 400, most);
        expect(lines.length).toBeLessThanOrEqual(most);
        for (const line of lines) expect(widthOf(line, 40)).toBeLessThanOrEqual(400);
      },
    ),
  );
});

test('a wide script is reckoned wider than Latin', () => {
  expect(widthOf('検索検索', 10)).toBeGreaterThan(widthOf('sear', 10));
  expect(widthOf('e\u0301', 10)).toBe(widthOf('e', 10));
});

/** Protects badges: they are SVG whatever is written on them, and wide enough for it. */

test('a badge has its words as a picture and for readers, and no markup from them', () => {
  const svg = printBadge({ label: 'TLS', message: '<5 % & "less"', tone: 'good' });
  expect(svg).toContain('aria-label="TLS: &#60;5 % &#38; &#34;less&#34;"');
  expect(svg.match(/&#60;5 % &#38; &#34;less&#34;/g)).toHaveLength(3);
  expect(svg).not.toContain('<5');
});

test('a badge grows with its words', () => {
  const width = (message: string) =>
    Number(/width="(\d+)"/.exec(printBadge({ label: 'TLS', message, tone: 'plain' }))?.[1]);
  expect(width('HTTPS costs 14 % more server CPU') - width('HTTPS costs 14 % more')).toBe(68);
});

/** Protects pages and reports from the names that people give: nothing in a text is markup. */

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
