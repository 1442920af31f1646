/**
 * Makes a bare clone ready, saying what it does: `install` the packages when they are missing or older than the
 * lockfile; for `start` also build the client when its sources are newer; for `test` also find or install a Chromium.
 * Plain JavaScript for any Node from 20 on: it runs before the pinned Node is there.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pinnedNode = join(root, 'node_modules/node/bin/node');
const goals = ['install', 'start', 'test'];
const goal = process.argv[2] ?? 'start';

if (!goals.includes(goal)) fail(`prepare: "${goal}" is not one of ${goals.join(', ')}.`);
installPackages();
if (goal !== 'install') buildClient();
if (goal === 'test') provideChromium();

function installPackages() {
  const marker = join(root, 'node_modules/.package-lock.json');
  const fresh =
    existsSync(pinnedNode) && existsSync(marker) && age(marker) >= age(join(root, 'package-lock.json'));
  if (fresh) return;
  say('Installing packages (npm ci) …');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  if (npm?.endsWith('.js')) run('npm ci', process.execPath, [npm, ...args]);
  else run('npm ci', 'npm', args);
}

function buildClient() {
  const built = join(root, 'dist/client/index.html');
  const sources = ['client', 'shared', 'public', 'vite.config.ts', 'package-lock.json'];
  const newest = Math.max(...sources.map((source) => newestIn(join(root, source))));
  if (existsSync(built) && age(built) >= newest) return;
  say('Building the client …');
  run('The client build', pinnedNode, [
    join(root, 'node_modules/vite/bin/vite.js'),
    'build',
    '--logLevel',
    'warn',
  ]);
}

function provideChromium() {
  if (findChromium() !== null) return;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    say('Installing Chromium (apt-get install chromium) …');
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    run('apt-get update', 'apt-get', ['update', '-qq'], environment);
    run(
      'apt-get install chromium',
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
      environment,
    );
  } else {
    say('Downloading Chromium (playwright install chromium) …');
    run('The download of Chromium', pinnedNode, [
      join(root, 'node_modules/playwright-core/cli.js'),
      'install',
      'chromium',
    ]);
  }
  if (findChromium() === null) fail('No Chromium was found after installing it. Set CHROMIUM_PATH to one.');
}

/** The server has its own search, in `server/browser/find-chromium.ts`; asked here through the pinned Node. */
function findChromium() {
  const script =
    "const { findChromium } = await import('./server/browser/find-chromium.ts'); process.stdout.write(findChromium(process.env) ?? '');";
  const result = spawnSync(pinnedNode, ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
  });
  if (result.status !== 0) fail(`Looking for a Chromium failed: ${result.stderr}`);
  return result.stdout === '' ? null : result.stdout;
}

function newestIn(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

function age(path) {
  return statSync(path).mtimeMs;
}

function run(what, command, args, environment = process.env) {
  const path = `${join(root, 'node_modules/.bin')}${delimiter}${environment.PATH ?? ''}`;
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...environment, PATH: path },
  });
  if (result.error !== undefined) fail(`${what} could not be started: ${result.error.message}.`);
  if (result.status !== 0) fail(`${what} failed; its output is above.`);
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
