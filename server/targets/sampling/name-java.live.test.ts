/** Protects the names of what Java compiles: a running server writes them where perf reads them, and they are gone with it. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { managedTargetSchema } from '../../../shared/target/target.ts';
import { findServers } from '../managed/find-servers.ts';
import { openManaged } from '../managed/open-managed.ts';
import { nameJava } from './record-stacks.ts';

const hasJdk = findServers().some(({ name, installed }) => name === 'jdk' && installed);

test.skipIf(!hasJdk)('a JVM names what it has compiled, and nothing is left of it', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tls-toll-java-'));
  onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }));
  const { signal } = new AbortController();
  const target = managedTargetSchema.parse({ kind: 'managed', server: 'jdk' });
  const asked = { target, arms: [{ name: 'only', letter: 'A' }] as const, transports: ['http'] as const };
  const { listeners, stop } = await openManaged(asked, { dataDirectory, namesCompiled: true }, signal);
  const map = `/tmp/perf-${listeners.only.pid}.map`;
  try {
    await nameJava([process.pid, listeners.only.pid ?? 0], signal);
    expect(readFileSync(map, 'utf8')).toMatch(/^0x[0-9a-f]+ 0x[0-9a-f]+ \S+ java\.lang\.String\.\w+\(/m);
  } finally {
    await stop();
  }
  expect(existsSync(map)).toBe(false);
});
