/** Protects how values of options are read and printed: within their limits, and back to the same value. */
import { expect, test } from 'vitest';
import { comparisonOptions } from '../kinds/comparison/options.ts';
import { distanceOptions } from '../kinds/distance/options.ts';
import { handshakesOptions } from '../kinds/handshakes/options.ts';
import { serversOptions } from '../kinds/servers/options.ts';
import { sizesOptions } from '../kinds/sizes/options.ts';
import { speedOptions } from '../kinds/speed/options.ts';
import { visitsOptions } from '../kinds/visits/options.ts';
import {
  defaultInWords,
  flagsOf,
  type Option,
  parseOption,
  placeOptions,
  printOption,
  takenBy,
  termOf,
  wordOf,
} from './option.ts';

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
const sizes: Option = {
  ...{ ...words, type: 'list', item: { type: 'whole', min: 0, max: 9 } },
  ...{ most: 3, distinct: true, default: [1] },
};
const ciphers: Option = {
  ...{
    ...words,
    type: 'list',
    item: { type: 'choice', choices: ['AES-128-GCM', 'AES-256-GCM'], none: 'any' },
  },
  ...{ most: 3, default: [null] },
};
const switches: Option = { ...words, type: 'list', item: { type: 'flag', default: true }, most: 2 };

test.each<[Option, string, unknown]>([
  [whole, '1', 1],
  [whole, '5000', 5000],
  [whole, '5 ms', 5],
  [rate, '0.5', 0.5],
  [share, '0.05', 0.05],
  [share, '5%', 0.05],
  [version, '1.3', 'TLSv1.3'],
  [version, 'tls1.2', 'TLSv1.2'],
  [name, 'a-b', 'a-b'],
  [sizes, '1,2', [1, 2]],
  [ciphers, 'any, aes128gcm', [null, 'AES-128-GCM']],
  [switches, 'on,off', [true, false]],
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
  [sizes, '1,1'],
  [ciphers, 'rc4'],
  [switches, 'maybe'],
])('%o does not read "%s"', (option, text) => {
  expect(parseOption(option, text)).toBeNull();
});

test('what an option takes is said with its limits', () => {
  expect(takenBy(whole)).toBe('a whole number from 1 to 5,000');
  expect(takenBy(rate)).toBe('a number above 0 and up to 1,000,000');
  expect(takenBy(share)).toBe('a percentage from 0.1 to 100, such as 10%');
  expect(takenBy(share, 100)).toBe('a number from 0.1 to 100');
  expect(takenBy(version)).toBe('1.3 or 1.2');
  expect(takenBy(sizes)).toBe('up to 3 different whole numbers from 0 to 9');
  expect(takenBy(ciphers)).toBe('any of AES-128-GCM, AES-256-GCM, and any');
  expect(takenBy(switches)).toBe('on, off, or both');
});

test('values are printed with their units', () => {
  expect(printOption(whole, 1500)).toBe('1,500 ms');
  expect(printOption(rate, null)).toBe('half');
  expect(printOption(share, 0.05)).toBe('5.0 %');
  expect(printOption(version, 'TLSv1.2')).toBe('TLS 1.2');
  expect(printOption(sizes, [1, 2])).toBe('1, 2');
});

test('the default of every option is one that its flag takes', () => {
  const tables = [
    comparisonOptions,
    distanceOptions,
    speedOptions,
    sizesOptions,
    serversOptions,
    visitsOptions,
    handshakesOptions,
  ];
  for (const { id, option } of tables.flat()) {
    if (option.type === 'flag' || (option.default ?? null) === null) continue;
    const words = wordOf(option, option.default);
    const read = parseOption(option, words)?.value;
    // Links are read by their schema.
    expect(id === 'links' ? String(read) : read, id).toEqual(id === 'links' ? words : option.default);
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
      length: 'first',
      pairUsers: 4,
      windowMs: 200,
      ratePerS: null,
      link: { roundTripMs: 25, mbitPerS: null },
    },
    tls: { version: 'TLSv1.3', verify: false },
    target: { keepAlive: false, kTls: false, documents: [10_000], workers: 2 },
  };
  expect(flagsOf(comparisonOptions, request)).toEqual([
    ...['--tls 1.3', '--insecure', '--length first', '--link 25ms', '--pair-users 4'],
    ...['--workers 2', '--no-keep-alive-at-server'],
  ]);
});

test('a text that a shell would take for more is quoted in a command', () => {
  const path = {
    ...words,
    type: 'text',
    pattern: /^\//,
    taken: 'a path',
    default: null,
    usual: '/',
  } as const;
  const flags = (text: string) => flagsOf(placeOptions(null, { path }), { path: text });
  expect(flags('/video.mp4')).toEqual(['--path /video.mp4']);
  expect(flags('/video?a=1&b=$(id)')).toEqual(["--path '/video?a=1&b=$(id)'"]);
});
