/** Protects the memory of the server from lines without an end. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { cutLines } from './cut-lines.ts';

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
