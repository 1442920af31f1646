/** Protects how links are written and read: what one prints the other reads, and nonsense is refused with a sentence. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkInShort, linkInWords, linkRequestSchema } from './link.ts';
import { linkNames } from './link-names.ts';
import { linkProfiles, linkWord } from './link-text.ts';

function problemOf(asked: unknown): string {
  return linkRequestSchema.safeParse(asked).error?.issues[0]?.message ?? 'none';
}

test.each([
  ['metro', { roundTripMs: 5, mbitPerS: null }],
  [' Mobile ', { roundTripMs: 60, mbitPerS: 20 }],
  ['25ms', { roundTripMs: 25, mbitPerS: null }],
  ['0.5 ms', { roundTripMs: 0.5, mbitPerS: null }],
  ['25ms,50mbit', { roundTripMs: 25, mbitPerS: 50 }],
  ['25 ms, 50 Mbit/s', { roundTripMs: 25, mbitPerS: 50 }],
  [{ roundTripMs: 25 }, { roundTripMs: 25, mbitPerS: null }],
])('%j is a link', (asked, link) => {
  expect(linkRequestSchema.parse(asked)).toEqual(link);
});

test.each(linkNames)('the profile %s is known by its name, and by its figures', (name) => {
  expect(linkWord(linkProfiles[name])).toBe(name);
  expect(linkRequestSchema.parse(name)).toEqual(linkProfiles[name]);
});

test('every link reads back from its word', () => {
  const link = fc.record({
    roundTripMs: fc.integer({ min: 1, max: 20_000 }).map((tenths) => tenths / 10),
    mbitPerS: fc.option(fc.integer({ min: 1, max: 10_000 }).map((tenths) => tenths / 10)),
  });
  const readsBack = fc.property(link, (each) => {
    expect(linkRequestSchema.parse(linkWord(each))).toEqual(each);
  });
  fc.assert(readsBack);
});

test.each([
  ['0ms', 'the round trip of a link is 0.1 to 2,000 ms, not 0'],
  [{ roundTripMs: 10_000 }, 'the round trip of a link is 0.1 to 2,000 ms, not 10000'],
  ['10000ms', 'the round trip of a link is 0.1 to 2,000 ms, not 10000'],
  ['5ms,0mbit', 'the rate of a link is 0.1 to 1,000 Mbit/s, not 0'],
  [
    'moon',
    '"moon" is not a link: write lan, metro, continent, mobile, a round trip such as 25ms, or 25ms,50mbit',
  ],
  [
    '-5ms',
    '"-5ms" is not a link: write lan, metro, continent, mobile, a round trip such as 25ms, or 25ms,50mbit',
  ],
  [{ roundTripMs: Number.NaN }, 'the round trip of a link is 0.1 to 2,000 ms, not NaN'],
])('%j is refused: %s', (asked, message) => {
  expect(problemOf(asked)).toBe(message);
});

test('a link in words says its round trip and its rate', () => {
  expect(linkInWords(linkProfiles.lan)).toBe('lan (0.2 ms round trip)');
  expect(linkInWords(linkProfiles.mobile)).toBe('mobile (60 ms round trip, 20 Mbit/s)');
  expect(linkInWords({ roundTripMs: 25, mbitPerS: null })).toBe('25 ms round trip');
  expect(linkInShort(linkProfiles.mobile)).toBe('mobile, 60 ms');
  expect(linkInShort({ roundTripMs: 25, mbitPerS: 50 })).toBe('25 ms, 50 Mbit/s');
});
