/** Protects the choice of processes by control group: all of the unit's, those of groups below it, and no other's. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cgroupPids, findUnitCgroup, groupOfOnly, isCgroup, readGroupUs, throttlingOf } from './cgroup.ts';

/** Control groups as the kernel shows them, in files that exist without any process. */
const root = mkdtempSync(join(tmpdir(), 'tls-toll-cgroup-'));
for (const [path, procs] of [
  ['', '1\n'],
  ['system.slice', ''],
  ['system.slice/nginx.service', '120\n121\n'],
  ['system.slice/nginx.service/workers', '130\n'],
  ['system.slice/nginx.service.d', '140\n'],
] as const) {
  mkdirSync(join(root, path), { recursive: true });
  writeFileSync(join(root, path, 'cgroup.procs'), procs);
}
afterAll(() => rmSync(root, { recursive: true }));

test('a unit is found wherever it lies, with the groups below it', () => {
  const found = findUnitCgroup('nginx.service', [join(root, 'nowhere'), root]);
  expect(found).toBe(join(root, 'system.slice/nginx.service'));
  expect(cgroupPids(found ?? '')).toEqual([120, 121, 130]);
});

test('a unit that does not run has none', () => {
  expect(findUnitCgroup('apache2.service', [root])).toBeNull();
  expect(findUnitCgroup('../nginx.service', [root])).toBeNull();
  expect(isCgroup(join(root, 'apache2.service'))).toBe(false);
  expect(cgroupPids(join(root, 'apache2.service'))).toEqual([]);
});

test('processes in the group of everything have none of their own', () => {
  expect(groupOfOnly([], [root])).toBeNull();
  expect(groupOfOnly([2 ** 22], [root])).toBeNull();
  expect(readGroupUs(join(root, 'system.slice'))).toBeNull();
  writeFileSync(join(root, 'cpu.stat'), 'usage_usec 9\nnr_periods 100\nnr_throttled 40\n');
  expect(readGroupUs(root)).toBe(9);
});

/** A machine as it was recorded: what `/proc/PID/cgroup` and each group’s `cpu.stat` say. */
function recorded(name: string, processes: Record<number, string>, stats: Record<string, [number, number]>) {
  const at = join(root, name);
  for (const [pid, cgroup] of Object.entries(processes)) {
    mkdirSync(join(at, 'proc', pid), { recursive: true });
    writeFileSync(join(at, 'proc', pid, 'cgroup'), cgroup);
  }
  for (const [path, [periods, throttled]] of Object.entries(stats)) {
    mkdirSync(join(at, path), { recursive: true });
    const text = `usage_usec 9\nnr_periods ${periods}\nnr_throttled ${throttled}\nthrottled_usec 7\n`;
    writeFileSync(join(at, path, 'cpu.stat'), text);
  }
  return { proc: join(at, 'proc'), v2: [join(at, 'v2'), join(at, 'v2/unified')], v1: join(at, 'v1') };
}

const inKubernetes = '/kubepods.slice/kubepods-pod1.slice/cri-a.scope';

test.each<
  [string, Parameters<typeof recorded>, pids: number[], { periods: number; throttled: number } | null]
>([
  [
    'of version 2, with those of the groups above up to the root, each once',
    [
      'two',
      { 7: `0::${inKubernetes}\n`, 8: `0::${inKubernetes}\n`, 9: '0::/user.slice\n' },
      {
        ...{ v2: [0, 0], 'v2/user.slice': [500, 400], 'v2/kubepods.slice': [0, 0] },
        ...{ 'v2/kubepods.slice/kubepods-pod1.slice': [76, 3], [`v2${inKubernetes}`]: [100, 60] },
      },
    ],
    [7, 8],
    { periods: 176, throttled: 63 },
  ],
  [
    'of version 1, where the hierarchy of the CPU controller counts and others do not',
    [
      'one',
      { 7: '5:memory:/other\n4:cpu,cpuacct:/docker/a\n1:name=systemd:/docker/b\n0::/\n' },
      { 'v1/docker/a': [176, 103], 'v1/other': [9, 9], 'v1/docker/b': [9, 9] },
    ],
    [7],
    { periods: 176, throttled: 103 },
  ],
  [
    'of two programs in groups of their own',
    [
      'programs',
      { 7: '0::/system.slice/nginx.service\n', 8: '0::/system.slice/app.service\n' },
      { 'v2/system.slice/nginx.service': [0, 0], 'v2/system.slice/app.service': [50, 20] },
    ],
    [7, 8],
    { periods: 50, throttled: 20 },
  ],
  ['of none where no group has a quota', ['free', { 7: '0::/a\n' }, { 'v2/a': [0, 0] }], [7], null],
  ['of none where the process has ended', ['ended', {}, { 'v2/a': [9, 9] }], [7], null],
])('periods of quotas are counted %s', (_, tree, pids, throttling) => {
  expect(throttlingOf(pids, recorded(...tree))).toEqual(throttling);
});
