/** Protects headers with several values: each is a line of its own, and lines of one name are one header. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headerLines, headersOfLines } from './header-lines.ts';
import { stepSchema } from './scenario.ts';

test('A header with several values is as many lines, in their order', () => {
  const { headers } = stepSchema.parse({
    ...{ name: 'a', method: 'GET', path: '/' },
    headers: { accept: 'text/html', 'x-a': ['1', '2', '1'], 'x-empty': '' },
  });
  expect(headerLines(headers)).toEqual([
    ['accept', 'text/html'],
    ['x-a', '1'],
    ['x-a', '2'],
    ['x-a', '1'],
    ['x-empty', ''],
  ]);
});

test('Lines are the same lines again, those of one name together', () => {
  const name = fc.constantFrom('a', 'b', 'C');
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string())), (lines) => {
      const again = headerLines(headersOfLines(lines));
      for (const each of ['a', 'b', 'C']) {
        expect(again.filter(([key]) => key === each)).toEqual(lines.filter(([key]) => key === each));
      }
    }),
  );
});
