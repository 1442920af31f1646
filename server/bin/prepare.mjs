/**
 * Makes a bare clone ready, saying what it does. Packages are installed when they are missing or not those of the lockfile:
 * those that it takes to build and `run`, with those of development all to `install`. `start` is `run`, and builds the client when
 * its sources have changed; `bench` is both of them; `test` is `bench`, and also finds or installs a Chromium, web servers and curl.
 * Plain JavaScript for any Node from 20 on: it runs before the pinned Node is there.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt, isInstalled, markBuilt } from './up-to-date.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pinnedNode = join(root, 'node_modules/node/bin/node');
const everyMs = 5_000;
const goals = {
  run: { development: false, built: false },
  start: { development: false, built: true },
  install: { development: true, built: false },
  bench: { development: true, built: true },
  test: { development: true, built: true },
};
/** Packages by their programs: load tools, imports' `curl`, and `valgrind` for counted instructions. */
const testPrograms = {
  ...{ ab: 'apache2-utils', wrk: 'wrk', h2load: 'nghttp2-client', hey: 'hey' },
  ...{ curl: 'curl', valgrind: 'valgrind' },
};
const goal = process.argv[2] ?? 'start';

if (!Object.hasOwn(goals, goal)) fail(`prepare: "${goal}" is not one of ${Object.keys(goals).join(', ')}.`);
if (!isInstalled(root, goals[goal])) await installDependencies(goals[goal]);
if (goals[goal].built && !isBuilt(root)) await buildClient();
if (goal === 'test') await provideTools();

async function installDependencies({ development }) {
  const npm = process.env.npm_execpath;
  const which = development ? '--include=dev' : '--omit=dev';
  const args = ['ci', which, '--no-audit', '--no-fund', '--loglevel=error'];
  const what = development ? 'Installing packages, also for development' : 'Installing packages';
  if (npm?.endsWith('.js')) await run(what, process.execPath, [npm, ...args]);
  else await run(what, 'npm', args);
}

async function buildClient() {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const build = [vite, 'build', '--logLevel', 'warn'];
  // The caller, such as a test, may be in another mode.
  const environment = { ...process.env, NODE_ENV: 'production' };
  await run('Building the client', pinnedNode, build, environment);
  const buildFile = [...build, '--config', 'vite.file.config.ts'];
  await run('Building the page for files', pinnedNode, buildFile, environment);
  markBuilt(root);
}

/** Programs that tests start: browsers, and servers without which some tests are skipped. */
async function provideTools() {
  const missing = [...missingBrowsers(), ...missingServers()];
  if (missing.length > 0) {
    if (mayInstall()) await installPackages(missing);
    else say(`Not installed, so tests that need them are skipped or slower: ${missing.join(', ')}.`);
  }
  if (findChromium() !== null) return;
  const playwright = join(root, 'node_modules/playwright-core/cli.js');
  await run('Downloading Chromium', pinnedNode, [playwright, 'install', 'chromium']);
  if (findChromium() === null) fail('No Chromium was found after installing it. Set CHROMIUM_PATH to one.');
}

/** The shell drives the dashboard in end-to-end tests, at half of the CPU of a whole browser. */
function missingBrowsers() {
  if ((process.env.CHROMIUM_PATH ?? '') !== '') return [];
  return [
    ...(findChromium() === null ? ['chromium'] : []),
    ...(isProgram('chromium-headless-shell') ? [] : ['chromium-headless-shell']),
  ];
}

/** The tests of a server or a program are skipped without it. Go is not installed for them: Debian's takes 450 MB. */
function missingServers() {
  const missing = runPinned(
    "const { findServers } = await import('./server/targets/managed/find-servers.ts'); process.stdout.write(findServers().flatMap(({ name, missing }) => (name === 'go' ? [] : missing)).join(' '));",
    'Looking for web servers',
  );
  return [
    ...new Set(missing.split(' ').filter((name) => name !== '')),
    ...Object.keys(testPrograms).flatMap((name) => (isProgram(name) ? [] : [testPrograms[name]])),
  ];
}

function isProgram(name) {
  return (process.env.PATH ?? '').split(delimiter).some((directory) => existsSync(join(directory, name)));
}

function mayInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

/** Installs the packages that this release of Debian has. */
async function installPackages(names) {
  // At runlevel 1 Debian starts no service that it has just installed.
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  await run('Updating the list of Debian packages', 'apt-get', ['update', '-qq'], environment);
  const packages = names.filter((name) => spawnSync('apt-cache', ['show', name]).status === 0);
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  await run(`Installing ${packages.join(', ')}`, 'apt-get', install, environment);
}

/** The server has its own search, in `server/drive/browser/find-chromium.ts`; asked here through the pinned Node. */
function findChromium() {
  const path = runPinned(
    "const { findChromium } = await import('./server/drive/browser/find-chromium.ts'); process.stdout.write(findChromium(process.env) ?? '');",
    'Looking for a Chromium',
  );
  return path === '' ? null : path;
}

function runPinned(script, what) {
  const result = spawnSync(pinnedNode, ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
  });
  if (result.status !== 0) fail(`${what} failed: ${result.stderr}`);
  return result.stdout;
}

/** Says what it does, how long that has taken so far, and when it is done. */
async function run(what, command, args, environment = process.env) {
  say(`${what} …`);
  const startedAtMs = Date.now();
  const seconds = () => Math.round((Date.now() - startedAtMs) / 1000);
  const ticker = setInterval(() => say(`${what} … ${seconds()} s`), everyMs);
  const path = `${join(root, 'node_modules/.bin')}${delimiter}${environment.PATH ?? ''}`;
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...environment, PATH: path },
  });
  const [code] = await once(child, 'close').catch((error) =>
    fail(`${command} did not start: ${error.message}.`),
  );
  clearInterval(ticker);
  if (code !== 0) fail(`${what} failed. Its output is above.`);
  say(`${what}: done in ${seconds()} s.`);
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
