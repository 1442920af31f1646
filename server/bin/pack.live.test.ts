/** Protects the package: installed from its file into an empty directory, it compares, and serves its pages. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demandInstalled } from '../testing/demand-installed.ts';
import { patienceMs } from '../testing/patience.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'tls-toll-package-'));
const program = join(directory, 'node_modules/.bin/tls-toll');
const options = {
  cwd: directory,
  env: { ...process.env, PORT: '0', TLS_TOLL_DATA: join(directory, 'data') },
};

beforeAll(async () => {
  demandInstalled();
  await run('npm', ['pack', '--pack-destination', directory], { cwd: root });
  const [file = ''] = globSync('*.tgz', { cwd: directory });
  await run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--prefer-offline', join(directory, file)],
    options,
  );
  // Two programs of their own: one packs, one downloads.
}, 2 * patienceMs);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('whatever its modules name is in the package, or among the packages that it asks for', () => {
  const packed = join(directory, 'node_modules/tls-toll/dist/package');
  const modules = globSync('{server,shared}/**/*.js', { cwd: packed }).map((path) => ({
    at: `file://${join(packed, path)}`,
    text: readFileSync(join(packed, path), 'utf8'),
  }));
  const scripts = modules.flatMap(({ at, text }) =>
    [...text.matchAll(/new URL\(\s*'(\.[^']+)'/g)].map(([, path = '']) => fileURLToPath(new URL(path, at))),
  );
  expect(scripts.length).toBeGreaterThan(8);
  const sources = modules.filter(({ text }) => /['"`]\.{1,2}\/[^'"`\n]*\.ts['"`]/.test(text));
  expect(sources.map(({ at }) => at)).toEqual([]);
  const { dependencies } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
  const imported = modules
    .flatMap(({ text }) => [...text.matchAll(/^(?:import|export)\b(?:[^'"`;=()]*\bfrom)? '([^.'][^']*)'/gm)])
    .map(([, name = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '');
  expect(imported).toContain('kysely');
  expect(imported.filter((name) => !isBuiltin(name) && !Object.hasOwn(dependencies, name))).toEqual([]);
  const there = new Set(globSync('**', { cwd: packed }).map((path) => join(packed, path)));
  expect(scripts.filter((path) => !there.has(path))).toEqual([]);
});

test('it compares, with processes and threads of its own', async () => {
  const { stdout } = await run(program, ['compare', '--launches', '1', '--json'], {
    ...options,
    maxBuffer: 64 << 20,
  });
  expect(JSON.parse(stdout)).toMatchObject({ kind: 'comparison', state: 'finished' });
});

test('it serves the dashboard, its documents and metrics, and stops at SIGTERM', async () => {
  const env = { ...options.env, TLS_TOLL_METRICS: 'on' };
  const child = spawn(program, ['serve'], { ...options, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const url = line.replace('TLS Toll listens on ', '');
    for (const path of ['/', '/docs/guide.md', '/api/openapi.json', '/metrics']) {
      const { status } = await fetch(`${url}${path}`);
      expect([path, status]).toEqual([path, 200]);
    }
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  expect(child.exitCode).toBe(0);
});
