/** Protects the reading of /proc/PID/stat, whatever a command is called. */

import { expect, test } from 'vitest';
import { parseKernelLoad, parseProcessStat } from './proc.ts';

const fields =
  'S 41 42 42 0 -1 4194304 500 0 1 0 120 34 7 5 20 0 11 0 8123 1000000 2500 18446744073709551615 1 1 0 0 0 0';

test('a stat line gives parent, state, ticks and start', () => {
  expect(parseProcessStat(`42 (node) ${fields}`)).toEqual({
    parentPid: 41,
    state: 'S',
    threads: 11,
    ownTicks: 120 + 34,
    childTicks: 7 + 5,
    startTicks: 8123,
  });
});

test('a command name with spaces and parentheses does not shift the fields', () => {
  expect(parseProcessStat(`42 (evil) R 1 (x) ${fields}`)?.parentPid).toBe(41);
});

test('a zombie counts as ended', () => {
  expect(parseProcessStat(`42 (node) Z${fields.slice(1)}`)).toBeNull();
});

/** Protects the reading of /proc/loadavg, which says when nothing has to be listed or looked at again. */

test('the line tells how many threads run, and which was started last', () => {
  expect(parseKernelLoad('1.15 0.46 0.20 1/101 9068\n')).toEqual({ runnable: 1, lastPid: 9068 });
});

test('a kernel that does not count is not believed', () => {
  expect(parseKernelLoad('0.00 0.00 0.00 0/0 0\n')).toBeNull();
  expect(parseKernelLoad('')).toBeNull();
});
