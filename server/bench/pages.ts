import type { Browser } from 'playwright-core';
import { findChromium } from '../drive/browser/find-chromium.ts';
import { launchHeadless, quietArguments } from '../drive/browser/launch-chromium.ts';
import { openDatabase } from '../life/database/open-database.ts';
import { median } from '../method/statistics/quantile.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { sampleServers } from '../testing/sample-servers.ts';
import { storeFinishedRun } from '../testing/store-finished-run.ts';
import { storeFinishedServers } from '../testing/store-finished-servers.ts';
import type { Figure } from './figure.ts';
import { type OpenedPage, type Visit, visitPage, weighPage } from './open-page.ts';
import { makeDataDirectory, startMeasuredServer } from './test-server.ts';

/** Pages as a browser opens them for the first time: how much is sent, how tall they are, and when they answer. */

const visits = 7;
const slowdown = 4;
const launchTimeoutMs = 30_000;

type Measured = OpenedPage & {
  name: string;
  atMost: { requests?: number; kB?: number; slowS?: number; s?: number };
};

const run = 'benchRun00000000000000';
const cells = 'benchServers0000000000';

const pages: readonly Measured[] = [
  {
    name: 'launch',
    path: '/',
    control: 'form button[type=submit][aria-disabled=false]',
    press: 'input[name=target][value=origins]',
    answered: 'document.querySelector("input[inputmode=url]") !== null',
    atMost: { requests: 12, kB: 220, slowS: 1 },
  },
  {
    name: 'run',
    path: `/r/${run}`,
    control: 'input[name=chart]',
    press: 'input[name=chart][value=percentiles]',
    answered: 'location.search.includes("percentiles")',
    atMost: { kB: 350 },
  },
  {
    name: 'results',
    path: '/runs',
    control: 'main li input[type=checkbox]',
    press: 'main li input[type=checkbox]',
    answered: 'document.querySelector("section[aria-label=\'Selected results\']") !== null',
    atMost: {},
  },
  {
    name: 'servers, 3,600 cells',
    path: `/r/${cells}`,
    control: '[data-testid=servers-cells]',
    press: 'input[name=measure][value=overhead]',
    answered: 'location.search.includes("overhead")',
    atMost: { s: 1 },
  },
];

export async function measurePages(): Promise<Figure[]> {
  const executablePath = findChromium(process.env);
  if (executablePath === null) throw new Error('No Chromium was found. Install one, or set CHROMIUM_PATH.');
  const dataDirectory = makeDataDirectory();
  await fill(dataDirectory);
  const server = await startMeasuredServer(dataDirectory);
  try {
    const browser = await launchHeadless({
      executablePath,
      args: quietArguments,
      timeoutMs: launchTimeoutMs,
    });
    try {
      const figures: Figure[] = [];
      for (const page of pages) figures.push(...(await measurePage(browser, server.url, page)));
      return figures;
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

async function measurePage(browser: Browser, origin: string, page: Measured): Promise<Figure[]> {
  const { requests, kB, heightPx } = await weighPage(browser, origin, page);
  const quick: Visit[] = [];
  const slow: Visit[] = [];
  for (let i = 0; i < visits; i++) {
    quick.push(await visitPage(browser, origin, page, 1));
    slow.push(await visitPage(browser, origin, page, slowdown));
  }
  const { name, atMost } = page;
  const one = (figure: string, value: number, unit: string, limit: number | undefined): Figure => ({
    ...{ bench: 'pages', figure: `${name}: ${figure}`, value, unit, range: null, atMost: limit ?? null },
  });
  const times = (figure: string, of: readonly Visit[], limit: number | undefined): Figure => {
    const seconds = of.map(({ answeredMs }) => answeredMs / 1000);
    return {
      ...one(figure, median(seconds), 's', limit),
      range: [Math.min(...seconds), Math.max(...seconds)],
    };
  };
  return [
    one('requests', requests, '', atMost.requests),
    one('compressed', kB, 'kB', atMost.kB),
    one('height at 1,280 pixels', heightPx, 'px', undefined),
    times('answers after', quick, atMost.s),
    times(`answers after, ${slowdown} times slowed`, slow, atMost.slowS),
  ];
}

/** A run, and three sweeps with 10,000 cells. Their visits are left out: storing them takes minutes, and no page here reads them. */
async function fill(directory: string): Promise<void> {
  const database = await openDatabase({ directory, url: null });
  await storeFinishedRun(database, { ...sampleRun(), id: run });
  const { frame, kept, document } = sampleServers({ plan, rounds: 3 });
  for (const id of ['benchServers0000000002', 'benchServers0000000001', cells]) {
    const kin = { frame: { ...frame, id }, kept: { ...kept, blocks: [] }, document: { ...document, id } };
    await storeFinishedServers(database, kin as ReturnType<typeof sampleServers>);
  }
  await database.close();
}

const plan = {
  shape: 'grid' as const,
  levels: {
    server: ['nginx' as const, 'apache' as const, 'lighttpd' as const, 'node' as const, 'haproxy' as const],
    cipher: ['AES-128-GCM' as const, 'AES-256-GCM' as const, 'CHACHA20-POLY1305' as const],
    key: ['P-256' as const, 'RSA-1024' as const, 'RSA-2048' as const, 'RSA-4096' as const],
    keepAlive: [true, false],
    concurrency: [1, 8, 32, 128, 320, 800],
    document: [100, 1_000, 10_000, 40_000, 100_000],
  },
};
