/** Protects the reading of /proc/PID/stat, whatever a command is called. */
import { expect, test } from 'vitest';
import { parseProcessStat } from './process-stat.ts';

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
