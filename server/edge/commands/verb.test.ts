/** Protects the command line: mistakes are sentences, whoever finds them. */
import { expect, test } from 'vitest';
import { collect, verb } from './verb.ts';

const options = verb('try')
  .argument('[place]')
  .option('--preset <name>', 'Preset')
  .option('--noise-check', 'Noise check')
  .option('--users <n>', 'Users')
  .option('--secret <pair>', 'Secrets', collect);

test.each([
  [['--prest', 'x'], "Unknown option '--prest'. Did you mean --preset?"],
  [['--connections', '9'], "Unknown option '--connections'. Use --users."],
  [['--frobnicate'], "Unknown option '--frobnicate'."],
  [['--preset'], "Option '--preset <name>' argument missing."],
  [['here', 'there'], 'Too many arguments. Expected 1 argument but got 2: here, there.'],
])('%j is said in sentences', (args, detail) => {
  expect(() => options.parse(args, { from: 'user' })).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code: 'invalid_arguments', detail }) }),
  );
});

test('an earlier name gets its new one in the message, and only if there is one', () => {
  expect(() => verb('sizes').parse(['--connections', '9'], { from: 'user' })).toThrow(
    "Unknown option '--connections'.",
  );
});

test('a second command line knows nothing of the first', () => {
  options.parse(['--noise-check', '--secret', 'a=A', '--secret', 'b=B'], { from: 'user' });
  expect(options.opts()).toEqual({ noiseCheck: true, secret: ['a=A', 'b=B'] });
  options.parse(['--preset', 'quick', '--secret=c=C'], { from: 'user' });
  expect(options.opts()).toEqual({ preset: 'quick', secret: ['c=C'] });
});
