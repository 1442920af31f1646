/** Protects the share of windows set aside, which says how disturbed a run was. */
import { expect, test } from 'vitest';
import type { Block } from '../../../shared/kinds/comparison/block.ts';
import { asideInWords, countWindows } from './windows.ts';

const blockOf = (...asides: boolean[]) =>
  ({ windows: asides.map((aside) => ({ aside })) }) as unknown as Block;

test('windows are counted over all blocks, whatever their kind', () => {
  expect(countWindows([blockOf(true, false, false), blockOf(), blockOf(true)])).toEqual({
    measured: 4,
    aside: 2,
  });
});

test('the share is said where there were windows, and only there', () => {
  expect(asideInWords({ measured: 120, aside: 7 })).toBe('5.8 % of windows set aside');
  expect(asideInWords({ measured: 120, aside: 0 })).toBe('no window set aside');
  expect(asideInWords({ measured: 0, aside: 0 })).toBeNull();
});
