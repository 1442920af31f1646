/** Protects which processes count as serving: workers, not their idle master; and a parent that works itself. */
import { expect, test } from 'vitest';
import type { LiveProcess } from './process-tree.ts';
import { servingOf } from './serving-cores.ts';

function member(pid: number, parentPid: number, ownTicks: number): LiveProcess {
  return { pid, stat: { parentPid, state: 'S', threads: 1, ownTicks, childTicks: 0, startTicks: pid } };
}

test.each([
  ['a process alone', [member(10, 1, 0)], [10]],
  ['workers below a master', [member(10, 1, 3), member(11, 10, 40), member(12, 10, 0)], [11, 12]],
  ['a server below a shell', [member(10, 1, 0), member(11, 10, 0)], [11]],
  ['workers that have not served yet', [member(10, 1, 9), member(11, 10, 0)], [11]],
  ['a server with a helper', [member(10, 1, 500), member(11, 10, 4)], [10, 11]],
])('%s', (_, members, serving) => {
  expect(servingOf(members).map(({ pid }) => pid)).toEqual(serving);
});
