/** Protects the promise that an access log stays in the browser, and that one of any size can be read and canceled there. */
import { gzipSync } from 'node:zlib';
import { expectAccessibleInBothSchemes, expectNoSidewaysScroll, narrow } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

const lines = (count: number) =>
  Array.from(
    { length: count },
    (_, index) =>
      `127.0.0.1 - - [28/Nov/2026:01:21:${30 + (index % 20)} +0000] "GET / HTTP/1.1" 200 5000 "-" "curl" connection_requests=${1 + (index % 4)}\n`,
  ).join('');

const chosen = (name: string, content: string | Buffer) => ({
  ...{ name, mimeType: 'text/plain', buffer: Buffer.from(content) },
});

test('a log is read without a request, as it is and compressed; what it lacks is named', async ({
  results,
  page,
}) => {
  await page.goto(`${results.url}/lab/bill`);
  const read = page.getByRole('button', { name: 'Read log' });
  const status = page.getByRole('status').filter({ hasText: 'requests,' });
  await page.getByLabel('Access log').setInputFiles(chosen('access.log', `${lines(1000)}nonsense\n`));
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.method()} ${request.url()}`));
  await read.click();
  await expect(status).toHaveText(
    /^1,000 requests, 28 November 2026 at 01:21 UTC\. Read as common or combined\./,
  );
  await expect(page.getByText('1 of 1,001 lines (0.1 %) cannot be read.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Missing from the log' })).toContainText(
    /^.*Returning visitors: add/,
  );
  await expect(page.getByRole('definition').filter({ hasText: /^4\.0$/ })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
  await page.getByLabel('Access log').setInputFiles(chosen('access.log.gz', gzipSync(lines(2000))));
  await expect(status).toBeHidden();
  await read.click();
  await expect(status).toHaveText(/^2,000 requests/);
  // The page loads code ahead, and shows how busy the machine is.
  expect(sent.filter((request) => !/^GET \S+(?:\.js|\/api\/v1\/machine)$/.test(request))).toEqual([]);
});

test('what is no log is answered in a sentence, and reading can be canceled', async ({ results, page }) => {
  await page.goto(`${results.url}/lab/bill`);
  const read = page.getByRole('button', { name: 'Read log' });
  await page.getByLabel('Access log').setInputFiles(chosen('access.log', 'no log\n'));
  await read.click();
  await expect(page.getByRole('alert')).toContainText('1 of 1 lines cannot be read as an access log.');
  await page.getByLabel('Log format').fill('squid');
  await read.click();
  await expect(page.getByRole('alert')).toContainText('The log’s format is combined, json,');
  await page.getByLabel('Log format').fill('');
  await page.getByLabel('Access log').setInputFiles(chosen('cut.gz', gzipSync(lines(100)).subarray(0, 50)));
  await read.click();
  await expect(page.getByRole('alert')).toContainText('cut.gz cannot be unpacked.');
  const large = gzipSync(lines(1000).repeat(900), { level: 1 });
  await page.getByLabel('Access log').setInputFiles(chosen('large.gz', large));
  await read.click();
  await expect(page.getByText(/% read, /)).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText(/% read, /)).toBeHidden();
  await expect(read).toBeEnabled();
});
