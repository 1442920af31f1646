/** Protects how errors are grouped and worded. */
import { expect, test } from 'vitest';
import type { ErrorGroup } from '../../../../shared/base/outcome.ts';
import type { Arm } from '../../../../shared/base/transport.ts';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import { describeErrors } from '../../../targets/target-problem.ts';
import { errorsOf } from './errors-of.ts';

const names = { baseline: 'X25519', comparison: 'X25519MLKEM768' };
const group: ErrorGroup = {
  transport: 'https',
  step: 'Search',
  outcome: 'unexpected_status',
  detail: 'answered 500 instead of 200',
  count: 31,
};
const blockOf = (...slots: [Arm, ...ErrorGroup[]][]) =>
  ({ slots: slots.map(([arm, ...errors]) => ({ arm, load: { errors } })) }) as unknown as Block;
const refused = { ...group, name: names.comparison };
const late = { ...refused, step: null, outcome: 'timed_out' as const, detail: 'no answer', count: 1 };

test('errors are reported by their largest group, with the name of its side', () => {
  expect(describeErrors([refused])).toBe('X25519MLKEM768, Search: answered 500 instead of 200 (31 times)');
  expect(describeErrors([late])).toBe('X25519MLKEM768: no answer (once)');
  expect(describeErrors([late, refused])).toBe(
    'X25519MLKEM768, Search: answered 500 instead of 200 (31 times), and 1 other kind of error',
  );
  expect(describeErrors([late, refused, { ...late, name: names.baseline }])).toMatch(
    /, and 2 other kinds of error$/,
  );
  expect(describeErrors([])).toBe('no answer');
});

test('groups that are alike on a side are added, the twin is the baseline, and the largest comes first', () => {
  const { transport: _, ...kept } = group;
  const other = { ...group, step: 'Home', count: 5 };
  const blocks = [
    blockOf(['baseline', group], ['comparison', group], ['twin', other]),
    blockOf(['comparison', { ...group, count: 9 }], ['twin', { ...group, count: 2 }]),
  ];
  expect(errorsOf(blocks, names)).toEqual([
    { ...kept, side: 'comparison', name: 'X25519MLKEM768', count: 40 },
    { ...kept, side: 'baseline', name: 'X25519', count: 33 },
    { ...kept, side: 'baseline', name: 'X25519', step: 'Home', count: 5 },
  ]);
  expect(errorsOf([], names)).toEqual([]);
});
