/** Protects `handshakes` and `prices`: what their words ask for, and what they cannot. */
import { describe, expect, test } from 'vitest';
import { prices } from '../../kinds/prices/kind.ts';
import { parseHandshakes, parsePrices } from './kind-verbs.ts';

describe('arguments of handshakes', () => {
  test.each([
    [[], { grid: 'today', legacy: false, connections: null }],
    [['--preset', 'classic', '--num', '100'], { grid: 'classic', connections: 100 }],
    [
      ['--key', 'P-256,RSA-2048', '--reuse'],
      { grid: { keys: ['P-256', 'RSA-2048'], resumption: ['resumed'] } },
    ],
    [['--no-reuse', '--bytes', '1, 1024'], { grid: { bytes: [1, 1024], resumption: ['full'] } }],
    [
      ['--tls', 'TLSv1', '--cipher', 'NULL-MD5', '--legacy'],
      { legacy: true, grid: { versions: ['TLSv1'], ciphers: ['NULL-MD5'] } },
    ],
  ])('%j', (args, request) => {
    expect(parseHandshakes(args).request).toMatchObject(request);
  });

  test.each([
    [['--num', '0'], '--num takes a whole number from 1 to 100,000, not "0".'],
    [['--num', '1e9'], '--num takes a whole number from 1 to 100,000, not "1e9".'],
    [['--num', 'many'], '--num takes a whole number from 1 to 100,000, not "many".'],
    [['--bytes', '0'], '--bytes takes up to 20 whole numbers from 1 to 10,485,760, not "0".'],
    [['--bytes', '1,x'], /^--bytes takes up to 20 whole numbers .*, not "1,x"/],
    [['--preset', 'todya'], '--preset takes classic, today, post-quantum, or everything, not "todya".'],
    [['--preset', 'today', '--key', 'P-256'], /--preset selects a whole grid/],
    [['--cypher', 'NULL-MD5'], /--cypher/],
    [['today'], /today/],
  ])('%j is refused by its name', (args, sentence) => {
    expect(() => parseHandshakes(args)).toThrow(sentence);
  });
});

describe('arguments of prices', () => {
  test.each([
    [],
    ['--target', 'haproxy', '--key', 'RSA-2048', '--chain', '2', '--workers', '3', '--memory'],
    ['--target', 'nginx', '--no-resumption-at-server', '--ktls', '--seconds', '30'],
    ['--http', 'http://127.0.0.1:8080', '--https', 'https://127.0.0.1:8443', '--document', '/large.bin'],
  ])('the command that repeats %j asks for the same', (...args) => {
    const { request } = parsePrices(args.flat());
    const { command } = prices.documentOf({ request } as never, {
      ...{ facts: { seed: 7, cells: [] } as never, blocks: [] },
    });
    const [, , , ...repeated] = command.split(' ');
    expect(parsePrices(repeated).request).toEqual({ ...request, seed: 7 });
  });

  test.each([
    [['--http', 'http://127.0.0.1:8080'], /--http and --https go together/],
    [['--target', 'nginx', '--pid', '7'], /--pid applies only to a server that is already running/],
    [
      ['--http', 'http://127.0.0.1:8080', '--https', 'https://127.0.0.1:8443', '--key', 'P-384'],
      /need a server/,
    ],
    [['--against', 'baseline'], /--against needs at least one --fail-if/],
    [['--fail-if', 'connection > 20x request', '--against', 'baseline'], /compares two items of one list/],
  ])('%j is refused', (args, sentence) => {
    expect(() => parsePrices(args)).toThrow(sentence);
  });
});
