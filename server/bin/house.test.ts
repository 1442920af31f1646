/** Protects the grain of the house: each number, door, and circle that gets worse is named, with what to do instead. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { judgeHouse, measureHouse } from './house.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tls-toll-house-'));
  write(
    'server/method/gate/judge.ts',
    "import { mean } from '../statistics/mean.ts';\nexport const judge = mean;\n",
  );
  write('server/method/statistics/mean.ts', 'export const mean = 1;\n');
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Limits that the house meets now. */
function limits() {
  const { numbers, doors } = measureHouse(root);
  const named = Object.entries(doors).map(([room, files]) => [room, Object.keys(files as object)]);
  return { numbers, doors: Object.fromEntries(named) };
}

test('a house that is as it was has no problem', () => {
  expect(judgeHouse(measureHouse(root), limits())).toEqual([]);
});

test.each([
  {
    change: 'a file that one other uses',
    path: 'server/method/gate/limit.ts',
    text: 'export const limit = 1;\n',
    says: /^files is 3, and was 2: put a thing that one file uses below its user/,
  },
  {
    change: 'an import of what is no door',
    path: 'server/method/statistics/mean.ts',
    text: "import { judge } from '../gate/judge.ts';\nexport const mean = judge;\n",
    says: /imports server\/method\/gate\/judge\.ts, which is no door of its room/,
  },
  {
    change: 'two rooms that import each other',
    path: 'server/method/statistics/mean.ts',
    text: "import { judge } from '../gate/judge.ts';\nexport const mean = judge;\n",
    says: /^roomsInCircles is 2, and was 0 \(server\/method\/gate, server\/method\/statistics\)/,
  },
  {
    change: 'a file that only passes on',
    path: 'server/method/gate/judge.ts',
    text: "export { mean as judge } from '../statistics/mean.ts';\n",
    says: /^server\/method\/gate\/judge\.ts re-exports/,
  },
  {
    change: 'more lines of benches',
    path: 'server/bench/repeat.ts',
    text: 'export const repeat = 1;\n',
    says: /^benchLines is 1, and was 0/,
  },
  {
    change: 'a comment without a subject',
    path: 'server/method/gate/judge.ts',
    text: `/** ${'What'} judges. */\nexport const judge = 1;\n`,
    says: /^oddComments is 1, and was 0: begin a comment with the thing/,
  },
])('$change is said', ({ path, text, says }) => {
  const before = limits();
  write(path, text);
  expect(judgeHouse(measureHouse(root), before)).toContainEqual(expect.stringMatching(says));
});
