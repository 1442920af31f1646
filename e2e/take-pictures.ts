/** Renews the picture of README and of the first result: the page of the demo shop's example. */
import { fileURLToPath } from 'node:url';
import { demandChromium } from '../server/drive/browser/find-chromium.ts';
import { launchChromium } from '../server/drive/browser/launch-chromium.ts';
import { connectTo } from '../server/edge/commands/api-client.ts';
import { startMeasuredServer } from '../server/testing/program-in-test.ts';
import { exampleEndpoints } from '../shared/api/example-endpoints.ts';

const path = fileURLToPath(new URL('../public/finished-run.png', import.meta.url));
const executablePath = demandChromium(
  { chromiumPath: process.env.CHROMIUM_PATH ?? null },
  'Pictures need Chromium.',
);
const server = await startMeasuredServer();
try {
  const { hostname, port } = new URL(server.url);
  const listeners = [{ hostname, address: hostname, port: Number(port) }];
  const browser = await launchChromium({ executablePath, listeners, trustedSpki: null, timeoutMs: 20_000 });
  try {
    const { examples } = await connectTo({ url: server.url, key: null }).call(
      exampleEndpoints.listExamples,
      {},
    );
    const context = await browser.newContext({
      colorScheme: 'light',
      viewport: { width: 1280, height: 1000 },
    });
    const page = await context.newPage();
    await page.goto(`${server.url}${examples[0]?.url}`);
    await page.getByTestId('delta-table').waitFor();
    await page.screenshot({ path });
  } finally {
    await browser.close();
  }
} finally {
  await server.stop();
}
process.stderr.write(`Wrote ${path}.\n`);
