/** Protects how values of options are read and printed: within their limits, and back to the same value. */
import { expect, test } from 'vitest';
import { comparisonOptions } from '../kinds/comparison/options.ts';
import type { Option } from './option.ts';
import { defaultInWords, flagsOf, termOf } from './option-flag.ts';
import { parseOption, printOption, takenBy, wordOf } from './option-text.ts';

const words = { label: 'Size', help: 'Size', group: 'Load' };
const whole: Option = { ...words, type: 'whole', min: 1, max: 5000, unit: 'ms', default: 8 };
const rate: Option = { ...words, type: 'number', above: 0, max: 1e6, default: null, usual: 'half' };
const share: Option = { ...words, type: 'share', min: 0.001, max: 1, default: 0.05 };
const version: Option = {
  ...{ ...words, type: 'choice', choices: ['TLSv1.3', 'TLSv1.2'] },
  words: { 'TLSv1.3': '1.3', 'TLSv1.2': '1.2' },
  labels: { 'TLSv1.3': 'TLS 1.3', 'TLSv1.2': 'TLS 1.2' },
};
const name: Option = { ...words, type: 'text', pattern: /^[\w-]+$/, taken: 'one name', default: null };
const sizes: Option = { ...words, type: 'wholes', min: 0, max: 9, most: 3, default: [1] };

test.each<[Option, string, unknown]>([
  [whole, '1', 1],
  [whole, '5000', 5000],
  [rate, '0.5', 0.5],
  [share, '0.05', 0.05],
  [version, '1.3', 'TLSv1.3'],
  [version, 'tls1.2', 'TLSv1.2'],
  [name, 'a-b', 'a-b'],
  [sizes, '1,2', [1, 2]],
])('%o reads %s', (option, text, value) => {
  expect(parseOption(option, text)).toEqual({ value });
});

test.each<[Option, string]>([
  [whole, '0'],
  [whole, '5001'],
  [whole, '1.5'],
  [whole, ''],
  [whole, 'many'],
  [rate, '0'],
  [share, '5'],
  [version, '1.1'],
  [version, ''],
  [name, 'a b'],
  [sizes, '1,10'],
  [sizes, '1 2 3 4'],
])('%o does not read "%s"', (option, text) => {
  expect(parseOption(option, text)).toBeNull();
});

test('what an option takes is said with its limits', () => {
  expect(takenBy(whole)).toBe('a whole number from 1 to 5,000');
  expect(takenBy(rate)).toBe('a number above 0 and up to 1,000,000');
  expect(takenBy(share)).toBe('a number from 0.001 to 1');
  expect(takenBy(share, 100)).toBe('a number from 0.1 to 100');
  expect(takenBy(version)).toBe('1.3 or 1.2');
});

test('values are printed with their units', () => {
  expect(printOption(whole, 1500)).toBe('1,500 ms');
  expect(printOption(rate, null)).toBe('half');
  expect(printOption(share, 0.05)).toBe('5.0 %');
  expect(printOption(version, 'TLSv1.2')).toBe('TLS 1.2');
  expect(printOption(sizes, [1, 2])).toBe('1, 2');
});

test('the default of every option is one that its flag takes', () => {
  for (const { id, option } of comparisonOptions) {
    const defaults = [option.type === 'flag' ? null : (option.default ?? null)].flat();
    for (const value of defaults.filter((each) => each !== null)) {
      const [read] = [parseOption(option, wordOf(option, value))?.value].flat();
      expect(read, id).toEqual(value);
    }
  }
});

test('every flag is one option, and each default is said where there is one', () => {
  const terms = comparisonOptions.map(termOf);
  expect(new Set(terms.map((term) => term.split(' ')[0])).size).toBe(terms.length);
  const said = Object.fromEntries(comparisonOptions.map(({ id, option }) => [id, defaultInWords(option)]));
  expect(said).toMatchObject({ pairUsers: '1', tolerance: '0.05', generators: 'a third of the cores' });
  expect(said['tls.verify']).toBeNull();
});

test('a command has what differs from the defaults', () => {
  const request = {
    ...{
      preset: 'quick',
      pairUsers: 4,
      windowMs: 200,
      ratePerS: null,
      link: { roundTripMs: 25, mbitPerS: null },
    },
    tls: { version: 'TLSv1.3', verify: false },
    target: { keepAlive: false, kTls: false, documents: [10_000], workers: 2 },
  };
  expect(flagsOf(comparisonOptions, request)).toEqual([
    ...['--tls 1.3', '--insecure', '--preset quick', '--link 25ms', '--pair-users 4'],
    ...['--workers 2', '--no-keep-alive-at-server'],
  ]);
});
