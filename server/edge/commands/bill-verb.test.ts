/** Protects the command line of a bill: one source, a list that is one, and sizes as they are typed. */
import { expect, test } from 'vitest';
import { parseBill } from './bill-verb.ts';

test('options are a traffic and prices, and the source is named', () => {
  const words = ['--requests-per-s', '50', '--sizes', '2 kB', '--egress-gb', '0', '--har', 'a.har', '--json'];
  expect(parseBill(words)).toEqual({
    list: null,
    source: { name: 'har', text: 'a.har', format: null },
    given: { traffic: { requestsPerS: 50, sizes: '2 kB' }, prices: { egressGb: 0 } },
    format: 'json',
  });
});

test.each([
  [['--run', 'a', '--har', 'b'], /--run and --har/],
  [['--returning-share', '101%'], /percentage from 0 to 100/],
  [['--requests-per-s', '1e9'], /up to 10,000,000/],
  [['no list'], /not the ID of a price list/],
  [['--json', '--markdown'], /Choose one/],
])('%j is refused in a sentence', (words, sentence) => {
  expect(() => parseBill(words)).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({ detail: expect.stringMatching(sentence) }),
    }),
  );
});
