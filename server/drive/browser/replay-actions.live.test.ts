/** Protects the replay of a test in the browser: its requests are brought, its secrets are not. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a secret is written
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parsePlaywrightTest } from '../../intake/import/playwright-test.ts';
import { chromiumInTest } from '../../testing/chromium-in-test.ts';
import { openPageServer, type PageServer } from '../../testing/page-server.ts';
import { patienceMs } from '../../testing/patience.ts';
import { findChromium } from './find-chromium.ts';
import { replayActions } from './replay-actions.ts';

const pages: Record<string, string> = {
  '/': `<title>Shop</title><form method="post" action="/login"><label>Name <input name="user"></label>
    <label>Word <input type="password" name="word"></label> <label>Again <input type="password" name="w2"></label><label><input type="checkbox" name="keep"> Keep me</label>
    <select name="size" aria-label="Size"><option>S<option>L</select><button>Log in</button></form>
    <iframe src="/frame"></iframe><a href="/terms" target="_blank">Terms</a>`,
  '/frame': '<button onclick="fetch(`/from-frame`)">Inside</button>',
  '/terms': '<title>Terms</title><h1>Our terms</h1>',
  '/later': '<script>onload = () => setTimeout(() => fetch("/paused"), 500)</script>',
  get '/paused'() {
    stop.abort(new Error('It was stopped.'));
    return '';
  },
};
const stop = new AbortController();
let server: PageServer;
let origin = '';
beforeAll(async () => {
  server = await openPageServer(pages, '<title>Hello</title><p>Welcome back</p>');
  origin = server.origin;
});
afterAll(() => server.close());

const patient = { actionMs: patienceMs, visitMs: patienceMs, expectationMs: patienceMs };

function replay(
  lines: string,
  {
    secrets = {},
    patience = patient,
    signal = new AbortController().signal,
    executablePath = chromiumInTest ?? '',
  } = {},
) {
  const { actions } = parsePlaywrightTest(`test('It', async ({ page }) => {\n${lines}\n});`);
  return replayActions({
    permits: [],
    own: [],
    ...{ executablePath, actions, secrets },
    ...{ known: new Map(), url: origin, signal },
    patience,
  });
}

test('a test is done in the browser, and what it sends is brought without its secrets', async () => {
  const recorded = await replay(
    `await page.goto('${origin}/');
    await page.frameLocator('iframe').getByRole('button', { name: 'Inside' }).click();
    const popup = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Terms' }).click();
    const terms = await popup;
    await expect(terms.getByText('Our terms')).toBeVisible();
    await page.getByLabel('Name').fill('ann');
    await page.getByLabel('Word').fill(process.env.WORD);
    await page.getByLabel('Again').fill('battery-staple');
    await page.getByLabel('Keep me').check();
    await page.getByLabel('Size').selectOption('L');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveTitle(/^hello$/i);`,
    { secrets: { WORD: 'correct-horse' }, executablePath: findChromium(process.env) ?? '' },
  );
  const requests = recorded.exchanges.map(({ method, path }) => `${method} ${path}`);
  expect(requests).toEqual(
    expect.arrayContaining(['GET /', 'GET /frame', 'GET /from-frame', 'GET /terms', 'POST /login']),
  );
  expect(recorded.exchanges.find(({ method }) => method === 'POST')?.requestBody).toBe(
    'user=ann&word=${secret:WORD}&w2=${secret:w2}&keep=on&size=L',
  );
  expect(JSON.stringify(recorded)).not.toMatch(/correct-horse|battery-staple/);
  expect(recorded.steps).toContainEqual(expect.objectContaining({ type: 'fill', value: '${secret:w2}' }));
  expect(recorded.seen).toEqual([{ text: 'Our terms', afterRequests: expect.any(Number) }]);
  expect(recorded.unsupported).toEqual([]);
});

test('what does not hold or cannot be done in the browser is listed', async () => {
  const { unsupported } = await replay(
    `await page.goto('${origin}/terms');
    await expect(page.getByText('Farewell')).toBeVisible();
    await page.getByRole('button', { name: 'Log out' }).click();`,
    { patience: { ...patient, actionMs: 300, expectationMs: 300 } },
  );
  expect(unsupported).toEqual([
    { line: 3, reason: 'Step 2: no text “Farewell” found on /terms within 0.3 s.' },
    { line: 4, reason: 'Step 3: no button “Log out” found on /terms within 0.3 s.' },
  ]);
});

test.each(['file:///etc/hostname', 'javascript:fetch("/executed")'])(
  'a test that opens %s is not done any further',
  async (url) => {
    const recorded = await replay(`await page.goto('${origin}/terms');\nawait page.goto('${url}');`);
    expect(recorded.exchanges.map(({ path }) => path)).not.toContain('/executed');
    expect(recorded.unsupported).toMatchObject([
      { line: 3, reason: expect.stringContaining('only addresses of http:// and https:// are opened') },
    ]);
  },
);

test('a replay that is stopped in a pause is over at once', async () => {
  const { ending } = await replay(
    `await page.goto('${origin}/later');\nawait page.waitForTimeout(${2 * patienceMs});`,
    { signal: stop.signal },
  );
  expect(ending).toBe('closing');
});
