/** Protects a permalink: anybody reads the same run, as page, JSON and CSV. */
import { readFile } from 'node:fs/promises';
import { mapEstimate } from '../shared/base/estimate-arithmetic.ts';
import type { MetricId } from '../shared/kinds/comparison/metric.ts';
import { printBilled } from '../shared/words/precision-words.ts';
import { expect, test } from './fixtures.ts';
import { conclusionOf } from './observe-storefront-run.ts';
import { parseCsv } from './parse-csv.ts';
import { meanOfSamples, printLike, recompute } from './recompute.ts';

test('who opens the link without any cookie reads the same sentence', async ({ storefrontRun, browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(storefrontRun.permalink);
  expect(await context.cookies()).toEqual([]);
  const first = storefrontRun.diary.find(({ conclusion }) => conclusion !== null);
  await expect(conclusionOf(page)).toHaveText(first?.conclusion ?? 'the sentence of the first page');
  const document = `/api/v1/measurements/${storefrontRun.document.id}/page`;
  expect(
    asked.filter((path) => path === document),
    'what was fetched ahead is what the page uses',
  ).toHaveLength(1);

  const { metrics, scenario } = storefrontRun.document;
  await page.getByRole('heading', { name: 'Cost per month' }).click();
  await page.getByLabel('Requests per second', { exact: true }).fill(`${scenario.steps.length * 1e6}`);
  await page.getByLabel('vCPU-hour, $').fill('0.07');
  await page.reload();
  await page.getByRole('heading', { name: 'Cost per month' }).click();
  // A million transactions a second take as many cores as one takes µs, at 70 % of a core; a month has 730 hours.
  const row = metrics.find(({ id, outcome }) => id === 'cpu_at_load' && outcome !== 'refused');
  const [baseline = null, comparison = null, added = null] = [row?.baseline, row?.comparison, row?.delta].map(
    (cpu) => mapEstimate(cpu ?? null, (us) => us * 0.1 * 730),
  );
  const billed = { unit: '$', baseline, comparison, added };
  const expected = added === null ? 'not measured' : printBilled(billed, added);
  await expect(
    page
      .getByTestId('bill')
      .getByRole('row', { name: /^Compute/ })
      .getByRole('cell')
      .last(),
  ).toHaveText(expected);
  await context.close();
});

test('the document is the same bytes by suffix, by Accept and by the download link, and is not sent twice', async ({
  storefrontRun: { permalink },
  page,
  request,
}) => {
  const bySuffix = await request.get(`${permalink}.json`);
  const byAccept = await request.get(permalink, { headers: { accept: 'application/json' } });
  await page.goto(permalink);
  await page.getByRole('button', { name: 'More ways to share' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'JSON', exact: true }).click(),
  ]);
  const bytes = await bySuffix.body();
  expect(bytes.length).toBeGreaterThan(10_000);
  expect(bytes.equals(await byAccept.body()), 'by Accept').toBe(true);
  expect(bytes.equals(await readFile(await download.path())), 'by the link').toBe(true);
  expect(download.suggestedFilename()).toMatch(/\.json$/);

  const { etag = '' } = bySuffix.headers();
  expect(etag).toMatch(/^"[^"]+"$/);
  expect(byAccept.headers().etag).toBe(etag);
  const again = await request.get(`${permalink}.json`, { headers: { 'if-none-match': etag } });
  expect(again.status()).toBe(304);
  expect(await again.body()).toHaveLength(0);
});

/** The table takes those that are compared by their samples from the samples; the sums in the rows are near them. */
const plain: MetricId[] = ['ttfb_p50', 'execution_time', 'wire_bytes_per_transaction'];
const paired: MetricId[] = ['cpu_at_load', 'latency_p50', 'throughput'];

test('the CSV has a row for every slot, and they make the figures of the table', async ({
  storefrontRun: { permalink, document },
  page,
  request,
}) => {
  const { columns, rows } = parseCsv(await (await request.get(`${permalink}.csv`)).text());
  expect(rows).toHaveLength(document.blocks.flatMap(({ slots }) => slots).length);
  expect(rows.length).toBeGreaterThan(0);

  await page.goto(permalink);
  await conclusionOf(page).waitFor();
  const table = page.getByTestId('delta-table');
  for (const id of [...plain, ...paired]) {
    const [column = ''] = columns.filter((name) => name === id || name.startsWith(`${id}_`));
    const cells = table.getByTestId(`metric-row-${id}`).getByRole('cell');
    const [http = '', https = ''] = await cells.allInnerTexts();
    const [ofHttp, ofHttps] = [['baseline', 'twin'], ['comparison']].map((of) => recompute(column, rows, of));
    if (plain.includes(id)) {
      expect(http, id).toBe(printLike(http, ofHttp ?? null));
      expect(https, id).toBe(printLike(https, ofHttps ?? null));
    } else {
      expect(http, id).toBe(printLike(http, meanOfSamples(id, document)));
      expect(Math.abs(numberOf(printLike(http, ofHttp ?? null)) / numberOf(http) - 1), id).toBeLessThan(0.03);
    }
  }
});

function numberOf(shown: string): number {
  return Number.parseFloat(shown.replaceAll(',', ''));
}
