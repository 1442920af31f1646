/** Protects the dry run: each step on both sides, with what differs and what is wrong. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a scenario are written like this
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { defaultTlsProfile } from '../../../shared/base/tls-profile.ts';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { dryRunReportSchema } from '../../../shared/target/dry-run.ts';
import { patienceMs } from '../../testing/patience.ts';
import {
  check,
  expectProblem,
  httpAt,
  httpsAt,
  page,
  serveHttp,
  serveHttps,
} from '../../testing/preflight-in-test.ts';
import { dryRun } from './check-once.ts';

const scenario = scenarioSchema.parse({
  name: 'order',
  cookies: true,
  steps: [
    {
      name: 'cart',
      method: 'GET',
      path: '/cart',
      extract: [{ from: 'hidden_input', variable: 'token', name: 'csrf' }],
      recorded: { status: 200, contentType: 'text/html', bodyLength: 400, location: null },
    },
    {
      name: 'order',
      method: 'POST',
      path: '/orders',
      body: 'csrf=${token}',
      expectStatus: 303,
      extract: [{ from: 'header', variable: 'order', name: 'location', pattern: '/orders/(\\d+)' }],
      recorded: { status: 303, contentType: '', bodyLength: null, location: '/orders/1' },
    },
    {
      name: 'look',
      method: 'GET',
      path: '/orders/${order}',
      recorded: { status: 404, contentType: 'text/html', bodyLength: 17, location: null },
    },
  ],
});

/** Each side gives out numbers of its own, and pages that name their own address. */
function shop(order: number, server: string): RequestListener {
  return (request, response) => {
    const { url, method, headers } = request;
    response.setHeader('x-served-by', server);
    if (method === 'POST') return response.writeHead(303, { location: `/orders/${order}` }).end();
    response.setHeader('content-type', 'text/html');
    if (url !== '/cart') return response.end('<p>Thank you.</p>');
    const own = `${'encrypted' in request.socket ? 'https' : 'http'}://${headers.host}`;
    response.setHeader('set-cookie', 'sid=geheim; Path=/');
    return response.end(`<a href="${own}/"></a><input name="csrf" value="token-1">`);
  };
}

async function dryRunOn(http: RequestListener, https: RequestListener) {
  const report = await dryRun({
    listeners: { baseline: httpAt(await serveHttp(http)), comparison: httpsAt(await serveHttps(https)) },
    scenario,
    tls: defaultTlsProfile,
    connectionPolicy: 'keep-alive',
    timeoutMs: patienceMs,
  });
  return dryRunReportSchema.parse(report);
}

test('each step is told from both sides, with what differs and what the recording had otherwise', async () => {
  const report = await dryRunOn(shop(7, 'a'), shop(8, 'b'));
  expect(report.preflight.problem).toBeNull();
  const [cart, order, look] = report.steps;
  expect(order?.differences.every(({ grave }) => !grave)).toBe(true);
  expect([cart?.sides.baseline?.variables, cart?.sides.comparison?.variables]).toEqual(
    Array.from({ length: 2 }, () => [{ name: 'token', value: 'token-1' }]),
  );
  expect(cart?.sides.baseline?.headers).toContainEqual(['set-cookie', 'sid']);
  expect(cart?.differences).toEqual([
    { what: 'headers', grave: false, message: 'Different headers: x-served-by.' },
    {
      what: 'body',
      grave: false,
      message: expect.stringMatching(/^The bodies are the same except for each side’s own address \(/),
    },
  ]);
  expect(cart?.unexplained).toEqual([
    expect.stringMatching(/^It has a body of \d+ characters instead of the recorded 400 over HTTP\.$/),
    expect.stringMatching(/^It has a body of \d+ characters instead of the recorded 400 over HTTPS\.$/),
  ]);
  expect(order?.differences.map(({ what }) => what)).toEqual(['redirect', 'headers']);
  expect(order?.unexplained).toEqual([]);
  expect(look?.sides).toMatchObject({
    baseline: { path: '/orders/7' },
    comparison: { path: '/orders/8' },
  });
  expect(look?.differences.map(({ what }) => what)).toEqual(['request', 'headers']);
  expect(look?.unexplained).toEqual(['It answers 200 instead of the recorded 404.']);
});

test('a step that is not reached has no answer, and the problem stands where it is', async () => {
  const report = await dryRunOn(shop(7, 'a'), page('no form here'));
  const [cart, order] = report.steps;
  expect(cart?.sides.comparison?.problem).toMatch(/^no value for \$\{token\}/);
  expect(cart?.differences.filter(({ grave }) => grave).map(({ what }) => what)).toEqual(['check', 'body']);
  expect(order?.sides).toEqual({ baseline: expect.objectContaining({ status: 303 }), comparison: null });
  expect(report.preflight.ok).toBe(false);
});

test('a page that leads a browser to the other scheme is not comparable, and names its step', async () => {
  const loads = page('<script src="https://shop.test:1/a.js"></script>');
  const report = await check(httpAt(await serveHttp(loads)), httpsAt(await serveHttps(loads)));
  expectProblem(
    report,
    'baseline',
    'scheme',
    /^Not comparable: step “home” loads https:\/\/shop\.test:1\/a\.js over https/,
  );

  const upgrades: RequestListener = (_request, response) => {
    response.setHeader('content-security-policy', 'upgrade-insecure-requests').end();
  };
  const second = await check(httpAt(await serveHttp(upgrades)), httpsAt(await serveHttps(upgrades)));
  expectProblem(
    second,
    'baseline',
    'scheme',
    /^Not comparable: step “home” sends the policy upgrade-insecure-requests/,
  );
});

test('each step says what makes its side no half of a pair', async () => {
  const http: RequestListener = (request, response) => {
    response.setHeader('content-type', 'text/html').setHeader('set-cookie', 'sid=1; Secure');
    if (request.url !== '/cart')
      return response.writeHead(308, { location: 'https://shop.test/orders' }).end();
    return response.end('<form action="https://shop.test/orders"><input name="csrf" value="1"></form>');
  };
  const [cart, order] = (await dryRunOn(http, shop(7, 'b'))).steps;
  const grave = (step: typeof cart) =>
    step?.differences.filter((each) => each.grave).map((each) => each.message);
  expect(grave(cart)?.slice(0, 2)).toEqual([
    'The HTTP side sends a form to https://shop.test/orders over https, from its page over http.',
    'The cookie “sid” is Secure, so it is lost over HTTP.',
  ]);
  expect(grave(order)).toContain('The HTTP side redirects to https://shop.test.');
});

test('a link that nothing follows is a warning', async () => {
  const links = page('<a href="https://shop.test/">');
  const report = await check(httpAt(await serveHttp(links)), httpsAt(await serveHttps(links)));
  expect(report.ok).toBe(true);
  expect(report.sides.baseline.checks.find(({ id }) => id === 'scheme')?.status).toBe('warn');
});
