/** Protects exported tests and curl commands as their reader runs them: Playwright’s runner and a shell. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a scenario are written like this
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scenarioSchema } from '../../shared/scenario.ts';
import { findChromium } from '../browser/find-chromium.ts';
import { parsePlaywrightTest } from '../import/playwright/parse-playwright-test.ts';
import { type StorefrontTarget, startStorefront } from '../target/start-storefront.ts';
import { searchScenario } from '../target/storefront/search-scenario.ts';
import { writeCurl } from './write-curl.ts';
import { writePlaywrightRequests } from './write-playwright-requests.ts';
import { writePlaywrightTest } from './write-playwright-test.ts';

/** Exported tests are run as their reader would: by Playwright's own runner, which finds its package from here. */

const built = fileURLToPath(new URL('../../dist/', import.meta.url));
mkdirSync(built, { recursive: true });
const directory = mkdtempSync(join(built, 'exported-'));
const data = mkdtempSync(join(tmpdir(), 'tls-toll-exported-'));
const transports = { baseline: 'http', comparison: 'https', twin: 'http' } as const;
let storefront: StorefrontTarget;
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

const launchOptions = {
  executablePath: findChromium(process.env) ?? undefined,
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
  const { status, stdout } = runTests({ BASE_URL: origin, WORDS: 'travel lamp' });
  expect(stdout).toContain('2 passed');
  expect(status).toBe(0);
});

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
