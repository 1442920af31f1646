/** Protects exports as their reader runs them: by Playwright’s runner, k6 where it is installed, and a shell with curl. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a scenario are written like this
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Arm } from '../../../shared/base/transport.ts';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { searchScenario } from '../../targets/storefront/search-scenario.ts';
import { type StorefrontTarget, startStorefront } from '../../targets/storefront/start-storefront.ts';
import { chromiumInTest } from '../../testing/chromium-in-test.ts';
import { parsePlaywrightTest } from '../import/playwright-test.ts';
import { writeCurl } from './exported-curl.ts';
import { writeK6Script, writePlaywrightRequests } from './exported-requests.ts';
import { writePlaywrightTest } from './exported-test.ts';

/** Playwright's runner finds its package from here. */
const built = fileURLToPath(new URL('../../../dist/', import.meta.url));
mkdirSync(built, { recursive: true });
const directory = mkdtempSync(join(built, 'exported-'));
const data = mkdtempSync(join(tmpdir(), 'tls-toll-exported-'));
const transports = { baseline: 'http', comparison: 'https', twin: 'http' } as const;
let storefront: StorefrontTarget<Arm>;
let origin = '';
beforeAll(async () => {
  storefront = await startStorefront({ directory: data, transports, databaseUrl: null });
  origin = `http://127.0.0.1:${storefront.listeners.baseline.port}`;
});
afterAll(async () => {
  await storefront.stop();
  rmSync(directory, { recursive: true });
  rmSync(data, { recursive: true });
});

const [, form, search] = searchScenario.steps;
const withSecret = scenarioSchema.parse({
  ...searchScenario,
  steps: [
    {
      ...form,
      headers: { ...form?.headers, 'x-empty': '' },
      extract: [{ from: 'regex', variable: 'category', pattern: 'option value="(\\d+)"' }],
    },
    {
      ...search,
      body: 'q=${secret:words}&category=${category}',
      checks: [{ type: 'body_contains', text: 'Search results' }],
    },
  ],
});

const hasK6 = spawnSync('k6', ['version']).status === 0;
const hasCurl = spawnSync('curl', ['--version']).status === 0;

const launchOptions = {
  executablePath: chromiumInTest ?? undefined,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
};

function runTests(environment: NodeJS.ProcessEnv) {
  const settings = { testDir: '.', outputDir: 'out', reporter: 'line', use: { launchOptions } };
  writeFileSync(join(directory, 'playwright.config.ts'), `export default ${JSON.stringify(settings)};`);
  const runner = createRequire(import.meta.url).resolve('@playwright/test/cli');
  const args = [runner, 'test', '--config', join(directory, 'playwright.config.ts')];
  const env = { ...process.env, ...environment };
  return spawnSync(process.execPath, args, { env, encoding: 'utf8' });
}

/** Requests to compare with those that each tool really sends: an odd text, and paths that could lead elsewhere. */
const oddScenario = scenarioSchema.parse({
  name: 'Odd',
  data: { columns: ['none'], rows: [['']] },
  steps: [
    {
      ...{ name: 'Text', method: 'POST', path: '/echo?a=$${x}' },
      ...{ headers: { 'content-type': 'text/plain', 'x-a': '$${x}' }, body: '$${x} $x' },
    },
    { name: 'Nothing before a host', method: 'GET', path: '/${none}/elsewhere.invalid/a' },
    { name: 'A dot before a host', method: 'GET', path: '/.//elsewhere.invalid/a' },
    { name: 'A host in the path', method: 'GET', path: '//elsewhere.invalid/a' },
    { name: 'A colon in the first part', method: 'GET', path: '/urn:a:b/c' },
    { name: 'WebDAV', method: 'PROPFIND', path: '/dav/', headers: { depth: '1' } },
    {
      name: 'A report',
      method: 'REPORT',
      path: '/dav/',
      headers: { 'content-type': 'text/xml' },
      body: '<q/>',
    },
    {
      ...{ name: 'GET with a body', method: 'GET', path: '/_search' },
      ...{ headers: { 'content-type': 'application/json' }, body: '{"size":0}' },
    },
  ],
});

