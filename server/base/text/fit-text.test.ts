/** Protects pictures from text that leaves them: no line is wider than its room, whatever the words are. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, linesOf, widthOf } from './fit-text.ts';

test('words go on to the next line where one is full', () => {
  expect(linesOf('HTTPS costs 16 % more server CPU', 60, 620, 3)).toEqual([
    'HTTPS costs 16 %',
    'more server CPU',
  ]);
  expect(linesOf('', 60, 620, 3)).toEqual([]);
});

test('what has no room ends with an ellipsis', () => {
  const lines = linesOf('one two three four five six seven', 60, 300, 2);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^\S.*…$/);
  expect(cut('short', 10, 1000)).toBe('short');
  expect(cut('a long line of words', 10, 60)).toMatch(/^a long.*\S…$/);
});

test('no line is wider than its room, and there are no more than asked for', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.integer({ min: 1, max: 4 }),
      (text, most) => {
        const lines = linesOf(text, 40, 400, most);
        expect(lines.length).toBeLessThanOrEqual(most);
        for (const line of lines) expect(widthOf(line, 40)).toBeLessThanOrEqual(400);
      },
    ),
  );
});

test('a wide script is reckoned wider than Latin', () => {
  expect(widthOf('検索検索', 10)).toBeGreaterThan(widthOf('sear', 10));
  expect(widthOf('e\u0301', 10)).toBe(widthOf('e', 10));
});
