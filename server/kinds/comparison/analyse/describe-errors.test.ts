/** Protects how errors are grouped and worded. */
import { expect, test } from 'vitest';
import type { ErrorGroup } from '../../../../shared/base/outcome.ts';
import { describeErrors, mergeErrors } from './describe-errors.ts';

const refused: ErrorGroup = {
  transport: 'https',
  step: 'Search',
  outcome: 'unexpected_status',
  detail: 'answered 500 instead of 200',
  count: 31,
};
const late: ErrorGroup = { ...refused, step: null, outcome: 'timed_out', detail: 'no answer', count: 1 };

test('errors are told by their largest group', () => {
  expect(describeErrors([refused])).toBe('https, Search: answered 500 instead of 200 (31 times)');
  expect(describeErrors([late])).toBe('https: no answer (once)');
  expect(describeErrors([late, refused])).toBe(
    'https, Search: answered 500 instead of 200 (31 times), and 1 other kind of error',
  );
  expect(describeErrors([late, refused, { ...late, transport: 'http' }])).toMatch(
    /, and 2 other kinds of error$/,
  );
  expect(describeErrors([])).toBe('no answer');
});

test('groups that are alike in everything are added, and the largest comes first', () => {
  const other = { ...refused, step: 'Home' };
  expect(mergeErrors([late, refused, other, { ...refused, count: 9 }])).toEqual([
    { ...refused, count: 40 },
    other,
    late,
  ]);
  expect(mergeErrors([])).toEqual([]);
});
