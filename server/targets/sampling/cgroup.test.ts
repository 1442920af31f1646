/** Protects the choice of processes by control group: all of the unit's, those of groups below it, and no other's. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cgroupPids, findUnitCgroup, groupOfOnly, isCgroup, readGroupUs, throttlingOf } from './cgroup.ts';

/** As the kernel shows it, in files that are there while nothing runs. */
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
});

test('periods of quotas are counted up to the root, of version 2 as of version 1', () => {
  const v1 = join(root, 'v1');
  mkdirSync(v1);
  const roots = { v2: [root], v1 };
  expect(throttlingOf([process.pid], roots)).toBeNull();
  writeFileSync(join(root, 'cpu.stat'), 'usage_usec 9\nnr_periods 100\nnr_throttled 40\nthrottled_usec 7\n');
  expect(readGroupUs(root)).toBe(9);
  expect(throttlingOf([process.pid, process.pid], roots)).toEqual({ periods: 100, throttled: 40 });
  writeFileSync(join(v1, 'cpu.stat'), 'nr_periods 76\nnr_throttled 63\nthrottled_time 7\n');
  const sums = throttlingOf([process.pid], roots);
  // A machine may have the CPU controller in version 2 alone.
  expect([100, 176]).toContain(sums?.periods);
  expect(throttlingOf([2 ** 22], roots)).toBeNull();
});
