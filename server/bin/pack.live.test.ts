/** Protects the package: beside what it asks for and nothing else, it compares, and serves its pages. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
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

/** Installs the package like npm, but links the packages of the clone: another copy of them takes longer than everything tested here. */
beforeAll(async () => {
  demandInstalled();
  await run('npm', ['run', 'package', '--', '--pack-destination', directory], { cwd: root });
  const [file = ''] = globSync('*.tgz', { cwd: directory });
  const installed = join(directory, 'node_modules/tls-toll');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', join(directory, file), '-C', installed, '--strip-components=1']);
  const { bin, dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) link(join(root, 'node_modules', name), name);
  link(join(installed, bin['tls-toll']), '.bin/tls-toll');
}, 2 * patienceMs);

function link(to: string, name: string): void {
  const from = join(directory, 'node_modules', name);
  mkdirSync(dirname(from), { recursive: true });
  symlinkSync(to, from);
}

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('whatever its modules name is in the package, or among the packages that it asks for', () => {
  const packed = join(directory, 'node_modules/tls-toll');
  const modules = globSync('{server,shared}/**/*.js', { cwd: packed }).map((path) => ({
    at: `file://${join(packed, path)}`,
    text: readFileSync(join(packed, path), 'utf8'),
  }));
  const scripts = modules.flatMap(({ at, text }) =>
    [...text.matchAll(/new URL\(\s*'(\.[^']+)'/g)].map(([, path = '']) =>
      fileURLToPath(new URL(path.replace(/\/$/, ''), at)),
    ),
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

test('it compares in its own processes and threads, and stores what it has measured when it is stopped', async () => {
  const child = spawn(program, ['compare', '--json'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = text(child.stdout);
  // Once start 2 begins, the browser's visits, the warm-up, and the turns of a part are done.
  for await (const line of createInterface(child.stderr)) if (/^measuring: start [2-9]/.test(line)) break;
  child.stderr.resume();
  child.kill('SIGINT');
  const document = JSON.parse(await printed);
  expect(document).toMatchObject({ kind: 'comparison', state: 'incomplete' });
  expect(document.blocks).not.toEqual([]);
});

test('it serves the dashboard, its documents and metrics, and stops at SIGTERM', async () => {
  const env = { ...options.env, TLS_TOLL_METRICS: 'on' };
  const child = spawn(program, ['serve'], { ...options, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const url = line.replace('TLS Toll listens on ', '');
    for (const path of ['/', '/docs/quick-start.md', '/api/openapi.json', '/metrics']) {
      const { status } = await fetch(`${url}${path}`);
      expect([path, status]).toEqual([path, 200]);
    }
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  expect(child.exitCode).toBe(0);
});
