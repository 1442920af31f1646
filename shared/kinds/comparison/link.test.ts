/** Protects how links are written and read: what one prints the other reads, and nonsense is refused with a sentence. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  describeLink,
  linkInShort,
  linkInWords,
  linkRequestSchema,
  roundTripsOfFlight,
  savingInWords,
  windowsThatSave,
} from './link.ts';
import { linkNames, linkProfiles, linkWord } from './link-text.ts';

function problemOf(asked: unknown): string {
  return linkRequestSchema.safeParse(asked).error?.issues[0]?.message ?? 'none';
}

function linkProblemOf(text: string): string {
  return `"${text}" is not a link: write lan, metro, continent, mobile, a round trip such as 25ms, or 25ms,50mbit,1%,iw20,bbr`;
}

test.each([
  ['metro', { roundTripMs: 5, mbitPerS: null }],
  [' Mobile ', { roundTripMs: 60, mbitPerS: 20 }],
  ['25ms', { roundTripMs: 25, mbitPerS: null }],
  ['0ms', { roundTripMs: 0, mbitPerS: null }],
  ['0.5 ms', { roundTripMs: 0.5, mbitPerS: null }],
  ['25ms,50mbit', { roundTripMs: 25, mbitPerS: 50 }],
  ['25 ms, 50 Mbit/s', { roundTripMs: 25, mbitPerS: 50 }],
  [{ roundTripMs: 25 }, { roundTripMs: 25, mbitPerS: null }],
  ['continent, 0.5 %', { roundTripMs: 40, mbitPerS: null, lossPercent: 0.5 }],
  [
    '25ms,50mbit,1%,iw20,BBR',
    { roundTripMs: 25, mbitPerS: 50, lossPercent: 1, initialWindow: 20, congestionControl: 'bbr' },
  ],
])('%j is a link', (asked, link) => {
  expect(linkRequestSchema.parse(asked)).toEqual(link);
});

test.each(linkNames)('the profile %s is known by its name, and by its figures', (name) => {
  expect(linkWord(linkProfiles[name])).toBe(name);
  expect(linkRequestSchema.parse(name)).toEqual(linkProfiles[name]);
});

test('every link reads back from its word', () => {
  const link = fc.record({
    roundTripMs: fc.integer({ min: 0, max: 20_000 }).map((tenths) => tenths / 10),
    mbitPerS: fc.option(fc.integer({ min: 1, max: 10_000 }).map((tenths) => tenths / 10)),
  });
  const part = fc.record(
    {
      lossPercent: fc.integer({ min: 1, max: 2000 }).map((hundredths) => hundredths / 100),
      initialWindow: fc.integer({ min: 1, max: 44 }),
      congestionControl: fc.constantFrom('cubic', 'bbr', 'reno'),
    },
    { requiredKeys: [] },
  );
  const readsBack = fc.property(link, part, (each, more) => {
    expect(linkRequestSchema.parse(linkWord({ ...each, ...more }))).toEqual({ ...each, ...more });
  });
  fc.assert(readsBack);
});

test.each([
  [{ roundTripMs: -1 }, 'the round trip of a link is 0 to 2,000 ms, not -1'],
  [{ roundTripMs: 10_000 }, 'the round trip of a link is 0 to 2,000 ms, not 10000'],
  ['10000ms', 'the round trip of a link is 0 to 2,000 ms, not 10000'],
  ['5ms,0mbit', 'the rate of a link is 0.1 to 1,000 Mbit/s, not 0'],
  ['moon', linkProblemOf('moon')],
  ['-5ms', linkProblemOf('-5ms')],
  ['metro,continent', linkProblemOf('metro,continent')],
  ['metro,1%,2%', linkProblemOf('metro,1%,2%')],
  ['metro,0%', 'the loss of a link is 0.01 to 20 %, not 0'],
  ['metro,iw45', 'the initial window of a link is 1 to 44 segments, not 45'],
  [{ roundTripMs: 5, initialWindow: 1.5 }, 'the initial window of a link is a whole number of segments'],
  [{ roundTripMs: 5, congestionControl: 'bbr; rm' }, 'a congestion control is a name, such as cubic or bbr'],
  [{ roundTripMs: Number.NaN }, 'the round trip of a link is 0 to 2,000 ms, not NaN'],
])('%j is refused: %s', (asked, message) => {
  expect(problemOf(asked)).toBe(message);
});

test('a link in words says its round trip and its rate', () => {
  expect(linkInWords(linkProfiles.lan)).toBe('lan (0.2 ms round trip)');
  expect(linkInWords(linkProfiles.mobile)).toBe('mobile (60 ms round trip, 20 Mbit/s)');
  expect(linkInWords({ roundTripMs: 25, mbitPerS: null })).toBe('25 ms round trip');
  expect(linkInShort(linkProfiles.mobile)).toBe('mobile, 60 ms');
  expect(linkInShort({ roundTripMs: 25, mbitPerS: 50 })).toBe('25 ms, 50 Mbit/s');
  const lossy = { ...linkProfiles.metro, lossPercent: 0.25, initialWindow: 20, congestionControl: 'bbr' };
  expect(linkInWords(lossy)).toBe('metro (5 ms round trip, 0.25 % loss, initial window 20, bbr)');
  expect(linkInShort(lossy)).toBe('metro, 5 ms, 0.25 % loss, iw 20, bbr');
});

test('a measured link says what carried it', () => {
  const link = { ...linkProfiles.continent, added: { pings: 9, median: 40.2, p5: 40.1, p95: 41 } };
  const what =
    'Over a link of continent (40 ms round trip), which added 40.20 ms (40.10 to 41.00 ms in nine of ten pings).';
  expect(describeLink(link)).toBe(what);
  const kernel = { name: 'kernel', initialWindow: 10, congestionControl: 'cubic', packets: 12_345 } as const;
  expect(describeLink({ ...link, by: { ...kernel, lost: 0, overflowed: 0 } })).toBe(
    `${what} Linux TCP over a TUN device: slow start, initial window 10, cubic.`,
  );
  expect(describeLink({ ...link, by: { ...kernel, lost: 120, overflowed: 3 } })).toBe(
    `${what} Linux TCP over a TUN device: slow start, initial window 10, cubic; of 12,345 packets, 120 lost and 3 dropped by a full queue.`,
  );
  expect(describeLink({ ...link, by: { name: 'relay', why: '/dev/net/tun is missing' } })).toBe(
    `${what} A relay without slow start, because /dev/net/tun is missing.`,
  );
});

// Measured over the product's links at 40 ms: one round trip more from 14,481 and from 43,441 bytes on (server/bench/FIGURES.md).
test.each([
  [1, 10, 1],
  [14_480, 10, 1],
  [14_481, 10, 2],
  [43_440, 10, 2],
  [43_441, 10, 3],
  [28_960, 20, 1],
  [4345, 3, 2],
])('%d bytes with an initial window of %d segments take %d round trips', (bytes, segments, trips) => {
  expect(roundTripsOfFlight(bytes, segments)).toBe(trips);
});

test('a flight that fits either way saves bytes, and one across the edge a round trip', () => {
  expect(savingInWords(4129, 3662, undefined)).toBe(
    '467 bytes, and no round trip, because both flights fit into the first 10 segments (14,480 bytes)',
  );
  expect(savingInWords(3187, 2633, undefined)).toBe(
    '554 bytes, and no round trip, because both flights fit into the first 10 segments (14,480 bytes); it would save one with an initial window of 2',
  );
  expect(windowsThatSave(40_000, 12_000)).toBe('1 to 27');
  // In segments: 1, 3, 7, 15; 2, 6, 14; 3, 9; 4, 12. The flights have 7.003 and 4.
  expect(windowsThatSave(10_140, 5792)).toBe('1 to 2 or 4 to 7');
  expect(windowsThatSave(1379, 1026)).toBeNull();
  const link = { roundTripMs: 100, mbitPerS: 20 };
  expect(savingInWords(14_955, 14_455, link)).toBe(
    '500 bytes, 0.20 ms of sending, and a round trip (100 ms)',
  );
  expect(savingInWords(40_000, 39_000, undefined)).toBe(
    '1,000 bytes, and no round trip, because both flights take 2; it would save one with an initial window of 9 or 27',
  );
  expect(savingInWords(3187, 2633, { ...link, mbitPerS: null, initialWindow: 2 })).toBe(
    '554 bytes, and a round trip (100 ms)',
  );
});
