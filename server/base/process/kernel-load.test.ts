/** Protects the reading of /proc/loadavg, which says when nothing has to be listed or looked at again. */
import { expect, test } from 'vitest';
import { parseKernelLoad } from './kernel-load.ts';

test('the line tells how many threads run, and which was started last', () => {
  expect(parseKernelLoad('1.15 0.46 0.20 1/101 9068\n')).toEqual({ runnable: 1, lastPid: 9068 });
});

test('a kernel that does not count is not believed', () => {
  expect(parseKernelLoad('0.00 0.00 0.00 0/0 0\n')).toBeNull();
  expect(parseKernelLoad('')).toBeNull();
});
