/** Protects the description of the machine that a run keeps. */
import { expect, test } from 'vitest';
import { environmentSchema } from '../../../shared/base/environment.ts';
import { describeEnvironment, parseCpuFlags } from './machine.ts';

test('flags that move cryptography are kept, of either architecture', () => {
  expect(
    parseCpuFlags('processor\t: 0\nflags\t\t: fpu vme aes avx2 sha_ni syscall\n\nflags\t\t: fpu\n'),
  ).toEqual(['aes', 'avx2', 'sha_ni']);
  expect(parseCpuFlags('Features\t: fp asimd aes pmull sha2')).toEqual(['asimd', 'aes', 'pmull', 'sha2']);
});

test('no description of the processor gives no flags', () => {
  expect(parseCpuFlags('')).toEqual([]);
});

test('this machine can be described', () => {
  const environment = environmentSchema.parse(describeEnvironment('TLS Toll 0.1.0', true));
  expect(environment).toMatchObject({
    node: process.versions.node,
    product: 'TLS Toll 0.1.0',
    sharedMachine: true,
  });
  expect(describeEnvironment('TLS Toll 0.2.0', true).machine).toBe(environment.machine);
  if (process.platform === 'linux') expect(environment.machine).toMatch(/^[0-9a-f]{32}$/);
});
