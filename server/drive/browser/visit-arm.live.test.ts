/** Protects a journey from pages that never rest: every visit ends. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { type BrowserAction, browserActionSchema } from '../../../shared/scenario/browser-actions.ts';
import { patienceMs } from '../../testing/patience.ts';
import { findChromium } from './find-chromium.ts';
import { withChromium } from './launch-chromium.ts';
import { visitArm } from './visit-arm.ts';

test('a visit of a page that is busy with itself for ever has an end', async () => {
  const { port, close } = await servePage(
    '<title>Busy</title><script>onload = () => setTimeout(() => { for (;;); })</script>',
  );
  const origin = `http://127.0.0.1:${port}`;
  const signal = new AbortController().signal;
  const visit = withChromium(launchFor('127.0.0.1', port), signal, (browser) =>
    visitArm(browser, origin, [{ type: 'goto', line: null, page: 0, url: `${origin}/` }], signal, {
      patienceMs: 1_000,
    }),
  );
  await expect(visit).rejects.toThrow('it was not done after 1 s');
  close();
});

test.each([
  [
    '127.0.0.1',
    { secureContext: true, used: ['crypto.subtle', 'navigator.geolocation', 'navigator.serviceWorker'] },
  ],
  ['shop.test', { secureContext: false, used: [] }],
])(
  'what scripts use of secure contexts at http://%s is noted, and the page finds nothing new',
  async (hostname, scripts) => {
    const { port, close } = await servePage(`<title>Scripts</title><p>Loading</p><script>
    if ('serviceWorker' in navigator) navigator.serviceWorker.getRegistrations();
    if (window.isSecureContext) navigator.geolocation.getCurrentPosition(() => {}, () => {});
    crypto.subtle?.digest('SHA-256', new Uint8Array(1));
    document.querySelector('p').textContent = 'clipboard' in navigator ? 'Copy' : 'Select';
  </script>`);
    const origin = `http://${hostname}:${port}`;
    const word = hostname === 'shop.test' ? 'Select' : 'Copy';
    const actions: BrowserAction[] = [
      { type: 'goto', line: null, page: 0, url: `${origin}/` },
      browserActionSchema.parse({
        ...{ type: 'expect_text', line: null, page: 0, contains: false },
        ...{ locator: [{ by: 'selector', selector: 'p' }], match: { type: 'text', text: word } },
      }),
    ];
    const signal = new AbortController().signal;
    const visit = await withChromium(launchFor(hostname, port), signal, (browser) =>
      visitArm(browser, origin, actions, signal, { watchesScripts: true }),
    );
    expect(visit.scripts).toEqual(scripts);
    const measured = await withChromium(launchFor(hostname, port), signal, (browser) =>
      visitArm(browser, origin, actions, signal),
    );
    expect(measured.scripts).toBeNull();
    close();
  },
);

async function servePage(html: string) {
  const server = createServer((_incoming, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

function launchFor(hostname: string, port: number) {
  return {
    executablePath: findChromium(process.env) ?? '',
    listeners: [{ hostname, address: '127.0.0.1', port }],
    ...{ trustedSpki: null, timeoutMs: patienceMs },
  };
}
