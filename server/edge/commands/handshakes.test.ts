/** Protects `handshakes`: what its words ask for, and what they cannot. */
import { describe, expect, test } from 'vitest';
import { parseHandshakes } from './handshakes.ts';

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
    [['--num', '0'], /connections/],
    [['--num', '1e9'], /connections: 1000000000 is not a whole number from 1 to 100,000/],
    [['--num', 'many'], '--num takes a number, not "many".'],
    [['--bytes', '0'], '"0" is not a payload.'],
    [['--bytes', '1,x'], '"x" is not a payload.'],
    [['--preset', 'todya'], /"todya" is not a grid: it is one of classic, today, post-quantum, everything/],
    [['--preset', 'today', '--key', 'P-256'], /--preset selects a whole grid/],
    [['--cypher', 'NULL-MD5'], /--cypher/],
    [['today'], /today/],
  ])('%j is refused by its name', (args, sentence) => {
    expect(() => parseHandshakes(args)).toThrow(sentence);
  });
});
