/** Protects `import` on the command line: what it prints, and what it saves. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { importReportSchema } from '../../../shared/scenario/import.ts';
import { openDatabase } from '../../life/database/open-database.ts';
import { listScenarios } from '../../life/database/scenarios.ts';
import { chromiumInTest } from '../../testing/chromium-in-test.ts';
import { runCommandInTest } from '../../testing/command-in-test.ts';
import { parseImport } from './scenario-sources.ts';

const commandLine = fileURLToPath(new URL('../cli.ts', import.meta.url));
const fixtures = fileURLToPath(new URL('../../intake/import/fixtures/', import.meta.url));

function run(...args: string[]) {
  return runIn(tmpdir(), ...args);
}

function runIn(dataDirectory: string, ...args: string[]) {
  return runCommandInTest(['import', ...args], {
    ...{ TLS_TOLL_DATA: dataDirectory, CHROMIUM_PATH: chromiumInTest ?? undefined },
  });
}

test('import --json prints the scenario and the lines that are not supported', async () => {
  const { code, stdout } = await run(`${fixtures}everyday.spec.ts.txt`, '--json');
  expect(code).toBe(0);
  const report = importReportSchema.parse(JSON.parse(stdout));
  expect(report.scenario?.steps.map(({ path }) => path)).toEqual(['/', '/api/items?q=travel+lamp']);
  expect(report.unsupported.map(({ line }) => line)).toEqual([2, 6, 15, 18]);
});

test('import --save prints the steps, what it left out, and where the dashboard now has the scenario', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-import-'));
  const { code, stdout, stderr } = await runIn(
    directory,
    `${fixtures}chrome.har`,
    '--think-time',
    '0',
    '--save',
  );
  expect(stdout).toContain('3. POST /login (302)\n');
  expect(stderr).toContain('7: Entry 7 is a WebSocket to shop.example');
  expect(stderr).toMatch(/Stored: \/scenarios\/[0-9A-Za-z]{22} /);
  expect(code).toBe(0);
  const database = await openDatabase({ directory, url: null });
  expect(await listScenarios(database)).toMatchObject([
    { name: 'chrome', origin: 'import', secrets: ['password'] },
  ]);
  await database.close();
  rmSync(directory, { recursive: true });
});

test('import of commands that are all left out names them and ends with exit code 2', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-import-'));
  const file = join(directory, 'commands.sh');
  writeFileSync(file, 'curl -T photo.jpg http://shop.example/\n');
  const { code, stderr } = await run(file);
  expect(code).toBe(2);
  expect(stderr).toContain('-T reads a file, which is not imported.');
  expect(stderr).toContain('It contains no requests');
  rmSync(directory, { recursive: true });
});

test.each([
  [['/no/such/file'], 1, 'could not be read'],
  [[commandLine], 2, 'Unknown format'],
])('import %j is refused with exit code %i', async (args, exitCode, sentence) => {
  const { code, stderr } = await run(...args);
  expect(code).toBe(exitCode);
  expect(stderr).toContain(sentence);
});

test.each([
  [[], "Missing required argument 'file'"],
  [['x', '--as', 'pdf'], '"pdf" is not one of har, playwright'],
])('the arguments %j are refused', (args, sentence) => {
  expect(() => parseImport(args)).toThrow(sentence);
});

test('import --replay --save stores nothing when the replay gets stuck, says where, and ends with exit code 2', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-import-'));
  const file = join(directory, 'stuck.spec.ts');
  writeFileSync(
    file,
    `test('Search', async ({ page }) => {
      await page.goto('/search');
      await page.getByRole('link').click();
    });`,
  );
  const { code, stderr } = await runIn(directory, file, '--replay', '--at', 'storefront', '--save');
  // This is known immediately. A missing element would be waited for.
  expect(stderr).toMatch(/The replay stopped\. Step 2, line 3: \d+ elements match the link on \/search/);
  expect(stderr).toContain('Nothing was stored.');
  expect(code).toBe(2);
  const database = await openDatabase({ directory, url: null });
  expect(await listScenarios(database)).toEqual([]);
  await database.close();
  rmSync(directory, { recursive: true });
});
