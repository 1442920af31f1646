/** Protects the picture of a result: its figures are there, and nothing that people typed is markup or leaves its room. */
import { expect, test } from 'vitest';
import { digestOf } from '../../../shared/words/digest/digest.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { drawDigest } from './digest-picture.ts';

const digest = digestOf(sampleRun());
if (digest === null) throw new Error('the sample has no verdict');

/** Of each line, in their order. */
const wordsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, words]) => words);

test('the verdict, what it rests on, and the figures of the cards are drawn', () => {
  const words = wordsOf(drawDigest(digest));
  expect(words.join(' ')).toContain(digest.headline);
  // Its last clauses have no room.
  expect(words.join(' ')).toContain(digest.evidence?.split('; ').slice(0, 1).join('; '));
  for (const { title, change, baseline, comparison } of digest.compared?.cards ?? []) {
    for (const part of [title, change, `HTTP ${baseline}`, `HTTPS ${comparison}`])
      expect(words).toContain(part);
  }
});

test('what a verdict rests on is whole, with link and negotiated TLS', () => {
  const evidence =
    '+36 µs per transaction, 95 % CI +76.4 to +100.2 %, 16 launches, over metro (5 ms round trip), TLS 1.2, AES-128-GCM';
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
  const open = { ...card, real: false, range: '95 % CI', word: 'inconclusive' };
  const refused = { ...card, real: false, change: '–', range: '', word: 'refused' };
  const words = wordsOf(drawDigest({ ...digest, compared: { ...digest.compared, cards: [open, refused] } }));
  expect(words).toContain('95 % CI, inconclusive');
  expect(words).toContain('refused');
});

test('a result without two sides has its title alone', () => {
  const svg = drawDigest({ ...digest, headline: 'Handshakes: today', evidence: null, compared: null });
  expect(wordsOf(svg)).toContain('Handshakes: today');
  expect(svg).not.toContain('<circle');
});

test('texts are texts, however long or broken', () => {
  const svg = drawDigest({
    ...digest,
    headline: `<script>&"' ${'W'.repeat(3000)}`,
    setting: 'half \ud800 of a pair, \uffff and \u0000',
  });
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&#60;script&#62;');
  expect(svg).toContain('half \ufffd of a pair, \ufffd and ');
  expect(svg.length).toBeLessThan(8000);
});
