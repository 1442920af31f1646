/** Protects which results a file is made of: IDs and links, and an answer to anything else. */
import { expect, test } from 'vitest';
import { parseReport } from './finished-runs.ts';

const id = '3fK9mQx7Lw2RtYb8NcVd1Z';

test('results are IDs or links, in their order', () => {
  const other = '5hP2rTz8Kw4QsXa6MbUe9Y';
  const link = `http://127.0.0.1:7300/r/${other}`;
  expect(parseReport([id, link, '--html', 'a.html', '--title', 'For you'])).toEqual({
    ...{ ids: [id, other], htmlPath: 'a.html', title: 'For you' },
  });
});

test.each([
  [[id], /--html/],
  [['--html', 'a.html'], /results/],
  [['nothing', '--html', 'a.html'], /"nothing" is not the ID/],
])('%j is refused', (args, message) => {
  expect(() => parseReport(args)).toThrow(message);
});
