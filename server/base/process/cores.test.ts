/** Protects which processes count as serving: workers, not their idle master; and a parent that works itself. */

import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { cutLines, planAround, planPlacement, servingOf } from './cores.ts';
import type { LiveProcess } from './proc.ts';

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

/** Protects the memory of the server from lines without an end. */

const linesOf = async (chunks: (string | Buffer)[], most = 9) =>
  Array.fromAsync(cutLines(Readable.from(chunks.map((each) => Buffer.from(each))), most));

test.each([
  [['one\ntwo\n'], ['one', 'two']],
  [
    ['on', 'e\r\n\ntw', 'o'],
    ['one', '', 'two'],
  ],
  [[Buffer.from([0xe2, 0x82]), Buffer.from([0xac, 0x0a])], ['€']],
  [
    ['123456789\n', 'abcdefghijklmnopqrstuvwxyz\n'],
    ['123456789', 'abcd…wxyz'],
  ],
  [[], []],
])('%j has the lines %j', async (chunks, lines) => {
  expect(await linesOf(chunks)).toEqual(lines);
});

test('a line that never ends keeps its ends and nothing more', async () => {
  function* endless() {
    for (let i = 0; i < 20_000; i++) yield Buffer.alloc(65_536, i === 0 ? 'a' : 'z');
  }
  const before = process.memoryUsage.rss();
  expect(await Array.fromAsync(cutLines(Readable.from(endless()), 9))).toEqual(['aaaa…zzzz']);
  expect(process.memoryUsage.rss() - before).toBeLessThan(500e6);
});

/** Protects placement: generator and target never share a core, nor its threads where there are enough, and each has one. */

test.each([
  [[0, 1], 1, { generator: [1], target: [0] }],
  [[0, 1], 4, { generator: [1], target: [0] }],
  [[2, 5, 6, 7, 9, 10], 2, { generator: [9, 10], target: [2, 5, 6, 7] }],
])('of the cores %j, %i generators take the last ones', (cores, generators, placement) => {
  expect(planPlacement(cores, generators)).toEqual(placement);
});

test.each([[[]], [[3]]])('with the cores %j nothing can be kept apart', (cores) => {
  expect(planPlacement(cores, 1)).toBeNull();
});

test('a generator keeps to the cores that a target which is not ours leaves free', () => {
  expect(planAround([0, 2], [0, 1, 2, 3], 1)).toEqual({ generator: [3], target: [0, 2] });
  expect(planAround([0], [0, 1], 4)).toEqual({ generator: [1], target: [0] });
  expect(planAround([0, 1], [0, 1], 1)).toBeNull();
  expect(planAround([], [0, 1], 1)).toBeNull();
});

/** Two threads a core, numbered as Linux does: all first threads, then all second ones. */
const twoByTwo = [
  [0, 2],
  [1, 3],
];

test.each([
  ['2 cores of their own', [0, 1], 1, [[0], [1]], { generator: [1], target: [0], siblings: false }],
  ['2 threads of one core', [0, 1], 1, [[0, 1]], { generator: [1], target: [0], siblings: true }],
  ['2 cores of 2 threads', [0, 1, 2, 3], 1, twoByTwo, { generator: [1, 3], target: [0, 2], siblings: false }],
  [
    'the same, numbered core by core',
    [0, 1, 2, 3],
    1,
    [
      [0, 1],
      [2, 3],
    ],
    { generator: [2, 3], target: [0, 1], siblings: false },
  ],
  [
    'more generators than other cores',
    [0, 1, 2, 3],
    3,
    twoByTwo,
    { generator: [1, 3], target: [0, 2], siblings: false },
  ],
  ['one thread of each core', [0, 1], 1, twoByTwo, { generator: [1], target: [0], siblings: false }],
  [
    '4 cores of 2 threads',
    [0, 1, 2, 3, 4, 5, 6, 7],
    3,
    [
      [0, 4],
      [1, 5],
      [2, 6],
      [3, 7],
    ],
    { generator: [2, 3, 6, 7], target: [0, 1, 4, 5], siblings: false },
  ],
  ['no topology', [0, 1, 2, 3], 1, [], { generator: [3], target: [0, 1, 2] }],
])(
  'on %s, generator and target share no core where there are enough',
  (_, cores, generators, threads, placement) => {
    expect(planPlacement(cores, generators, threads)).toEqual(placement);
  },
);

test('a generator keeps off the other threads of a target’s cores, if there are enough without them', () => {
  expect(
    planAround([0], [0, 1, 2, 3], 1, [
      [0, 3],
      [1, 2],
    ]),
  ).toEqual({ generator: [2], target: [0], siblings: false });
  expect(planAround([0, 1], [0, 1, 2, 3], 1, twoByTwo)).toEqual({
    generator: [3],
    target: [0, 1],
    siblings: true,
  });
  expect(planAround([0], [0, 1], 1, [[0, 1]])).toEqual({ generator: [1], target: [0], siblings: true });
});
