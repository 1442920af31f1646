/** Protects which processes count as serving: workers, not their idle master; and a parent that works itself. */

import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { cutLines, servingOf } from './cores.ts';
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
