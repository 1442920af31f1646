/** Protects the cache section as a real Chromium sees it, against the origins’ own logs. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type CacheVisit, cacheReportSchema } from '../../../shared/kinds/comparison/cache-report.ts';
import { issueAuthority, issueServer } from '../../targets/certificates/issue-certificate.ts';
import { chromiumInTest } from '../../testing/chromium-in-test.ts';
import { hangingProgram } from '../../testing/hanging-program.ts';
import { type Origin, serveOrigin } from '../../testing/origin-under-test.ts';
import { patienceMs } from '../../testing/patience.ts';
import { findChromium } from './find-chromium.ts';
import { chromiumArguments } from './launch-chromium.ts';
import { type CacheMeasurement, measureCache } from './measure-cache.ts';
import { visitTwice } from './visitors.ts';

const validity = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 86_400_000) };
const authority = await issueAuthority('Authority under test', validity);
const stranger = await issueAuthority('Another authority', validity);
const identity = await issueServer(['shop.test', '127.0.0.1'], validity, authority);
const whole = findChromium(process.env) ?? 'no Chromium was found; set CHROMIUM_PATH';
const executablePath = chromiumInTest ?? whole;
let http: Origin;
let https: Origin;

beforeAll(async () => {
  http = await serveOrigin('shop.test', null);
  https = await serveOrigin('shop.test', { cert: identity.certificatePem, key: identity.keyPem });
});
beforeEach(() => {
  for (const { log } of [http, https]) log.length = 0;
});
afterAll(() => Promise.all([http.close(), https.close()]));

function measure(changes: Partial<CacheMeasurement> = {}) {
  return measureCache({
    executablePath,
    baseline: http.listener,
    comparison: https.listener,
    caPem: authority.certificatePem,
    pages: ['/', '/more'],
    sensitivePaths: ['/account'],
    timeoutMs: patienceMs,
    ...changes,
  });
}

function sources(visit: CacheVisit | undefined) {
  return Object.fromEntries(visit?.resources.map(({ path, source }) => [path, source]) ?? []);
}

/** Statuses that an origin sent for each path, over both visits. */
function sent({ log }: Origin) {
  const byPath = Object.groupBy(log, ({ path }) => path);
  return Object.fromEntries(
    Object.entries(byPath).map(([path, all]) => [path, all?.map(({ status }) => status)]),
  );
}

test('both sides tell what the cache did, and the origins’ own logs agree', async () => {
  const report = cacheReportSchema.parse(await measure({ executablePath: whole }));

  for (const side of [report.baseline, report.comparison]) {
    expect(sources(side?.cold)).toEqual({
      '/': 'network',
      '/app.css': 'network',
      '/checked.js': 'network',
      '/logo.svg?v=2': 'network',
      '/more': 'network',
      '/account': 'not_stored',
    });
    expect(sources(side?.warm)).toEqual({
      '/': 'revalidated',
      '/app.css': 'cache',
      '/checked.js': 'revalidated',
      '/logo.svg?v=2': 'cache',
      '/more': 'revalidated',
      '/account': 'not_stored',
    });
    expect(side?.warm).toMatchObject({
      requests: 6,
      fromCache: 2,
      revalidated: 3,
      notStored: 1,
      fromNetwork: 0,
    });
    expect(side?.warm.bytes).toBeLessThan(side?.cold.bytes ?? 0);
    expect(side?.cold.loadMs).toBeGreaterThan(0);
  }
  for (const origin of [http, https]) {
    expect(sent(origin)).toEqual({
      '/': [200, 304],
      '/app.css': [200],
      '/checked.js': [200, 304, 304, 304],
      '/logo.svg?v=2': [200],
      '/more': [200, 304],
      '/account': [200, 200],
    });
  }
  expect(report.findings).toContain(
    'HTTPS is cached like HTTP: on the warm visit 2 of 6 resources came from the cache on both sides.',
  );
  expect(report.findings).toContain('/account is never cached on either side (no-store).');
  expect(report.browser).toMatch(/^Chromium \d+/);
});

test('the encodings that only https is offered are seen, as they hide on localhost', async () => {
  const {
    baseline: plain,
    comparison: secure,
    findings,
  } = await measure({ pages: ['/'], sensitivePaths: [] });
  expect(new Set(http.log.map(({ acceptEncoding }) => acceptEncoding))).toEqual(new Set(['gzip, deflate']));
  expect(https.log[0]?.acceptEncoding).toContain('br');
  const encoding = (visit?: CacheVisit) =>
    visit?.resources.find(({ path }) => path === '/app.css')?.contentEncoding;
  expect([encoding(plain?.cold), encoding(secure?.cold)]).toEqual(['', 'br']);
  expect(findings.join(' ')).toContain('/app.css came uncompressed over http and as br over https');
});

