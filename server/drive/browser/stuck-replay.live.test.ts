/** Protects a replay that gets stuck: it names its step and what was not found, with a picture that shows no secret. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parsePlaywrightTest } from '../../intake/import/playwright-test.ts';
import { chromiumInTest } from '../../testing/chromium-in-test.ts';
import { openPageServer, type PageServer } from '../../testing/page-server.ts';
import { patienceMs } from '../../testing/patience.ts';
import { withChromium } from './launch-chromium.ts';
import { replayActions } from './replay-actions.ts';
import { takePicture } from './try-action.ts';

const shop = `<title>Shop</title><style>body { margin: 0 }</style>
  <button disabled>Pay</button><button>Buy</button><button>Buy</button><button style="display:none">Back</button>
  <div style="position:relative"><button>Under</button><div id="veil" style="position:absolute;inset:0"></div></div>
  <input aria-label="Word"><h1>Basket</h1>`;
let server: PageServer;
let origin = '';
beforeAll(async () => {
  server = await openPageServer({}, shop);
  origin = server.origin;
});
afterAll(() => server.close());

function replay(line: string, actionMs = 500) {
  const { actions } = parsePlaywrightTest(`test('t', async ({ page }) => {
    await page.goto('${origin}/search?key=1');
    ${line}
  });`);
  return replayActions({
    ...{ executablePath: chromiumInTest ?? '', actions, secrets: {} },
    ...{ known: new Map(), permits: [], own: [], url: origin, signal: new AbortController().signal },
    patience: { actionMs, visitMs: patienceMs, expectationMs: 500 },
  });
}

/** Size of a JPEG, from its frame header. */
function sizeOf(jpeg: Buffer): { width: number; height: number } {
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  return { height: jpeg.readUInt16BE(frame + 5), width: jpeg.readUInt16BE(frame + 7) };
}

test('a replay names the step, its line and what was not found, with a small picture', async () => {
  const { stuck, unsupported } = await replay(
    `await page.getByRole('textbox', { name: 'Search' }).fill('lamp');`,
  );
  expect(stuck).toMatchObject({
    ...{ step: 2, line: 3 },
    sentence: 'Step 2, line 3: no textbox “Search” found on /search within 0.5 s.',
  });
  expect(unsupported).toEqual([
    { line: 3, reason: 'Step 2: no textbox “Search” found on /search within 0.5 s.' },
  ]);
  const jpeg = Buffer.from(stuck?.picture ?? '', 'base64');
  expect(jpeg.subarray(0, 2).toString('hex')).toBe('ffd8');
  expect(jpeg.length).toBeLessThan(100_000);
  expect(sizeOf(jpeg)).toEqual({ width: 640, height: 360 });
});

test.each([
  [
    `await page.getByRole('button', { name: 'Pay' }).click();`,
    'the button “Pay” on /search was disabled for 0.5 s',
  ],
  [
    `await page.locator('button >> nth=3').click();`,
    'the element button >> nth=3 on /search was not visible within 2 s',
    2_000,
  ],
  // Both are known at once, however long a step may take.
  [
    `await page.getByRole('button', { name: 'Buy' }).click();`,
    '2 elements match the button “Buy” on /search, and the step needs one',
    patienceMs,
  ],
  [
    `await page.goto('http://127.0.0.1:1/');`,
    'http://127.0.0.1:1/ could not be opened: the server uses a port that browsers do not open.',
    patienceMs,
  ],
] as [string, string, number?][])('%s', async (line, sentence, actionMs) => {
  const { stuck } = await replay(line, actionMs);
  expect(stuck?.sentence).toContain(`Step 2, line 3: ${sentence}`);
});

test('what lies above an element is named', async () => {
  const { stuck } = await replay(`await page.getByText('Under').click();`, 5_000);
  expect(stuck?.sentence).toBe(
    'Step 2, line 3: the text “Under” on /search was covered by <div id="veil"> for 5 s.',
  );
});

test('an expectation that does not hold says what was there instead, and the replay goes on', async () => {
  const { stuck, unsupported } = await replay(`await expect(page.locator('h1')).toHaveText('Thanks');`);
  expect(stuck).toBeUndefined();
  expect(unsupported).toEqual([
    {
      line: 3,
      reason: 'Step 2: the element h1 on /search did not say “Thanks” within 0.5 s. It says “Basket”.',
    },
  ]);
});

test('a picture shows dots for a secret, in fields and in texts', async () => {
  const launch = {
    ...{ executablePath: chromiumInTest ?? '', trustedSpki: null, timeoutMs: patienceMs },
    listeners: [{ hostname: '127.0.0.1', address: '127.0.0.1', port: Number(new URL(origin).port) }],
  };
  await withChromium(launch, new AbortController().signal, async (browser) => {
    const page = await browser.newPage();
    await page.goto(origin);
    await page.getByLabel('Word').fill('hunter22');
    await page.locator('h1').evaluate((heading) => heading.append(' for hunter22'));
    await page.evaluate(() => {
      const card = document.body.appendChild(document.createElement('pay-card'));
      card.attachShadow({ mode: 'closed' }).append('hunter22');
    });
    expect(await takePicture(page, ['hunter22'])).not.toBeNull();
    expect(await page.getByLabel('Word').inputValue()).toBe('•••');
    expect(await page.locator('h1').textContent()).toBe('Basket for •••');
    await expect(page.locator('pay-card').isHidden()).resolves.toBe(true);
  });
});
