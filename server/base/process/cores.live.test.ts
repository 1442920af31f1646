/** Protects pinning: the whole tree with all threads runs where it was told to, and what cannot be pinned says so. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { parseCoreList, pinToCores, readAllowedCores } from './cores.ts';
import { listProc, readProc } from './proc.ts';

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    child.stdin?.end();
    await once(child, 'exit');
  }
});

/** A shell with a child, and a Node process with its threads; resolves when they are there. */
async function startTree(): Promise<{ root: number; child: number }> {
  const shell = spawn('sh', [
    '-c',
    `"${process.execPath}" -e "process.stdin.resume(); console.log(process.pid)"; :`,
  ]);
  started.push(shell);
  const [printed] = await once(shell.stdout, 'data');
  return { root: shell.pid ?? 0, child: Number(`${printed}`) };
}

function coresOfThreads(pid: number): string[] {
  const lists = listProc(`/proc/${pid}/task`).map(
    (thread) =>
      /^Cpus_allowed_list:\s*(\S+)$/m.exec(readProc(`/proc/${pid}/task/${thread}/status`) ?? '')?.[1],
  );
  return [...new Set(lists.map((list) => list ?? 'gone'))];
}

test('a process, its threads and its children run on the core that they were pinned to', async () => {
  const core = readAllowedCores().at(-1) ?? Number.NaN;
  const { root, child } = await startTree();
  expect(child).not.toBe(root);
  expect(await pinToCores([root], [core])).toBe(true);
  expect(coresOfThreads(root)).toEqual([`${core}`]);
  expect(coresOfThreads(child)).toEqual([`${core}`]);
});

test('a process is not pinned to a core that the machine does not have, nor one that has ended', async () => {
  const { root } = await startTree();
  expect(await pinToCores([root], [1023])).toBe(false);
  const ended = spawn('true');
  await once(ended, 'exit');
  expect(await pinToCores([ended.pid ?? 0], [readAllowedCores()[0] ?? 0])).toBe(false);
});

test.each([
  ['0-2,5', [0, 1, 2, 5]],
  ['7', [7]],
  ['', []],
])('the kernel’s list %j is read', (list, cores) => {
  expect(parseCoreList(list)).toEqual(cores);
});