test('a sensitive page that is stored raises the alarm', async () => {
  const { findings } = await measure({ pages: [], sensitivePaths: ['/leaky'] });
  expect(findings).toContain(
    '/leaky is sensitive and came from the cache on both sides. Send it with Cache-Control: no-store.',
  );
});

test('a target given by its address is measured as well', async () => {
  const hostname = '127.0.0.1';
  const report = await measure({
    baseline: { ...http.listener, hostname },
    comparison: { ...https.listener, hostname },
    pages: ['/'],
  });
  expect(report.comparison?.warm.fromCache).toBe(2);
  expect(report.baseline?.warm.fromCache).toBe(2);
});

test('no other host is reached, by name or by address', async () => {
  const canary = await serveOrigin('canary.test', null);
  const { port } = canary.listener;
  const pages = [
    `/embeds?url=http://canary.test:${port}/logo.svg`,
    `/embeds?url=http://127.0.0.1:${port}/logo.svg`,
  ];
  const { findings } = await measure({ pages, sensitivePaths: [] });
  await canary.close();
  expect(findings).toContain(
    `The pages ask other origins too, which are not counted here: canary.test:${port}, 127.0.0.1:${port}.`,
  );
  expect(canary.log).toEqual([]);
});

test('a certificate error that was passed over is refused, as its responses are not cached', async () => {
  const { chromium } = await import('playwright-core');
  const launch = { executablePath, listeners: [https.listener], trustedSpki: null, timeoutMs: patienceMs };
  const browser = await chromium.launch({
    executablePath,
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...chromiumArguments(launch), '--ignore-certificate-errors'],
  });
  try {
    const visits = visitTwice(browser, https.listener, ['/'], new AbortController().signal);
    await expect(visits).rejects.toThrow(
      /The cache was not measured. Chromium took .* without trusting its certificate .* like a cost of HTTPS/,
    );
  } finally {
    await browser.close();
  }
});

test.each([
  [
    'Chromium does not know the authority',
    null,
    /could not open https:.* a certificate that is not trusted here/,
  ],
  [
    'another authority is given',
    stranger.certificatePem,
    /certificate of shop\.test:\d+ could not be verified/,
  ],
])('nothing is measured when %s', async (_, caPem, reason) => {
  const report = await measure({ caPem });
  expect(report).toMatchObject({ baseline: null, comparison: null });
  expect(report.findings).toEqual([expect.stringMatching(reason)]);
});

test('a side that redirects to the other is refused by name', async () => {
  const path = `/leads-to?url=https://shop.test:${https.listener.port}/`;
  const { baseline: side, findings } = await measure({ pages: [path] });
  expect(side).toBeNull();
  expect(findings[0]).toContain(`leads to https://shop.test:${https.listener.port}`);
});

test('a missing executable is a finding', async () => {
  const report = await measure({ executablePath: '/nowhere/chromium' });
  expect(report.findings[0]).toContain('There is no Chromium at /nowhere/chromium');
});

test('an executable that is no Chromium is a finding', async () => {
  const report = await measure({ executablePath: '/bin/false' });
  expect(report.findings[0]).toBe(
    'Chromium failed, so the cache was not measured. Try CHROMIUM_PATH with another Chromium.',
  );
});

test.each([
  ['its time is up', 1500, null],
  ['the run is canceled', patienceMs, 1500],
])('a browser that hangs is killed with all that it started when %s', async (_, timeoutMs, cancelMs) => {
  const program = hangingProgram();
  const cancelled = new AbortController();
  if (cancelMs !== null) setTimeout(() => cancelled.abort(new Error('canceled')), cancelMs);
  const fromMs = performance.now();
  const report = measure({ executablePath: program.path, timeoutMs, signal: cancelled.signal });
  await vi.waitFor(() => expect(program.isAlive()).toBe(true), { timeout: 1400 });
  if (cancelMs !== null) await expect(report).rejects.toThrow('canceled');
  else expect((await report).findings[0]).toContain('could not be finished in 1.5 s');
  expect(performance.now() - fromMs).toBeLessThan(6000);
  await vi.waitFor(() => expect(program.isAlive()).toBe(false), { timeout: 1000 });
  program.remove();
});

test('a page that never answers ends with the time given', async () => {
  const report = await measure({ pages: ['/silent'], timeoutMs: 4_000 });
  expect(report.findings[0]).toContain('could not be finished in 4 s');
});

test('a run that is canceled does not wait for the visits', async () => {
  const cancelled = new AbortController();
  const report = measure({ pages: ['/silent'], signal: cancelled.signal });
  cancelled.abort(new Error('cancelled by the user'));
  await expect(report).rejects.toThrow('cancelled by the user');
});
