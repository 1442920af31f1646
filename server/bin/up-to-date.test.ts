/** Protects `npm start` from needless work: it builds and installs when contents change, not when dates do. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isBuilt, isInstalled, markBuilt } from './up-to-date.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tls-toll-clone-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, contents: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), contents);
}

function lockfile(path: string, packages: Record<string, object>): void {
  write(path, JSON.stringify({ packages }));
}

test('a client is built again when a source changes, not when a checkout touches it', () => {
  const configs = ['vite.config.ts', 'vite.file.config.ts'];
  for (const path of ['client/app/main.tsx', 'shared/base/units.ts', 'public/robots.txt', ...configs]) {
    write(path, path);
  }
  lockfile('package-lock.json', {});
  expect(isBuilt(root)).toBe(false);
  write('dist/client/index.html', '');
  markBuilt(root);
  expect(isBuilt(root)).toBe(false);
  write('dist/file/page.html', '');
  expect(isBuilt(root)).toBe(true);

  utimesSync(join(root, 'client/app/main.tsx'), new Date(), new Date());
  write('server/edge/main.ts', 'not part of the client');
  expect(isBuilt(root)).toBe(true);
  write('client/app/main.tsx', 'changed');
  expect(isBuilt(root)).toBe(false);
  markBuilt(root);
  write('client/app/late.tsx', 'added');
  expect(isBuilt(root)).toBe(false);
});

const everything = { development: true };

test('packages are installed again when the lockfile asks for others, not when it is touched', () => {
  const asked = {
    '': { version: '1.0.0' },
    'node_modules/zod': { version: '4.0.0', integrity: 'a' },
    'node_modules/only-on-windows': { version: '1.0.0', integrity: 'b', optional: true },
  };
  const installed = { 'node_modules/zod': asked['node_modules/zod'] };
  lockfile('package-lock.json', asked);
  expect(isInstalled(root, everything)).toBe(false);
  lockfile('node_modules/.package-lock.json', installed);
  expect(isInstalled(root, everything)).toBe(false);
  write('node_modules/node/bin/node', '');
  expect(isInstalled(root, everything)).toBe(true);

  utimesSync(join(root, 'package-lock.json'), new Date(), new Date());
  expect(isInstalled(root, everything)).toBe(true);
  lockfile('package-lock.json', { ...asked, 'node_modules/zod': { version: '4.0.1', integrity: 'c' } });
  expect(isInstalled(root, everything)).toBe(false);
  lockfile('package-lock.json', { ...asked, 'node_modules/pino': { version: '10.0.0', integrity: 'd' } });
  expect(isInstalled(root, everything)).toBe(false);
});

test('packages that only development needs are missed by it alone', () => {
  const zod = { version: '4.0.0', integrity: 'a' };
  const vitest = { version: '5.0.0', integrity: 'b', dev: true };
  lockfile('package-lock.json', { 'node_modules/zod': zod, 'node_modules/vitest': vitest });
  write('node_modules/node/bin/node', '');
  lockfile('node_modules/.package-lock.json', { 'node_modules/zod': zod });
  expect(isInstalled(root, { development: false })).toBe(true);
  expect(isInstalled(root, everything)).toBe(false);
  lockfile('node_modules/.package-lock.json', { 'node_modules/zod': zod, 'node_modules/vitest': vitest });
  expect(isInstalled(root, { development: false })).toBe(true);
  expect(isInstalled(root, everything)).toBe(true);
});