async function openEcho() {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    seen.push(`${request.method} ${request.url} ${request.headers['x-a'] ?? ''} ${body}`.trim());
    response.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { seen, origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

test('Playwright, k6 and curl send what a scenario means, and all of it to the target', async () => {
  const echo = await openEcho();
  const expected = [
    'POST /echo?a=${x} ${x} ${x} $x',
    'GET //elsewhere.invalid/a',
    expect.stringMatching(/^GET \/(\.\/)?\/elsewhere\.invalid\/a$/),
    'GET //elsewhere.invalid/a',
    'GET /urn:a:b/c',
    'PROPFIND /dav/',
    'REPORT /dav/  <q/>',
    'GET /_search  {"size":0}',
  ];
  const run = async (command: string, args: string[]) => {
    echo.seen.length = 0;
    const env = { ...process.env, BASE_URL: echo.origin };
    const child = spawn(command, args, { cwd: data, env, stdio: ['ignore', 'pipe', 'ignore'] });
    await text(child.stdout);
    // A browser and k6 write braces of an address in their own way.
    return echo.seen.map((line) => line.replaceAll('%7B', '{').replaceAll('%7D', '}'));
  };
  try {
    const only = mkdtempSync(join(directory, '..', 'exported-'));
    writeFileSync(join(only, 'odd.spec.ts'), writePlaywrightRequests(oddScenario, echo.origin));
    writeFileSync(
      join(only, 'odd.config.ts'),
      "export default { testDir: '.', outputDir: 'out', reporter: 'line' };",
    );
    const runner = createRequire(import.meta.url).resolve('@playwright/test/cli');
    const config = ['--config', join(only, 'odd.config.ts')];
    expect(await run(process.execPath, [runner, 'test', ...config])).toEqual(expected);
    writeFileSync(join(only, 'odd.k6.js'), writeK6Script(oddScenario, echo.origin));
    if (hasK6) expect(await run('k6', ['run', '--quiet', join(only, 'odd.k6.js')])).toEqual(expected);
    const commands = writeCurl(oddScenario, echo.origin);
    if (hasCurl) expect(await run('bash', ['-c', commands])).toEqual(expected);
    rmSync(only, { recursive: true });
  } finally {
    echo.close();
  }
});

test('what was done in a browser, and a scenario without one, run green as Playwright tests', () => {
  const { actions, unsupported } = parsePlaywrightTest(`
    test('Search', async ({ page }) => {
      await page.goto('${origin}/search');
      await page.getByLabel('Words to look for').fill(process.env.WORDS);
      await page.getByLabel('Department', { exact: true }).selectOption('0');
      await page.getByRole('button', { name: 'Search' }).click();
      await expect(page.getByRole('heading', { name: 'Search results' })).toBeVisible();
      await expect(page.getByLabel('Words to look for')).toHaveValue('travel lamp');
    });`);
  expect(unsupported).toEqual([]);
  writeFileSync(join(directory, 'browser.spec.ts'), writePlaywrightTest('Search', actions));

  const [home, form, search] = searchScenario.steps;
  const scenario = scenarioSchema.parse({
    ...searchScenario,
    data: { columns: ['words'], rows: [['travel']] },
    steps: [
      home,
      { ...form, extract: [{ from: 'regex', variable: 'category', pattern: 'option value="(\\d+)"' }] },
      {
        ...search,
        body: 'q=${words}&category=${category}',
        checks: [{ type: 'body_contains', text: 'Search results' }],
      },
    ],
  });
  const requests = writePlaywrightRequests(scenario, 'http://target.invalid');
  writeFileSync(join(directory, 'requests.spec.ts'), requests);
  const asked = writePlaywrightRequests(withSecret, 'http://target.invalid');
  writeFileSync(join(directory, 'secret.spec.ts'), asked);
  const all = runTests({ BASE_URL: origin, WORDS: 'travel lamp', words: 'lamp' });
  expect(all.stdout).toContain('3 passed');
  expect(all.status).toBe(0);
  const without = runTests({ BASE_URL: origin });
  expect(without.stdout).toContain('The secret words has no value.');
  expect(without.stdout).toContain('Set the environment variable WORDS.');
  expect(without.stdout).toContain('1 passed');
});

test.runIf(hasK6)('a k6 script holds its checks, and does not start without its secrets', () => {
  const script = join(directory, 'search.k6.js');
  writeFileSync(script, writeK6Script(withSecret, origin));
  const run = (...options: string[]) =>
    spawnSync('k6', ['run', '--iterations', '3', ...options, script], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
  const held = run('-e', 'words=lamp');
  expect(held.stdout).toContain('checks_succeeded...: 100.00%');
  expect(held.status).toBe(0);
  const without = run();
  expect(without.status).not.toBe(0);
  expect(without.stderr).toContain('The secret words has no value.');
});

test.runIf(hasCurl)(
  'curl commands run to their end in a strict shell, and stop at a secret without a value',
  () => {
    const script = `set -eu\n${writeCurl(withSecret, origin)}`;
    const run = (environment: NodeJS.ProcessEnv) =>
      spawnSync('bash', ['-c', script], {
        ...{ cwd: data, encoding: 'utf8' },
        env: { PATH: process.env.PATH, ...environment },
      });
    // Values that curl cannot take from a response are set by hand.
    const { stdout, status } = run({ words: 'lamp', category: '0' });
    expect(stdout).toContain('Search results');
    expect(status).toBe(0);
    for (const missing of ['words', 'category']) {
      const stopped = run({ words: 'lamp', category: '0', [missing]: '' });
      expect(stopped.status).not.toBe(0);
      expect(stopped.stderr).toContain(`${missing}: is not set`);
      expect(stopped.stdout).not.toContain('Search results');
    }
  },
);

test('in the curl commands a value stays one value where it stands, as the shell writes it', () => {
  const nasty = `a b&c="d"\\e/ü'$(exit 1)`;
  const step = (headers: Record<string, string>, body: string) => ({
    ...{ name: 'Step', method: 'POST' as const, path: '/x?q=${word}', headers, body },
  });
  const scenario = scenarioSchema.parse({
    name: 'Nasty',
    data: { columns: ['word'], rows: [[nasty]] },
    steps: [
      step({ 'content-type': 'application/x-www-form-urlencoded' }, 'q=${word}'),
      step({ 'content-type': 'application/json' }, '{"q":"${word}"}'),
      step({ 'content-type': 'text/plain', 'x-word': '${word}' }, '${word}'),
    ],
  });
  const script = `set -e\ncurl() { printf '%s\\n' "$@"; }\n${writeCurl(scenario, 'http://shop.example')}`;
  const { stdout, status } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  expect(status).toBe(0);
  const words = stdout.split('\n');
  const urls = words.filter((word) => word.startsWith('http:'));
  expect(urls.map((url) => new URL(url).searchParams.get('q'))).toEqual([nasty, nasty, nasty]);
  const [form = '', json = '', plain] = words.flatMap((word, at) =>
    word === '--data-raw' ? [words[at + 1]] : [],
  );
  expect(new URLSearchParams(form).get('q')).toBe(nasty);
  expect(JSON.parse(json)).toEqual({ q: nasty });
  expect(plain).toBe(nasty);
  expect(words).toContain(`x-word: ${nasty}`);
});
