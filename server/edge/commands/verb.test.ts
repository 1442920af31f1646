/** Protects the command line: mistakes are sentences, whoever finds them. */
import { expect, test } from 'vitest';
import { collect, verb } from './verb.ts';

const options = verb('try')
  .argument('[place]')
  .option('--preset <name>', 'Preset')
  .option('--null', 'Null')
  .option('--secret <pair>', 'Secrets', collect);

test.each([
  [['--prest', 'x'], "Unknown option '--prest'. Did you mean --preset?"],
  [['--frobnicate'], "Unknown option '--frobnicate'."],
  [['--preset'], "Option '--preset <name>' argument missing."],
  [['here', 'there'], 'Too many arguments. Expected 1 argument but got 2: here, there.'],
])('%j is said in sentences', (args, detail) => {
  expect(() => options.parse(args, { from: 'user' })).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code: 'invalid_arguments', detail }) }),
  );
});

test('a second command line knows nothing of the first', () => {
  options.parse(['--null', '--secret', 'a=A', '--secret', 'b=B'], { from: 'user' });
  expect(options.opts()).toEqual({ null: true, secret: ['a=A', 'b=B'] });
  options.parse(['--preset', 'quick', '--secret=c=C'], { from: 'user' });
  expect(options.opts()).toEqual({ preset: 'quick', secret: ['c=C'] });
});
