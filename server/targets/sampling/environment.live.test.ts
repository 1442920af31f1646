/** Protects the limits of files and ports: they are those that the kernel and the shell tell. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSocketLimits } from './machine.ts';

test.runIf(existsSync('/proc/net/sockstat'))('limits are those that the kernel and the shell tell', () => {
  const limits = readSocketLimits([
    { owner: 'this process', pid: process.pid },
    { owner: 'nobody', pid: 4_194_304 },
  ]);
  const ulimit = execFileSync('bash', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  expect(limits?.descriptors).toEqual([
    { owner: 'this process', limit: ulimit === 'unlimited' ? null : Number(ulimit) },
    { owner: 'nobody', limit: null },
  ]);
  expect(limits?.ephemeralPorts).toBeGreaterThan(0);
  expect(limits?.ephemeralPorts).toBeLessThanOrEqual(65_536);
  expect(limits?.timeWait).toBeGreaterThanOrEqual(0);
});
