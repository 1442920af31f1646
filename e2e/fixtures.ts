import { test as base } from '@playwright/test';
import { patienceMs } from '../server/testing/patience.ts';
import type { Plan } from '../shared/kinds/comparison/load-profile.ts';
import { type ObservedRun, observeStorefrontRun } from './observe-storefront-run.ts';
import { type Dashboard, startDashboard } from './start-dashboard.ts';
import { storeResults, storeRun } from './store-run.ts';
import { startTwoOrigins, type TwoOrigins } from './two-origins.ts';

type OfTest = {
  /** Overrides of the brief plan, for runs of the real dashboard. */
  plan: Partial<Plan>;
  /** A server that has measured nothing yet. Its runs follow a script, and go on for as long as a test looks. */
  dashboard: Dashboard;
  /** A server that has measured nothing yet. Its runs are measured, briefly. */
  realDashboard: Dashboard;
  /** A target of somebody else. */
  origins: TwoOrigins;
};

type OfAll = {
  /** One quick run of the storefront, scripted, watched from its launch to its end, for all tests that only read it. */
  storefrontRun: ObservedRun;
  /** A finished run with every figure, on a server of its own, however noisy this machine is. */
  storedRun: { url: string; permalink: string };
  /** A finished result of every kind, on a server of its own; the addresses of their pages. */
  results: { url: string; pages: Awaited<ReturnType<typeof storeResults>> };
};

/** Smallest number of epochs for an interval. */
export const fewestForInterval = { minimum: 4, maximum: 4 };

export const test = base.extend<OfTest, OfAll>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern that no other fixture is needed
  dashboard: async ({}, use) => {
    const dashboard = await startDashboard({ pace: 10 });
    await use(dashboard);
    await dashboard.dispose();
  },
  plan: [{ epochs: fewestForInterval }, { option: true }],
  realDashboard: async ({ plan }, use) => {
    const dashboard = await startDashboard({ plan });
    await use(dashboard);
    await dashboard.dispose();
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  origins: async ({}, use) => {
    const origins = await startTwoOrigins();
    await use(origins);
    await origins.close();
  },
  storefrontRun: [
    async ({ browser }, use) => {
      const plan = { epochs: { minimum: 3, maximum: 3 }, lockstepMs: 300, maximumMs: 1000, sampleMs: 250 };
      const dashboard = await startDashboard({ pace: 0.3, plan, environment: {} });
      try {
        await use(await observeStorefrontRun(browser, dashboard));
      } finally {
        await dashboard.dispose();
      }
    },
    { scope: 'worker', timeout: 3 * patienceMs },
  ],
  storedRun: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      let id = '';
      const dashboard = await startDashboard({
        // Processes that it starts for queries live as long as it does.
        environment: {},
        fill: async (dataDirectory) => {
          id = await storeRun(dataDirectory);
        },
      });
      await use({ url: dashboard.url, permalink: `${dashboard.url}/r/${id}` });
      await dashboard.dispose();
    },
    { scope: 'worker' },
  ],
  results: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const stored: OfAll['results']['pages'][] = [];
      const dashboard = await startDashboard({
        fill: async (dataDirectory) => stored.push(await storeResults(dataDirectory)),
      });
      const pages = Object.entries(stored[0] ?? {}).map(([kind, path]) => [kind, `${dashboard.url}${path}`]);
      await use({ url: dashboard.url, pages: Object.fromEntries(pages) });
      await dashboard.dispose();
    },
    { scope: 'worker' },
  ],
});

export { expect } from '@playwright/test';
