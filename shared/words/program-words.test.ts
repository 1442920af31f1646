/** Protects what a result says of each program behind its headline. */
import { expect, test } from 'vitest';
import type { ProgramCost } from '../kinds/comparison/program.ts';
import { doubtsOfPrograms, programsInWords } from './program-words.ts';

const side = { center: 500, lo: 490, hi: 510 };
const cost = (name: string, delta: ProgramCost['delta'], change: Partial<ProgramCost> = {}): ProgramCost => ({
  ...{ name, pids: [7], role: 'companion', tie: 'connection', baseline: side, comparison: side },
  delta,
  ...change,
});

test('each program has its own interval, with signs where it may be none', () => {
  const cpuOf = [
    cost('nginx', { center: 25, lo: 24, hi: 26 }, { role: 'target', tie: null }),
    cost('node', { center: -2, lo: -9, hi: 5 }),
    cost('rsyslogd', { center: 3, lo: 2, hi: 4 }, { tie: null }),
  ];
  expect(programsInWords({ cpuOf })).toBe(
    'in nginx +25.0 µs (24.0 to 26.0), in node behind it −2.0 µs (−9.0 to +5.0), in rsyslogd beside it +3.0 µs (2.0 to 4.0)',
  );
});

test('a target that works alone has no such line', () => {
  expect(programsInWords({})).toBeNull();
});

test('late work is on either side alike, and the kernel is not in the line', () => {
  const cpuOf = [
    cost('nginx', { center: 25, lo: 24, hi: 26 }, { role: 'target', tie: null }),
    cost('rsyslogd', { center: 0, lo: -3, hi: 3 }, { tie: null, lateUs: 6, children: 'lost' }),
    cost('kernel', { center: 1, lo: 0, hi: 2 }, { role: 'kernel', tie: null }),
  ];
  expect(programsInWords({ cpuOf })).toBe(
    'in nginx +25.0 µs (24.0 to 26.0), in rsyslogd beside it 500 µs on either side, because it works after the requests (±3 µs)',
  );
  expect(doubtsOfPrograms({ cpuOf })).toEqual([
    expect.stringContaining('The program rsyslogd works after the requests'),
    expect.stringContaining('Some of their CPU is not counted'),
    expect.stringContaining('They are in no sum.'),
  ]);
});
