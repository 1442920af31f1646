import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { chromiumInTest } from './server/testing/chromium-in-test.ts';
import { patienceMs } from './server/testing/patience.ts';

if (chromiumInTest === null) throw new Error('No Chromium was found. Run npm test, or set CHROMIUM_PATH.');

export default defineConfig({
  testDir: 'e2e',
  workers: availableParallelism() + 1,
  // A file stays in one worker, so what it opens for all of its tests is opened once.
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  // A test waits more than once.
  timeout: 3 * patienceMs,
  expect: { timeout: patienceMs },
  use: {
    launchOptions: {
      executablePath: chromiumInTest,
      args: [
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
    actionTimeout: patienceMs,
    navigationTimeout: patienceMs,
    trace: 'off',
  },
});
