/** Protects the recorder from a changed Playwright: what is assumed of its private part holds. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patienceMs } from '../../testing/patience.ts';
import { findChromium } from './find-chromium.ts';
import { launchHeadless } from './launch-chromium.ts';
import { openPlaywrightRecorder, type ToldAction } from './watch-actions.ts';

const server = createServer((_, response) =>
  response
    .setHeader('Content-Type', 'text/html')
    .end(
      '<title>A</title><center><button>Top</button></center><input aria-label="Name"><a href="/b" target="_blank">More</a>',
    ),
);
let browser: Browser;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  browser = await launchHeadless({
    executablePath: findChromium(process.env) ?? '',
    timeoutMs: patienceMs,
    args: [],
  });
});
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

/** Assumptions about the private part of the pinned Playwright. */
test('Playwright’s recorder tells clicks, typing and pop-ups with its locators, has no toolbar, and can be stopped', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const told: ToldAction[] = [];
  const recorder = await openPlaywrightRecorder(context, (action) => told.push(action));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await recorder.ready(page);
  // Real mouse and keyboard events, as the remote input makes them.
  const point = async (name: 'button' | 'link' | 'textbox') => {
    const box = await page.getByRole(name).boundingBox();
    await page.mouse.click((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
  };
  await point('button');
  await point('textbox');
  await page.keyboard.type('ab');
  const popup = context.waitForEvent('page');
  await point('link');
  await popup;
  await recorder.stop();
  await page.keyboard.type('c');

  const brief = told.map((event) =>
    event.type === 'popup'
      ? 'popup'
      : `${event.replaces ? 'again ' : ''}${event.action.name} ${event.page.locator(event.action.selector)}`,
  );
  expect(brief).toEqual([
    "click getByRole('button', { name: 'Top' })",
    "click getByRole('textbox', { name: 'Name' })",
    "fill getByRole('textbox', { name: 'Name' })",
    "again fill getByRole('textbox', { name: 'Name' })",
    "click getByRole('link', { name: 'More' })",
    'popup',
  ]);
});
