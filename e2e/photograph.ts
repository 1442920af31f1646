/**
 * Photographs every screen into one sheet, light, dark, and at 375 px: `node e2e/photograph.ts OUT [SKETCHES]`. A folder of sketches has
 * pictures with the names of the screens, which stand beside them.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { chromiumInTest } from '../server/testing/chromium-in-test.ts';
import { laterRun } from '../server/testing/later-run.ts';
import { sampleRun } from '../server/testing/sample-run.ts';
import { type Dashboard, startDashboard } from './start-dashboard.ts';
import { storeResults, storeRun, variants } from './store-run.ts';

const looks = [
  { look: 'light', width: 1280, colorScheme: 'light' },
  { look: 'dark', width: 1280, colorScheme: 'dark' },
  { look: '375', width: 375, colorScheme: 'light' },
] as const;

/** `of` is the name of its sketch. */
type Screen = { name: string; of?: string; url: string; ready?: (page: Page) => Promise<unknown> };

async function photograph(browser: Browser, directory: string, { name, url, ready }: Screen): Promise<void> {
  for (const { look, width, colorScheme } of looks) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await ready?.(page);
    // Charts and the machine's state come late.
    await page.waitForTimeout(1_000);
    await page.screenshot({ path: join(directory, `${name}-${look}.png`), fullPage: true });
    await context.close();
  }
}

async function fill(directory: string): Promise<Record<string, string>> {
  const paths = await storeResults(directory);
  const run = sampleRun();
  const stored: [string, string][] = [];
  for (const [name, change] of Object.entries(variants)) {
    stored.push([name, `/r/${await storeRun(directory, change(run))}`]);
  }
  const { id, ...later } = laterRun({ cpu: 0.9 });
  const other = await storeRun(directory, { ...later, scenario: { ...run.scenario, name: 'Checkout' } });
  return { ...paths, ...Object.fromEntries(stored), compare: `/c/${run.id}..${other}` };
}

async function startRun(browser: Browser, { url }: Dashboard): Promise<string> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.getByRole('button', { name: /^Start run/ }).click();
  await page.waitForURL(/\/r\//);
  const running = page.url();
  await page.close();
  return running;
}

async function main([out = 'photographs', sketches]: string[]): Promise<void> {
  await mkdir(out, { recursive: true });
  const browser = await chromium.launch({
    ...(chromiumInTest === null ? {} : { executablePath: chromiumInTest }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  let paths: Record<string, string> = {};
  const full = await startDashboard({
    fill: async (directory) => {
      paths = await fill(directory);
    },
  });
  const empty = await startDashboard();
  const busy = await startDashboard({ pace: 10 });
  const running = await startRun(browser, busy);
  const at = (path = '/') => `${full.url}${path}`;
  const { comparison, pooled, unclear, failed, compare, ...kinds } = paths;
  const screens: Screen[] = [
    { name: 'launch-empty', of: 'launch', url: empty.url },
    { name: 'launch', of: 'launch', url: at() },
    { name: 'running', of: 'running', url: running },
    { name: 'result-certain', of: 'result', url: at(comparison) },
    { name: 'result-pooled', of: 'result', url: at(pooled) },
    { name: 'result-unclear', of: 'result-unclear', url: at(unclear) },
    { name: 'result-failed', url: at(failed) },
    { name: 'results', of: 'results', url: at('/results') },
    { name: 'results-empty', url: `${empty.url}/results` },
    { name: 'compare', of: 'compare', url: at(compare) },
    { name: 'lab', of: 'lab', url: at('/lab') },
    { name: 'lab-empty', of: 'lab', url: `${empty.url}/lab` },
    ...Object.entries(kinds).map(([name, path]) => ({ name, url: at(path) })),
    ...['/scenarios', '/studies', '/docs', '/targets', '/runs', '/runs/schedules', '/examples', '/sql'].map(
      (path) => ({ name: path.slice(1).replaceAll('/', '-'), url: at(path) }),
    ),
  ];
  for (const screen of screens) await photograph(browser, out, screen);
  await writeFile(join(out, 'sheet.html'), await sheetOf(screens, out, sketches));
  await browser.close();
  for (const dashboard of [full, empty, busy]) await dashboard.dispose();
  process.stdout.write(`${join(out, 'sheet.html')}: ${screens.length} screens\n`);
}

/** A row a screen, its sketch first. */
async function sheetOf(
  screens: readonly Screen[],
  out: string,
  sketches: string | undefined,
): Promise<string> {
  const rows: string[] = [];
  for (const { name, of } of screens) {
    const sketch = sketches === undefined || of === undefined ? null : join(sketches, `${of}.png`);
    const hasSketch = sketch !== null && existsSync(sketch);
    if (hasSketch) await copyFile(sketch, join(out, `sketch-${of}.png`));
    const pictures = [
      ...(hasSketch ? [`sketch-${of}`] : []),
      ...looks.map(({ look }) => `${name}-${look}`),
    ].map((file) => `<td><img src="${file}.png" alt="${file}"></td>`);
    rows.push(`<tr><th>${name}</th>${hasSketch ? '' : '<td></td>'}${pictures.join('')}</tr>`);
  }
  return `<!doctype html><meta charset="utf-8"><title>Screens</title>
<style>body{font:15px sans-serif}th,td{vertical-align:top;padding:8px;text-align:left}img{width:440px;border:1px solid #ccc}img[alt$="-375"]{width:200px}</style>
<table><tr><th>Screen</th><th>Sketch</th><th>Light</th><th>Dark</th><th>375 px</th></tr>
${rows.join('\n')}
</table>\n`;
}

await main(process.argv.slice(2));
